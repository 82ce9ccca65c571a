// perp make: write the scenes of bench/scenes as instance files.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "../scenes/scene.hpp"
#include "commands.hpp"
#include "problem_file.hpp"
#include "progress.hpp"

namespace perp::tool {
namespace {

struct MakeOptions {
    std::string out, law = "cone", title;
    std::uint64_t seed = 1;
    std::string recipe;  // the options that made the scene, kept in the file as its source
};

int write_scene(scenes::Scene scene, const MakeOptions& options) {
    const int32_t law = law_of(options.law);
    if (law == PERP_LAW_BOX) scenes::set_box_bounds(scene);
    const ProblemHandle problem = scenes::make_problem(scene, law);
    const std::string& title = options.title.empty() ? scene.title : options.title;
    const std::string source = "perp make " + options.recipe + " (perp " + version_text() + ")";
    require(perp_problem_write(problem.get(), options.out.c_str(), PERP_LAYOUT_PERP, title.c_str(),
                               source.c_str()),
            options.out);
    std::cout << options.out << ": " << title << ", " << options.law << " law\n  " << scene.rows()
              << " rows: " << scene.A.rows << " bilateral, " << scene.contacts()
              << " contacts with "
              << (scene.contacts() > 0 ? 1 + (scene.D.rows + scene.S.rows) / scene.contacts() : 0)
              << " each; " << scene.n << " velocities; time step " << scene.h << " s\n";
    return exit_ok;
}

void add_common(CLI::App& command, MakeOptions& options) {
    command
        .add_option("--out", options.out,
                    "File to write (HDF5, perp's layout); replaced if it exists")
        ->required();
    command
        .add_option("--law", options.law,
                    "cone: Coulomb cones. box: bounds -mu z_N and +mu z_N of the friction\n"
                    "impulses, with z_N from solving the scene under the cone law by APGD\n"
                    "to eta 1e-4; not with rolling friction")
        ->check(CLI::IsMember({"cone", "box"}))
        ->capture_default_str();
    command.add_option("--title", options.title,
                       "Title stored in the file (default: what the scene is)");
}

void add_seed(CLI::App& command, MakeOptions& options) {
    command
        .add_option("--seed", options.seed,
                    "Seed of the random numbers; the same seed, the same problem")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

template <class... Parts>
std::string joined(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

void add_chain(CLI::App& make, Action& action) {
    struct Options : MakeOptions {
        int64_t links = 100;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = make.add_subcommand(
        "chain", "Links of 1 kg and 1 m, ball joints between them, on the ground");
    command
        ->add_option("--links", options->links,
                     "Number of links: 3 (links - 1) joint rows, 2 links contacts")
        ->check(CLI::Range(int64_t{1}, int64_t{1000000}))
        ->capture_default_str();
    add_common(*command, *options);
    add_seed(*command, *options);
    command->callback([options, &action] {
        action = [options] {
            options->recipe = joined("chain --links ", options->links, " --seed ", options->seed);
            return write_scene(scenes::chain(options->links, options->seed), *options);
        };
    });
}

void add_wall(CLI::App& make, Action& action) {
    struct Options : MakeOptions {
        int64_t width = 10, height = 10;
        double heavy_top = 1.0;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        make.add_subcommand("wall", "Bricks in running bond, the middle one pushed out at 2 m/s");
    command->add_option("--width", options->width, "Bricks in a course")
        ->check(CLI::Range(int64_t{1}, int64_t{10000}))
        ->capture_default_str();
    command->add_option("--height", options->height, "Courses")
        ->check(CLI::Range(int64_t{1}, int64_t{10000}))
        ->capture_default_str();
    command
        ->add_option("--heavy-top", options->heavy_top,
                     "Mass of the top course's bricks over that of the others")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_common(*command, *options);
    command->callback([options, &action] {
        action = [options] {
            options->recipe = joined("wall --width ", options->width, " --height ", options->height,
                                     " --heavy-top ", options->heavy_top);
            return write_scene(scenes::wall(options->width, options->height, options->heavy_top),
                               *options);
        };
    });
}

scenes::Scene settle(scenes::PileOptions pile) {
    ProgressLine line(ProgressLine::Mode::automatic);
    pile.progress = [&line](int64_t step, int64_t steps) {
        if (line.due())
            line.draw("settling, step " + std::to_string(step) + " of " + std::to_string(steps));
    };
    return scenes::pile(pile);
}

void add_pile(CLI::App& make, Action& action) {
    struct Options : MakeOptions {
        scenes::PileOptions pile;
    };
    auto options = std::make_shared<Options>();
    scenes::PileOptions& pile = options->pile;
    CLI::App* command =
        make.add_subcommand("pile", "Spheres of 0.04 to 0.06 m radius, settled in a box");
    command->add_option("--spheres", pile.spheres, "Number of spheres; about 2.5 contacts each")
        ->check(CLI::Range(int64_t{1}, int64_t{1000000}))
        ->capture_default_str();
    command
        ->add_option("--rolling", pile.rolling,
                     "Rolling and spinning friction lengths over the (mean) radius;\n"
                     "0 (default): none; without a value: 0.05")
        ->expected(0, 1)
        ->default_str("0.05")
        ->option_text("[FLOAT]")
        ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--mass-ratio", pile.mass_ratio,
                     "Factor on the mass of every 7th sphere, after settling")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--steps", pile.steps, "Time steps of 5 ms to settle in")
        ->check(CLI::Range(int64_t{0}, int64_t{100000}))
        ->capture_default_str();
    add_common(*command, *options);
    add_seed(*command, *options);
    command->callback([options, &action] {
        action = [options] {
            if (options->law == "box" && options->pile.rolling > 0.0) {
                throw std::invalid_argument(
                    "make pile: --law box knows no rolling friction, leave out --rolling");
            }
            options->pile.seed = options->seed;
            const scenes::PileOptions& p = options->pile;
            options->recipe =
                joined("pile --spheres ", p.spheres, " --rolling ", p.rolling, " --mass-ratio ",
                       p.mass_ratio, " --steps ", p.steps, " --seed ", options->seed);
            return write_scene(settle(p), *options);
        };
    });
}

}  // namespace

void add_make(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("make", "Make a scene: chain, wall or pile");
    command->require_subcommand(1);
    add_chain(*command, action);
    add_wall(*command, action);
    add_pile(*command, action);
    command->footer(
        "Examples:\n"
        "  perp make chain --links 200 --out chain.h5\n"
        "  perp make wall --width 10 --height 10 --heavy-top 1e4 --out wall.h5\n"
        "  perp make pile --spheres 500 --rolling 0.05 --out pile.h5\n"
        "  perp make pile --spheres 500 --mass-ratio 1e4 --law box --out pile.h5\n"
        "perp make SCENE --help tells the options of a scene.");
}

}  // namespace perp::tool
