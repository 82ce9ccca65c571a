// Experiments with rigid bodies in a World; each in a file of its name.
#pragma once

#include "experiment.hpp"

namespace perp::scenes {

Record run_heap(const ExperimentOptions& options);
Record run_brick_slope(const ExperimentOptions& options);
Record run_box_stack(const ExperimentOptions& options);
Record run_brick_wall(const ExperimentOptions& options);
Record run_falling_chain(const ExperimentOptions& options);
Record run_mass_ratio_stack(const ExperimentOptions& options);
Record run_gripper(const ExperimentOptions& options);
Record run_bristle_slope(const ExperimentOptions& options);
Record run_collision(const ExperimentOptions& options);

}  // namespace perp::scenes
