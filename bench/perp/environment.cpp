#include "environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include "git_commit.h"

namespace perp::tool {
namespace {

// What follows `key` and `separator` on the first line that starts with it; null if there is none.
Json value_of(std::istream&& lines, const std::string& key, char separator) {
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(key, 0) != 0) continue;
        const std::size_t at = line.find(separator, key.size());
        if (at == std::string::npos) continue;
        const std::size_t first = line.find_first_not_of(" \t\"", at + 1);
        const std::size_t last = line.find_last_not_of(" \t\"");
        return first == std::string::npos ? Json() : Json(line.substr(first, last - first + 1));
    }
    return {};
}

Json cpu_json() { return value_of(std::ifstream("/proc/cpuinfo"), "model name", ':'); }

Json memory_bytes_json() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? Json(static_cast<int64_t>(pages) * size) : Json();
}

Json load_json() {
    double load[3];
    if (getloadavg(load, 3) != 3) return {};
    return {load[0], load[1], load[2]};
}

Json kernel_json() {
    struct utsname name {};
    if (uname(&name) != 0) return {};
    return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

Json date_json() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    char text[64];
    if (gmtime_r(&now, &utc) == nullptr ||
        std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return {};
    return text;
}

}  // namespace

Json environment_json() {
    const std::string build = perp_build_info();
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return {{"date_utc", date_json()},
            {"cpu", cpu_json()},
            {"cores", cores > 0 ? Json(cores) : Json()},
            {"memory_bytes", memory_bytes_json()},
            {"load_average", load_json()},
            {"os", value_of(std::ifstream("/etc/os-release"), "PRETTY_NAME", '=')},
            {"kernel", kernel_json()},
            {"perp", version_text()},
            {"git_commit", PERP_GIT_COMMIT},
            {"compiler", value_of(std::istringstream(build), "compiler", ':')},
            {"build", value_of(std::istringstream(build), "build", ':')},
            {"build_info", build},
            {"blas", "none: perp uses no BLAS"}};
}

}  // namespace perp::tool
