#include "paper_experiments.hpp"

namespace perp::scenes {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = {
        {"wheel", "disc with a sharp rim that slides, then rolls: friction models compared",
         run_wheel},
        {"disc", "disc that rolling friction stops, against the analytic motion", run_disc},
        {"block", "block that slides to rest: lift-off of the cone model", run_block},
        {"guideway", "ball guideway: resistance from rolling friction and seals", run_guideway},
    };
    return all;
}

}  // namespace perp::scenes
