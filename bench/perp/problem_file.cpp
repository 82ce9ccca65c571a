#include "problem_file.hpp"

#include <CLI/CLI.hpp>

namespace perp::tool {

void add_law_option(CLI::App& command, std::string& law) {
    command
        .add_option(
            "--law", law,
            "Friction law: cone (Coulomb cone, relaxed), coulomb (the exact law in the same\n"
            "cones), box (bounds of the friction impulses, fixed; or mu times the normal\n"
            "impulses where the file has none),\n"
            "auto (what the file says: box where it has bounds, else cone)")
        ->check(CLI::IsMember({"auto", "cone", "box", "coulomb"}))
        ->capture_default_str();
}

int32_t law_of(const std::string& name) {
    if (name == "cone") return PERP_LAW_CONE;
    if (name == "coulomb") return PERP_LAW_COULOMB;
    return name == "box" ? PERP_LAW_BOX : PERP_LAW_AUTO;
}

const char* name_of_law(int64_t law) {
    if (law == PERP_LAW_COULOMB) return "coulomb";
    return law == PERP_LAW_BOX ? "box" : "cone";
}

ProblemFile::ProblemFile(const std::string& file, const std::string& law)
    : path(file), info(sized<perp_problem_info>()) {
    perp_problem* read = nullptr;
    require(perp_problem_read(path.c_str(), law_of(law), &read), path);
    problem.reset(read);
    require(perp_problem_get_info(problem.get(), &info), path);
}

std::vector<double> read_solution(const ProblemFile& file, const std::string& path) {
    std::vector<double> z(static_cast<std::size_t>(file.info.rows));
    require(perp_solution_read(file.problem.get(), path.c_str(), z.data()), path);
    return z;
}

perp_residual_info residual_of(const ProblemFile& file, const std::vector<double>& z) {
    auto residual = sized<perp_residual_info>();
    require(perp_residual(file.problem.get(), z.data(), &residual), file.path);
    return residual;
}

std::vector<int64_t> all_methods() {
    std::vector<int64_t> methods;
    constexpr int64_t more_than_there_will_be = 64;
    for (int64_t method = 1; method < more_than_there_will_be; ++method) {
        if (perp_method_name(method) != nullptr) methods.push_back(method);
    }
    return methods;
}

std::string reason_against(const ProblemFile& file, int64_t method) {
    const int32_t status = perp_solver_supports(file.problem.get(), method);
    if (status == PERP_OK) return {};
    if (status != PERP_UNSUPPORTED) throw CallFailed(status, file.path);
    return perp_last_message();
}

std::string row_text(const perp_problem_info& info, int64_t row) {
    if (row < 0) return "-";
    std::string name = "row " + std::to_string(row);
    const auto part = [&](const char* kind, int64_t index) {
        return name + " (" + kind + " " + std::to_string(index) + ")";
    };
    const int64_t per_contact = 1 + info.tangential_rows + info.angular_rows;
    if (info.matrix_form == 1) return name;
    if (info.matrix_form == 2) {
        const int64_t in_contacts = per_contact * info.contacts;
        return row < in_contacts ? part("contact", row / per_contact)
                                 : part("bilateral", row - in_contacts);
    }
    // A, N, D, S, B one after the other, each contact with its rows next to each other.
    struct Section {
        const char* kind;
        int64_t count, per_item;
    };
    const Section sections[] = {
        {"bilateral", info.bilateral, 1},
        {"contact", info.contacts, 1},
        {"sliding of contact", info.contacts * info.tangential_rows, info.tangential_rows},
        {"rolling of contact", info.contacts * info.angular_rows, info.angular_rows},
        {"box", info.boxes, 1}};
    int64_t index = row;
    for (const Section& section : sections) {
        if (index < section.count) return part(section.kind, index / section.per_item);
        index -= section.count;
    }
    return name;
}

const char* form_text(const perp_problem_info& info) {
    switch (info.matrix_form) {
        case 1:
            return "general mixed BLCP: a matrix and bounds";
        case 2:
            return "Delassus matrix of the contacts";
        default:
            return "system: mass matrix and Jacobians";
    }
}

std::string contents_text(const perp_problem_info& info) {
    const auto rows = [](int64_t count, const char* kind) {
        return std::to_string(count) + " " + kind + (count == 1 ? " row" : " rows");
    };
    const std::string tied = info.tied > 0 ? ", " + rows(info.tied, "tied") : "";
    if (info.matrix_form == 1) return rows(info.boxes, "BLCP") + tied;
    std::string text = std::string(name_of_law(info.law)) + " law, " +
                       std::to_string(info.contacts) +
                       (info.contacts == 1 ? " contact" : " contacts");
    if (info.contacts > 0) {
        text += " (normal, " + std::to_string(info.tangential_rows) + " sliding";
        if (info.angular_rows > 0)
            text += ", " + std::to_string(info.angular_rows) + " rolling or spinning";
        text += ")";
    }
    if (info.bilateral > 0) text += ", " + rows(info.bilateral, "bilateral");
    if (info.boxes > 0) text += ", " + rows(info.boxes, "box");
    return text + tied;
}

Json problem_json(const ProblemFile& file) {
    static constexpr const char* forms[] = {"system", "blcp", "delassus"};
    const perp_problem_info& info = file.info;
    return {{"law", name_of_law(info.law)},
            {"form", forms[info.matrix_form]},
            {"rows", info.rows},
            {"velocities", info.velocities},
            {"bilateral", info.bilateral},
            {"contacts", info.contacts},
            {"tangential_rows", info.tangential_rows},
            {"angular_rows", info.angular_rows},
            {"boxes", info.boxes},
            {"tied", info.tied},
            {"nonzeros", info.nonzeros},
            {"largest_mass_block", info.largest_mass_block},
            {"asymmetry", info.asymmetry},
            {"free_velocity_norm", info.free_velocity_norm}};
}

Json residual_json(const perp_problem_info& info, const perp_residual_info& r) {
    const bool cones = info.law != PERP_LAW_BOX && info.contacts > 0;
    return {{"eta", r.eta},
            {"parts",
             {{"bilateral", r.eta_bilateral},
              {"normal", r.eta_normal},
              {"friction", r.eta_friction},
              {"box", r.eta_box}}},
            {"worst_row", r.worst_row},
            {"eta_coulomb", cones ? Json(r.eta_coulomb) : Json()},
            {"penetration_velocity", r.penetration_velocity},
            {"cone_violation", r.cone_violation},
            {"complementarity", r.complementarity},
            {"bilateral_velocity", r.bilateral_velocity}};
}

std::string json_text(const Json& json) {
    // File names need not be UTF-8; JSON must be.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string version_text() {
    const int64_t v = perp_version();
    return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." +
           std::to_string(v % 100);
}

}  // namespace perp::tool
