#include "scene_problem.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>

#include "io/instance.hpp"

namespace perp::kernels {

Problem problem_of(const scenes::Scene& scene) {
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("perp_kernels_" + std::to_string(getpid()) + ".h5"))
                                 .string();
    scenes::write_instance(scene, path, scene.title);
    Problem problem = read_problem(path, {});
    std::filesystem::remove(path);
    return problem;
}

}  // namespace perp::kernels
