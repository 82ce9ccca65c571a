#include "request.hpp"

#include <stdexcept>

namespace perp::tool {
namespace {

perp_settings settings_of(const SolveRequest& request, int64_t method) {
    auto settings = initialized(perp_settings_init);
    settings.method = method;
    settings.tolerance = request.tolerance;
    if (request.max_iterations) settings.max_iterations = *request.max_iterations;
    if (request.time_limit) settings.time_limit = *request.time_limit;
    settings.warm_start = request.warm.empty() ? 0 : 1;
    return settings;
}

}  // namespace

int64_t method_of(const std::string& name) {
    const int64_t method = perp_method_from_name(name.c_str());
    if (method != 0) return method;
    std::string known;
    for (const int64_t m : all_methods()) known += std::string(perp_method_name(m)) + ", ";
    throw std::invalid_argument("--solver: no solver is called \"" + name + "\" (there are " +
                                known + "all)");
}

std::pair<std::string, std::string> setting_of(const std::string& text,
                                               const std::vector<ReservedSetting>& reserved) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0) {
        throw std::invalid_argument("--set: \"" + text + "\" is not of the form name=value");
    }
    const std::string name = text.substr(0, equal);
    for (const ReservedSetting& setting : reserved) {
        if (name == setting.name)
            throw std::invalid_argument("--set " + text + ": " + setting.instead);
    }
    return {name, text.substr(equal + 1)};
}

SolverHandle make_solver(const perp_problem* problem, const SolveRequest& request, int64_t method) {
    const char* const name = perp_method_name(method);
    const perp_settings settings = settings_of(request, method);
    perp_solver* created = nullptr;
    require(perp_solver_create(problem, &settings, &created), name);
    SolverHandle solver(created);
    for (const auto& [setting, value] : request.settings) {
        const std::string option = std::string("--set ").append(setting).append("=").append(value);
        require(perp_solver_set(solver.get(), setting.c_str(), value.c_str()), option);
    }
    return solver;
}

}  // namespace perp::tool
