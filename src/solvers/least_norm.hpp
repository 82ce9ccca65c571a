// The impulses of least energy norm among all solutions: of redundant contacts and joints only the
// sums count, J'z, and what each of them takes is not determined by the laws of contact. Here it
// is: the shortest z of the face of solutions (SolutionFace),
//
//   min  1/2 |y|^2,  y in K',  J'y = J'y*,
//
// by Newton's method on its dual, whose variables are velocities v:
//
//   min  1/2 |P(J v)|^2 - v'J'y* + epsilon / 2 |v - v_k|^2,   y = P(J v),
//
// proximal, v_k the minimum before, since v is not unique where rows are redundant. The part of
// epsilon in J'y goes to 0 with the change of v: nothing is perturbed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problem/residual.hpp"
#include "solvers/cone_kkt.hpp"
#include "solvers/cone_projection.hpp"
#include "solvers/solution_face.hpp"
#include "solvers/solver.hpp"

namespace perp {

class LeastNorm {
public:
    // How much closer than the tolerance the solution has to be that it starts from: its velocity
    // tells the face.
    static constexpr double share_of_tolerance = 0.01;

    // The problem's matrix is symmetric, no bounds are tied.
    explicit LeastNorm(const Problem& problem);
    // The problem has changed; an ordering is kept where the pattern allows.
    void renew();
    static std::string unsupported_reason(const Problem& problem);

    // z (the caller's units): a solution, made the shortest one. False, and z stays, where no
    // shorter one has an eta below the tolerance. Adds to the counts of info.
    bool run(std::span<double> z, double tolerance, Info& info);

private:
    void shift_normals(std::span<double> u) const;
    void make_workspace();
    void renew_kkt();
    void set_epsilon(double epsilon);
    void shorten(std::span<const double> z, double accuracy, Info& info);
    bool minimize(Info& info);
    bool factor(Info& info);
    void find_step();
    double slope_along(double step);
    void residual_of_motion();

    const Problem* problem_;
    double epsilon_ = 0.0;
    SolutionFace face_;
    ResidualWorkspace residual_;
    std::unique_ptr<ConeProjection> projection_;
    std::unique_ptr<ConeKkt> kkt_;
    std::vector<double> z_, w_, candidate_;       // scaled, scaled; the caller's units
    std::vector<double> a_, y_, da_, dy_, zero_;  // rows
    std::vector<double> v_, centre_, dv_, f_;     // velocities
};

}  // namespace perp
