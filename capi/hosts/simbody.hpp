// perp in Simbody (3.7): an impulse solver for SemiExplicitEulerTimeStepper.
//
//   SimTK::SemiExplicitEulerTimeStepper stepper(system);
//   auto* solver = new perp::hosts::SimbodyImpulseSolver(transition_speed);
//   stepper.setImpulseSolver(solver);  // takes ownership
//   stepper.initialize(state);
//
// Law: Simbody's own, with its signs: [A + D] (piExpand + pi) = verrStart + verrApplied where a row
// holds; verr is what is left. Multipliers oppose the impulses they stand for: contacts have
// sign pi <= 0 and sign verr >= 0.
//  - Friction of contacts is Coulomb's in a disc, |pi_xy| <= mu |pi_z + piExpand_z|, against the
//    sliding at the end of the step (PLUS: of its start). perp's solvers iterate until limits and
//    directions are those of the answer; contacts, joints and bounds are one problem: see
//    impulse_problem.hpp. PGS gives other directions where a contact's friction rows have different
//    diagonals.
//  - Known contacts have the normal impulse piExpand_z, state-limited friction has mu knownN: discs
//    of given radius in the same problem.
//  - Constraint-limited friction: discs of radius mu |pi_N|, pi_N of the solve before, with smaller
//    changes where that swings, until no radius is off by more than 1e-6 of the largest; 100 solves
//    at most.
//  - Bounded rows: lb <= pi <= ub. Ratchets: sign pi >= 0, as UniSpeedRT says.
// Units: those of the model, SI or not; impulses and velocities of rows.
//
// False: no usable answer. Then pi = 0, verrStart is that of pi = 0, contacts are off, and
// failure() tells why: rows that contradict each other, friction in three components, a matrix that
// is not positive semidefinite, a participating row that no constraint has. Never true with an
// impulse that is not finite. The stepper of 3.7 does not look at it: ask refusals(). It does not
// hand over unconditional constraints either, whichever solver it has; solve() takes them.
#ifndef PERP_HOSTS_SIMBODY_HPP
#define PERP_HOSTS_SIMBODY_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Simbody.h>

#include "answer.hpp"
#include "impulse_problem.hpp"
#include "simbody_step.hpp"

namespace perp {
namespace hosts {

// Settings for Simbody's steps: the method that fits. tolerance and max_iterations are those of the
// ImpulseSolver (setConvergenceTol: on eta, > 0; setMaxIterations).
inline Settings simbody_settings() {
    Settings s;
    s.tolerance = 1e-8;
    return s;
}

class SimbodyImpulseSolver : public SimTK::ImpulseSolver {
    using Mults = simbody::Mults;
    using Matrix = SimTK::Matrix;
    using Vector = SimTK::Vector;
    using Step = simbody::Step;
    using Constraints = simbody::Constraints;

public:
    // roll2slipTransitionSpeed: a contact at its limit is Sliding if it slid faster than that at
    // the start, else Impending. acceptable_eta: answers that are not solved to the tolerance but
    // as good as this are taken.
    explicit SimbodyImpulseSolver(SimTK::Real roll2slipTransitionSpeed,
                                  const Settings& settings = simbody_settings(),
                                  double acceptable_eta = 1e-4)
        : ImpulseSolver(roll2slipTransitionSpeed, settings.tolerance,
                        static_cast<int>(settings.max_iterations)),
          settings_(settings),
          acceptable_eta_(acceptable_eta) {}

    bool solve(int phase, const Mults& participating, const Matrix& A, const Vector& D,
               const Mults& expanding, Vector& piExpand, Vector& verrStart, Vector& verrApplied,
               Vector& pi, SimTK::Array_<UncondRT>& unconditional,
               SimTK::Array_<UniContactRT>& uniContact, SimTK::Array_<UniSpeedRT>& uniSpeed,
               SimTK::Array_<BoundedRT>& bounded,
               SimTK::Array_<ConstraintLtdFrictionRT>& consLtdFriction,
               SimTK::Array_<StateLtdFrictionRT>& stateLtdFriction) const override {
        const bool counted = 0 <= phase && phase < MaxNumPhases;
        if (counted) ++m_nSolves[phase];
        pi.resize(A.nrow());
        pi.setToZero();
        Step step{A, D, piExpand, {}, {}, {}, {}};
        Constraints of{unconditional, uniContact,      uniSpeed,
                       bounded,       consLtdFriction, stateLtdFriction};
        try {
            begin();
            check(A, D, verrStart);
            if (piExpand.size() != A.nrow() ||
                (verrApplied.size() != 0 && verrApplied.size() != A.nrow()))
                throw std::runtime_error("piExpand or verrApplied is of another size than A");
            step.start = verrStart;
            if (verrApplied.size() != 0) verrStart += verrApplied;
            apply(A, D, expanding, piExpand, verrStart);
            for (int i = 0; i < A.nrow(); ++i)
                if (!std::isfinite(verrStart[i])) throw std::runtime_error("verr is not finite");
            step.free = verrStart;
            step.participate(participating);
            solve_rows(step, of, pi);
            apply(A, D, participating, pi, verrStart);
            const double noise = m_convergenceTol * (A.nrow() > 0 ? step.free.normInf() : 0.0);
            simbody::report({step, pi, verrStart, m_maxRollingTangVel, noise}, of);
            if (counted) m_nIters[phase] += info_.iterations;
            return true;
        } catch (const std::exception& error) {
            refuse(error, pi);
            simbody::report_off(of);
            if (counted) ++m_nFail[phase];
            return false;
        }
    }

    // Of the impulses that leave the least error, the smallest; both in the weights of the rows'
    // effective masses: sum of (error_i)^2 / a_i, sum of a_i pi_i^2, a the diagonal of A + D. Rows
    // with a_i = 0 have pi_i = 0. False: pi = 0, and failure() tells why.
    bool solveBilateral(const Mults& participating, const Matrix& A, const Vector& D,
                        const Vector& rhs, Vector& pi) const override {
        ++m_nBilateralSolves;
        pi.resize(A.nrow());
        pi.setToZero();
        try {
            begin();
            check(A, D, rhs);
            Step step{A, D, rhs, {}, {}, {}, {}};
            step.participate(participating);
            const PsdFactor factor(step.rows.size(), step.entry());
            std::vector<double> scaled(factor.size());
            for (std::size_t i = 0; i < scaled.size(); ++i) {
                const double b = rhs[step.rows[i]];
                if (!std::isfinite(b)) throw std::runtime_error("rhs is not finite");
                scaled[i] = factor.scale(i) > 0.0 ? b / factor.scale(i) : 0.0;
            }
            const std::vector<double> least = least_squares(
                factor, scaled, current_settings(), [this](Solver& solver, std::vector<double>& y) {
                    info_ = solver.solve(y);
                    require_usable();
                });
            for (std::size_t i = 0; i < least.size(); ++i)
                if (factor.scale(i) > 0.0) pi[step.rows[i]] = least[i] / factor.scale(i);
            require_finite(pi);
            m_nBilateralIters += info_.iterations;
            return true;
        } catch (const std::exception& error) {
            refuse(error, pi);
            ++m_nBilateralFail;
            return false;
        }
    }

    const perp_info& info() const noexcept { return info_; }  // of the last problem solved
    // Why the last solve or solveBilateral returned false; else empty.
    const std::string& failure() const noexcept { return failure_; }
    // How many of them did, since the solver was made.
    std::int64_t refusals() const noexcept { return refusals_; }
    // Problems of the last solve: more than 1 with constraint-limited friction.
    int rounds() const noexcept { return rounds_; }

private:
    void begin() const {
        failure_.clear();
        info_ = detail::sized<perp_info>();
        rounds_ = 0;
    }
    void refuse(const std::exception& error, Vector& pi) const {
        pi.setToZero();
        failure_ = error.what();
        ++refusals_;
    }
    static void check(const Matrix& A, const Vector& D, const Vector& v) {
        if (A.ncol() != A.nrow() || v.size() != A.nrow() || (D.size() != 0 && D.size() != A.nrow()))
            throw std::runtime_error("A, D and the velocities are of different sizes");
        for (int i = 0; i < D.size(); ++i)
            if (!(D[i] >= 0.0)) throw std::runtime_error("D has an entry that is not >= 0");
    }
    static void require_finite(const Vector& pi) {
        for (int i = 0; i < pi.size(); ++i)
            if (!std::isfinite(pi[i])) throw std::runtime_error("an impulse is not finite");
    }
    void require_usable() const {
        if (!is_usable(info_, acceptable_eta_))
            throw std::runtime_error(perp_outcome_text(info_.outcome));
    }
    // v -= [A + D] pi, pi zero but in `rows`.
    static void apply(const Matrix& A, const Vector& D, const Mults& rows, const Vector& pi,
                      Vector& v) {
        for (const SimTK::MultiplierIndex row : rows) {
            v -= pi[row] * A(row);
            if (D.size() != 0) v[row] -= D[row] * pi[row];
        }
    }
    Settings current_settings() const {
        Settings s = settings_;
        s.tolerance = m_convergenceTol;
        s.max_iterations = m_maxIters;
        return s;
    }

    static double need_mu(double mu) {
        if (!(mu >= 0.0) || !std::isfinite(mu))
            throw std::runtime_error("a coefficient of friction is not >= 0 and finite");
        return mu;
    }
    static void add_contact(Step& step, const UniContactRT& rt, ImpulseProblem& problem) {
        if (rt.m_type == Observing) return;
        if (rt.m_type == TypeNA) throw std::runtime_error("a contact has no type");
        if (std::abs(rt.m_sign) != 1.0) throw std::runtime_error("a contact's sign is not 1 or -1");
        if (!step.in_range(rt.m_Nk)) throw std::runtime_error("a contact has no normal multiplier");
        // Multipliers oppose impulses, which are p = -pi in ImpulseProblem.
        const double expand = -rt.m_sign * step.piExpand[rt.m_Nk];
        if (!(expand >= 0.0)) throw std::runtime_error("piExpand pulls at a contact");
        const bool known = rt.m_type == Known;
        const std::size_t normal = known ? 0 : step.claim(rt.m_Nk);
        const std::vector<std::size_t> friction = step.claim(rt.m_Fk);
        const double mu = friction.empty() ? 0.0 : need_mu(rt.m_effMu);
        if (known) {
            if (mu * expand > 0.0) problem.add_disc(friction, mu * expand);
        } else if (mu == 0.0) {
            problem.add_box(normal, rt.m_sign > 0 ? 0.0 : -ImpulseProblem::none,
                            rt.m_sign > 0 ? ImpulseProblem::none : 0.0);
        } else {
            if (friction.size() != 2)
                throw std::runtime_error("a contact has neither 0 nor 2 friction multipliers");
            problem.add_contact(normal, rt.m_sign, {friction[0], friction[1]}, mu, expand);
        }
    }

    static void add_rows(Step& step, const Constraints& of, ImpulseProblem& problem) {
        for (const UncondRT& rt : of.unconditional)
            for (const std::size_t row : step.claim(rt.m_mults)) problem.add_free(row);
        for (const UniContactRT& rt : of.contact) add_contact(step, rt, problem);
        for (const UniSpeedRT& rt : of.speed) {
            if (std::abs(rt.m_sign) != 1.0)
                throw std::runtime_error("a ratchet's sign is not 1 or -1");
            problem.add_box(step.claim(rt.m_ix), rt.m_sign > 0 ? -ImpulseProblem::none : 0.0,
                            rt.m_sign > 0 ? 0.0 : ImpulseProblem::none);
        }
        for (const BoundedRT& rt : of.bounded) {
            if (!(rt.m_lb <= rt.m_ub)) throw std::runtime_error("bounds are crossed or not given");
            problem.add_box(step.claim(rt.m_ix), -rt.m_ub, -rt.m_lb);
        }
        for (const StateLtdFrictionRT& rt : of.by_state) {
            if (!(rt.m_knownN >= 0.0) || !std::isfinite(rt.m_knownN))
                throw std::runtime_error("a known normal force is not >= 0 and finite");
            problem.add_disc(step.claim(rt.m_Fk), need_mu(rt.m_effMu) * rt.m_knownN);
        }
    }

    void solve_rows(Step& step, const Constraints& of, Vector& pi) const {
        std::vector<double> v0;
        for (const SimTK::MultiplierIndex row : step.rows) v0.push_back(step.free[row]);
        ImpulseProblem problem(PsdFactor(step.rows.size(), step.entry()), std::move(v0));
        add_rows(step, of, problem);
        std::vector<ImpulseProblem::Disc> discs;
        for (const ConstraintLtdFrictionRT& rt : of.by_constraint) {
            need_mu(rt.m_effMu);
            discs.push_back(problem.add_disc(step.claim(rt.m_Fk), 0.0));
        }
        step.require_all_claimed();
        if (problem.empty()) return;
        std::vector<Limit> limits(discs.size());
        for (rounds_ = 1;; ++rounds_) {
            info_ = problem.solve(current_settings());
            require_usable();
            for (std::size_t i = 0; i < step.rows.size(); ++i) pi[step.rows[i]] = -problem.p()[i];
            require_finite(pi);
            double off = 0.0, largest = 0.0;
            for (std::size_t k = 0; k < discs.size(); ++k) {
                const auto& rt = of.by_constraint[static_cast<unsigned>(k)];
                const double wanted = simbody::radius(step, rt, pi);
                largest = std::max({largest, wanted, limits[k].radius});
                off = std::max(off, limits[k].follow(wanted, simbody::length(pi, rt.m_Fk)));
                problem.set_radius(discs[k], limits[k].radius);
            }
            if (off <= settled * largest) return;
            if (rounds_ == 100)
                throw std::runtime_error("constraint-limited friction did not settle");
        }
    }
    // The radius of constraint-limited friction from round to round.
    struct Limit {
        double radius = 0.0, share = 1.0, last = 0.0;

        // How far the radius was off: not at all where friction stays within the old and the new.
        double follow(double wanted, double friction) {
            const double change = wanted - radius;
            const bool within = friction < (1.0 - settled) * radius && friction <= wanted;
            if (change * last < 0.0) share *= 0.5;  // it swings
            last = change;
            radius += share * change;
            return within ? 0.0 : std::abs(change);
        }
    };
    static constexpr double settled = 1e-6;

    Settings settings_;
    double acceptable_eta_;
    // Of the last call: solve is const in Simbody, yet one solver serves one thread at a time.
    mutable perp_info info_ = detail::sized<perp_info>();
    mutable std::string failure_;
    mutable std::int64_t refusals_ = 0;
    mutable int rounds_ = 0;
};

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_SIMBODY_HPP
