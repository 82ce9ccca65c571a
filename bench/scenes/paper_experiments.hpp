// Experiments of the papers and of users' reports with few freedoms: no rigid-body world.
#pragma once

#include "experiment.hpp"

namespace perp::scenes {

// The wheel of Peiret, Kovecses and Font-Llagunes 2016, section 5: models against Coulomb's law.
Record run_wheel(const ExperimentOptions& options);
// The disc of Tasora and Anitescu 2013, section 6.1, that rolling friction stops.
Record run_disc(const ExperimentOptions& options);
// A mass that slides on a plane: the cones' lift-off.
Record run_block(const ExperimentOptions& options);
// The ball guideway of Tasora and Anitescu 2013, section 6.2: resistance to motion.
Record run_guideway(const ExperimentOptions& options);

}  // namespace perp::scenes
