// perp convert: the same instance in another layout.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.hpp"
#include "problem_file.hpp"

namespace perp::tool {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
    std::string in, out, to = "auto", law = "auto", title, source;
    bool force = false;
};

bool is_folder_name(const std::string& path) { return !path.empty() && path.back() == '/'; }

// auto: a folder where OUT is one, or has no name of an HDF5 file; else what fits the problem.
int32_t layout_of(const ConvertOptions& options, const perp_problem_info& info) {
    if (options.to == "perp") return PERP_LAYOUT_PERP;
    if (options.to == "fclib") return PERP_LAYOUT_FCLIB;
    if (options.to == "matrix-market") return PERP_LAYOUT_MATRIX_MARKET;
    const std::string extension = fs::path(options.out).extension().string();
    const bool hdf5_name = extension == ".h5" || extension == ".hdf5";
    std::error_code ignored;
    if (is_folder_name(options.out) || fs::is_directory(options.out, ignored) || !hdf5_name)
        return PERP_LAYOUT_MATRIX_MARKET;
    return info.matrix_form == 2 ? PERP_LAYOUT_FCLIB : PERP_LAYOUT_PERP;
}

const char* layout_text(int32_t layout) {
    switch (layout) {
        case PERP_LAYOUT_FCLIB:
            return "FCLIB file (HDF5)";
        case PERP_LAYOUT_MATRIX_MARKET:
            return "folder of Matrix Market files";
        default:
            return "perp file (HDF5)";
    }
}

void check_target(const ConvertOptions& options) {
    std::error_code ignored;
    if (!fs::exists(options.out, ignored)) return;
    if (fs::equivalent(options.in, options.out, ignored))
        throw std::invalid_argument(options.out + ": is the instance to be converted itself");
    const bool empty_folder =
        fs::is_directory(options.out, ignored) && fs::is_empty(options.out, ignored);
    if (!options.force && !empty_folder)
        throw std::invalid_argument(options.out + ": exists already; --force replaces it");
}

// The solution beside the instance, if there is one that fits. `note` says what became of it.
std::optional<std::vector<double>> stored_solution(const ProblemFile& file, std::string& note) {
    std::vector<double> z(static_cast<std::size_t>(file.info.rows));
    const int32_t status = perp_solution_read(file.problem.get(), file.path.c_str(), z.data());
    if (status == PERP_OK) {
        note = "with the solution";
        return z;
    }
    if (status != PERP_FILE_FORMAT) throw CallFailed(status, file.path);
    note = std::string("without a solution (") + perp_last_message() + ")";
    return {};
}

int run_convert(const ConvertOptions& options) {
    const ProblemFile file(options.in, options.law);
    check_target(options);
    const int32_t layout = layout_of(options, file.info);
    std::string note;
    const auto solution = stored_solution(file, note);
    const std::string made = "perp convert " + options.in + " (perp " + version_text() + ")";
    const std::string& title = options.title.empty() ? options.in : options.title;
    const std::string& source = options.source.empty() ? made : options.source;
    require(perp_problem_write(file.problem.get(), options.out.c_str(), layout, title.c_str(),
                               source.c_str()),
            options.out);
    if (solution) {
        const std::string solver = "unknown, from " + options.in;
        require(perp_solution_write(file.problem.get(), options.out.c_str(), solution->data(),
                                    solver.c_str()),
                options.out);
    }
    std::cout << options.out << ": " << layout_text(layout) << ", " << contents_text(file.info)
              << ", " << note << '\n';
    return exit_ok;
}

void add_texts(CLI::App& command, ConvertOptions& options) {
    command.add_option("--title", options.title,
                       "Title stored in OUT (default: the name of IN; IN's own is not carried on)");
    command.add_option("--source", options.source,
                       "Where the instance comes from, stored in OUT (default: this command)");
    command.add_flag("--force", options.force, "Replace OUT if it exists");
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = app.add_subcommand("convert", "Write an instance in another layout");
    command->add_option("IN", options->in, instance_help)->required();
    command->add_option("OUT", options->out, "File or folder to write")->required();
    command
        ->add_option("--to", options->to,
                     "perp, fclib: an HDF5 file. matrix-market: a folder with H.mtx, q.mtx,\n"
                     "lo.mtx, hi.mtx; bounds only, no cones. auto: a folder if OUT is one or\n"
                     "does not end with .h5 or .hdf5, else fclib for Delassus forms and perp\n"
                     "for all others")
        ->check(CLI::IsMember({"auto", "perp", "fclib", "matrix-market"}))
        ->capture_default_str();
    add_law_option(*command, options->law);
    add_texts(*command, *options);
    command->footer(
        "A solution stored with IN is written too. Exit code 0 if written, 2 if not.\n"
        "\n"
        "Examples:\n"
        "  perp make wall --law box --out wall.h5; perp convert wall.h5 wall/\n"
        "  perp convert wall/ blcp.h5\n"
        "  perp convert fclib.hdf5 ours.h5 --to perp");
    command->callback([options, &action] { action = [options] { return run_convert(*options); }; });
}

}  // namespace perp::tool
