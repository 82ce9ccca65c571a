// What `perp scene` writes of an experiment's record.
#pragma once

#include <string>

#include "../scenes/experiment.hpp"
#include "output_folder.hpp"

namespace perp::tool {

struct SceneRun {
    const scenes::Experiment* experiment = nullptr;
    scenes::ExperimentOptions options;
    scenes::Record record;
    double seconds = 0.0;  // of the run
};

// Names and values of the figures, then the remarks.
std::string table_text(const SceneRun& run);
// One line: the experiment, the options that were given, figures, remarks.
std::string json_text(const SceneRun& run);
std::string csv_text(const scenes::Table& table);
// Axes around all points.
std::string svg_text(const scenes::Plot& plot);

// figures.json, a CSV file for each table, an SVG file for each plot and drawing.
void write_files(const SceneRun& run, const OutputFolder& out);

}  // namespace perp::tool
