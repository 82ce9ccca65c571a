#include "problem/system.hpp"

#include "handles.hpp"

using namespace perp;
using namespace perp::capi;

int32_t perp_system_def_init(perp_system_def* def, int64_t struct_size) {
    return guarded([&] {
        perp_system_def defaults{};
        defaults.symmetry_tolerance = SystemTriplets{}.symmetry_tolerance;
        init_struct(defaults, def, struct_size, "def");
    });
}

int32_t perp_system_create(const perp_system_def* def, perp_system** out) {
    return guarded([&] {
        required(out, "out");
        perp_system_def defaults{};
        defaults.symmetry_tolerance = SystemTriplets{}.symmetry_tolerance;
        const perp_system_def given = read_struct(def, defaults, "def");
        if (given.mass_storage < PERP_MASS_FULL || given.mass_storage > PERP_MASS_UPPER)
            fail(Status::bad_value,
                 "mass_storage = %lld is not one of PERP_MASS_FULL, _LOWER, _UPPER",
                 static_cast<long long>(given.mass_storage));
        SystemTriplets parts{triplets(given.M),
                             triplets(given.A),
                             triplets(given.N),
                             triplets(given.D),
                             triplets(given.S),
                             triplets(given.B),
                             static_cast<MassStorage>(given.mass_storage),
                             given.symmetry_tolerance};
        auto handle = std::make_unique<perp_system>();
        handle->system = std::make_shared<System>(parts);
        *out = handle.release();
    });
}

int32_t perp_system_update(perp_system* system, int32_t matrix, int64_t count,
                           const double* values) {
    return guarded([&] {
        required(system, "system");
        if (matrix < PERP_MATRIX_M || matrix > PERP_MATRIX_B)
            fail(Status::bad_value, "matrix = %d is not one of PERP_MATRIX_M to PERP_MATRIX_B",
                 matrix);
        if (count < 0)
            fail(Status::bad_size, "count = %lld is negative", static_cast<long long>(count));
        if (count > 0) required(values, "values");
        // A copy is changed and put in place: problems share the old one, also in other threads.
        auto changed = std::make_shared<System>(*system->system);
        changed->update(static_cast<SystemMatrix>(matrix),
                        {values, static_cast<std::size_t>(count)});
        system->system = std::move(changed);
    });
}

void perp_system_destroy(perp_system* system) { delete system; }
