#include "experiment.hpp"

#include "body_experiments.hpp"
#include "paper_experiments.hpp"

namespace perp::scenes {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = {
        {"wheel", "disc with a sharp rim that slides, then rolls: friction models compared",
         run_wheel},
        {"disc", "disc that rolling friction stops, against the analytic motion", run_disc},
        {"block", "block that slides to rest: lift-off of the cone model", run_block},
        {"guideway", "ball guideway: resistance from rolling friction and seals", run_guideway},
        {"box_stack", "boxes on each other, at rest", run_box_stack},
        {"brick_slope", "a brick on slopes that hold and do not", run_brick_slope},
        {"brick_wall", "a wall of bricks that stands until a ball hits it", run_brick_wall},
        {"bristle_slope", "three feet on a slope: bristles bend and do not creep",
         run_bristle_slope},
        {"chain", "a chain with ball joints falls on the ground", run_falling_chain},
        {"collision", "bodies collide in free space: momenta, order of contacts", run_collision},
        {"gripper", "two fingers hold a box for long", run_gripper},
        {"heap", "spheres fed into a heap: angle of repose", run_heap},
        {"mass_ratio_stack", "a stack with a heavy top", run_mass_ratio_stack},
    };
    return all;
}

}  // namespace perp::scenes
