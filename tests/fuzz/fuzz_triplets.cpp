// Triplets and vectors of any kind into every kind of problem, then everything that reads one.
#include <cstddef>
#include <cstdint>

#include "make.hpp"

using namespace perp_fuzz;

namespace {

void update_system(Input& in, perp_system* system) {
    const std::vector<double> values = in.reals(in.below(24));
    check_status(perp_system_update(system, static_cast<std::int32_t>(in.below(7)),
                                    static_cast<std::int64_t>(values.size()), values.data()));
}

void change_matrix_form(Input& in, perp_problem* problem) {
    perp_problem_info info{};
    info.struct_size = sizeof info;
    perp_problem_get_info(problem, &info);
    if (in.flag()) {
        // q of a Delassus form has the rows of W: as long as z is long enough for both.
        const std::vector<double> q = in.reals(info.rows), lo = in.reals(info.rows),
                                  hi = in.reals(info.rows);
        check_status(perp_problem_set_vectors(problem, in.flag() ? q.data() : nullptr,
                                              in.flag() ? lo.data() : nullptr,
                                              in.flag() ? hi.data() : nullptr));
    }
    if (in.flag()) {
        const std::vector<double> values = in.reals(in.below(24));
        check_status(
            perp_problem_update(problem, static_cast<std::int64_t>(values.size()), values.data()));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input in(data, size);
    const std::int64_t kind = in.below(4);
    Sizes sizes;
    perp_system* system = nullptr;
    perp_problem* problem = nullptr;
    if (kind < 2) {
        system = make_system(in, sizes);
        if (system != nullptr) {
            if (in.flag()) update_system(in, system);
            problem = make_assembled(in, system, sizes, kind == 0 ? PERP_LAW_CONE : PERP_LAW_BOX);
        }
    } else {
        problem = kind == 2 ? make_blcp(in) : make_delassus(in);
    }
    if (problem != nullptr) {
        read_all(in, problem);
        solve_all(in, problem);
        if (kind < 2) {
            set_rows(in, problem, in.flag() ? system : nullptr, sizes);
        } else {
            change_matrix_form(in, problem);
        }
        read_all(in, problem);
        solve_all(in, problem);
    }
    perp_system_destroy(system);
    perp_problem_destroy(problem);
    return 0;
}
