// Commands of perp.System, and those of no object.
#include "mex_commands.hpp"

namespace perp_mex {

namespace {

void version(const Call& call) { call.output[0] = new_scalar(static_cast<double>(perp_version())); }

void build_info(const Call& call) { call.output[0] = new_text(perp_build_info()); }

void held_count(const Call& call) {
    call.output[0] = new_scalar(static_cast<double>(count_held()));
}

// object
void destroy(const Call& call) { release(call.argument(0, "object")); }

std::int64_t mass_storage(const Argument& argument) {
    const std::string name = text(argument);
    if (name == "full") return PERP_MASS_FULL;
    if (name == "lower") return PERP_MASS_LOWER;
    if (name == "upper") return PERP_MASS_UPPER;
    refuse("perp:badValue",
           std::string(argument.name) + " = \"" + name + "\" is not one of full, lower, upper");
}

// M, A, N, D, S, B, mass_storage, symmetry_tolerance, keep (true: the system will be updated)
void create(const Call& call) {
    const Matrix matrices[6] = {Matrix(call.argument(0, "M")), Matrix(call.argument(1, "A")),
                                Matrix(call.argument(2, "N")), Matrix(call.argument(3, "D")),
                                Matrix(call.argument(4, "S")), Matrix(call.argument(5, "B"))};
    perp_system_def def{};
    require(perp_system_def_init(&def, sizeof def));
    const perp_triplets** const fields[6] = {&def.M, &def.A, &def.N, &def.D, &def.S, &def.B};
    std::vector<Places> places;
    for (int k = 0; k < 6; ++k) {
        const perp_triplets& t = matrices[k].triplets();
        // M says how many velocities there are, even if none; others may be absent.
        if (k == PERP_MATRIX_M || t.rows > 0 || t.cols > 0) *fields[k] = &t;
        places.push_back(matrices[k].places());
    }
    def.mass_storage = mass_storage(call.argument(6, "mass_storage"));
    if (given(call.argument(7, "symmetry_tolerance")))
        def.symmetry_tolerance = scalar(call.argument(7, "symmetry_tolerance"));
    const bool keep = scalar(call.argument(8, "keep")) != 0.0;

    auto held = std::make_unique<HeldSystem>();
    perp_system* system = nullptr;
    require(perp_system_create(&def, &system), places);
    held->system.reset(system);
    held->sizes = {matrices[0].triplets().rows, matrices[1].triplets().rows,
                   matrices[2].triplets().rows, matrices[3].triplets().rows,
                   matrices[4].triplets().rows, matrices[5].triplets().rows};
    for (int k = 0; keep && k < 6; ++k) held->patterns[k] = Pattern(matrices[k]);
    call.output[0] = hold(std::move(held));
}

// system, name of the matrix, matrix
void update(const Call& call) {
    HeldSystem& held = find<HeldSystem>(call.argument(0, "system"));
    const std::string name = text(call.argument(1, "matrix"));
    static const char* const names[6] = {"M", "A", "N", "D", "S", "B"};
    for (int k = 0; k < 6; ++k) {
        if (name != names[k]) continue;
        const Matrix matrix(call.argument(2, names[k]));
        std::vector<double> own;
        const double* const values = held.patterns[k].values(matrix, own);
        require(perp_system_update(held.system.get(), k, held.patterns[k].count(), values),
                {held.patterns[k].places(name)});
        return;
    }
    refuse("perp:badValue", "matrix = \"" + name + "\" is not one of M, A, N, D, S, B");
}

// system
void sizes(const Call& call) {
    const Sizes& s = find<HeldSystem>(call.argument(0, "system")).sizes;
    call.output[0] = new_struct({{"velocities", new_scalar(static_cast<double>(s.velocities))},
                                 {"bilateral", new_scalar(static_cast<double>(s.bilateral))},
                                 {"contacts", new_scalar(static_cast<double>(s.contacts))},
                                 {"sliding", new_scalar(static_cast<double>(s.sliding))},
                                 {"angular", new_scalar(static_cast<double>(s.angular))},
                                 {"boxes", new_scalar(static_cast<double>(s.boxes))},
                                 {"rows", new_scalar(static_cast<double>(rows_of(s)))}});
}

}  // namespace

const std::vector<Command>& system_commands() {
    static const std::vector<Command> commands = {
        {"version", 0, 1, version},       {"build_info", 0, 1, build_info},
        {"held_count", 0, 1, held_count}, {"destroy", 1, 0, destroy},
        {"system_create", 9, 1, create},  {"system_update", 3, 0, update},
        {"system_sizes", 1, 1, sizes},
    };
    return commands;
}

}  // namespace perp_mex
