// What every experiment with a World records: a line per step, energies, the worst residual, where
// the time went, and the bodies seen from the side.
#pragma once

#include <string>
#include <vector>

#include "experiment.hpp"
#include "world.hpp"

namespace perp::scenes {

class RunLog {
public:
    // `name` begins the names of files, and with an underscore those of figures; `every`: steps per
    // line of the table.
    explicit RunLog(std::string name, int64_t every = 1, std::string prefix = "");
    void note(const World& world, const StepReport& report);
    // Adds figures, the table of steps and the plots of energy and contacts.
    void finish(Record& record) const;

    [[nodiscard]] int64_t unsolved() const { return unsolved_; }

private:
    std::string name_, prefix_;
    int64_t every_, steps_ = 0, unsolved_ = 0, most_contacts_ = 0, passes_ = 0;
    Table table_;
    double worst_eta_ = 0.0, largest_kinetic_ = 0.0, least_dissipation_ = 0.0;
    double energy_scale_ = 0.0;  // largest kinetic energy; at rest, that of a step of free fall
    StepTimes times_;
    std::vector<double> warm_iterations_, warm_factorizations_;
};

// World settings as the options say. The model is `model` where they name none.
void apply(const ExperimentOptions& options, const char* model, WorldDef& def);

// Steps a world, with its log and the callback of progress.
void run_steps(World& world, RunLog& log, const ExperimentOptions& options, int64_t steps);

// Bodies seen along y, x to the right and z up. Colours go by the bodies' numbers.
Drawing side_view(const World& world, std::string file, std::string title);

// folder/NAME_STEP.h5 with the next step, where the options name a folder.
void write_chosen_step(const ExperimentOptions& options, const World& world,
                       const std::string& name, int64_t step);

}  // namespace perp::scenes
