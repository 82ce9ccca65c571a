// Experiments in time: scenes that are stepped with perp_step, and what they show. They see nothing
// of perp but perp.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perp::scenes {

struct ExperimentOptions {
    std::string folder;     // for instances of chosen steps; empty: none are written
    int64_t bodies = 0;     // 0: that of the experiment
    int64_t steps = 0;      // same
    double rolling = -1.0;  // m: rolling and spinning length; negative: that of the experiment
    std::string model;   // "cone", "coulomb", "polygon", "box", "bristle"; empty: the experiment's
    std::string solver;  // of experiments with bodies; empty: the one that fits the model
    double tolerance = 0.0;  // on eta, of these; 0: that of the experiment
    std::uint64_t seed = 1;
    std::function<void(int64_t step, int64_t steps)> progress;  // may be empty
};

// A number under a name that stays: lower case, words with underscores, the unit last
// ("stop_time_s").
struct Figure {
    std::string name;
    double value = 0.0;
};

struct Table {
    std::string file;  // without folder and ending
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
    // Names of the rows; empty, or one for each: then the first column is that of the names, and
    // rows have a number less.
    std::vector<std::string> labels = {};
};

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;  // x ascending
};

struct Plot {
    std::string file;  // without folder and ending
    std::string title;
    std::vector<std::string> caption;
    std::string x_label, y_label;  // with the unit
    std::vector<Curve> curves;
};

// Bodies seen from the side, m; a circle has one point, and polygons three at least.
struct Shape {
    std::vector<std::pair<double, double>> points;
    double radius = 0.0;  // of a circle
    int colour = 0;       // of a palette
};

struct Drawing {
    std::string file;  // without folder and ending
    std::string title;
    std::vector<Shape> shapes;
};

struct Record {
    std::vector<Figure> figures;
    std::vector<std::string> remarks;  // what the numbers do not say
    std::vector<Table> tables;
    std::vector<Plot> plots;
    std::vector<Drawing> drawings;

    void add(std::string name, double value) { figures.push_back({std::move(name), value}); }
};

struct Experiment {
    const char* name;
    const char* about;  // a line
    Record (*run)(const ExperimentOptions&);
};

// All of them, in the order of their names in the help.
const std::vector<Experiment>& experiments();

}  // namespace perp::scenes
