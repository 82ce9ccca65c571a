#include "io/instance.hpp"

#include "io/hdf5_file.hpp"
#include "io/layouts.hpp"
#include "io/replace_file.hpp"

namespace perp {
namespace {

std::string listing(const hdf5::Group& root) {
    constexpr std::size_t most = 8;
    std::string text;
    for (const std::string& name : root.names(most)) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "nothing" : text;
}

}  // namespace

Problem read_problem(const std::string& path, std::optional<Law> law) {
    if (is_folder(path)) return read_market_folder(path, law);
    const hdf5::File file(path);
    const hdf5::Group root = file.root();
    if (holds_perp_instance(root)) return read_perp(root, law);
    if (holds_fclib_instance(root)) return read_fclib(root, law);
    hdf5::fail_at(Status::file_format, path,
                  "holds no problem: expected /dynamics, /blcp or one of FCLIB's groups, found " +
                      listing(root));
}

void write_problem(const Problem& problem, const std::string& path, Layout layout,
                   const std::string& title, const std::string& source) {
    const bool delassus = problem.matrix() != nullptr && problem.matrix()->delassus;
    if (layout == Layout::automatic) layout = delassus ? Layout::fclib : Layout::perp;
    const Caption caption{title, source};
    if (layout == Layout::matrix_market) return write_market_folder(path, problem, caption);
    const auto fill = [&](hdf5::Group& root) {
        layout == Layout::fclib ? write_fclib(root, problem, caption)
                                : write_perp(root, problem, caption);
    };
    replace_file(path, hdf5::make_image(path, {}, fill));
}

}  // namespace perp
