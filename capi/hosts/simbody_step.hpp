// Rows and conditions of Simbody's impulse solvers, for simbody.hpp: which multiplier is in which
// constraint, and what the solvers report of each.
#ifndef PERP_HOSTS_SIMBODY_STEP_HPP
#define PERP_HOSTS_SIMBODY_STEP_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Simbody.h>

namespace perp {
namespace hosts {
namespace simbody {

using Mults = SimTK::Array_<SimTK::MultiplierIndex>;
using SimTK::Matrix;
using SimTK::Vector;
using Host = SimTK::ImpulseSolver;
using UncondRT = Host::UncondRT;
using UniContactRT = Host::UniContactRT;
using UniSpeedRT = Host::UniSpeedRT;
using BoundedRT = Host::BoundedRT;
using ConstraintLtdFrictionRT = Host::ConstraintLtdFrictionRT;
using StateLtdFrictionRT = Host::StateLtdFrictionRT;

struct Constraints {
    SimTK::Array_<UncondRT>& unconditional;
    SimTK::Array_<UniContactRT>& contact;
    SimTK::Array_<UniSpeedRT>& speed;
    SimTK::Array_<BoundedRT>& bounded;
    SimTK::Array_<ConstraintLtdFrictionRT>& by_constraint;
    SimTK::Array_<StateLtdFrictionRT>& by_state;
};

// The participating rows of A + D, numbered from 0 in `rows`, and what they start from.
struct Step {
    const Matrix& A;
    const Vector& D;
    const Vector& piExpand;
    Vector start, free;  // velocities: given, and without unknown impulses
    std::vector<SimTK::MultiplierIndex> rows;
    std::vector<int> place;  // of a multiplier in rows; -1: does not participate, -2: claimed

    void participate(const Mults& participating) {
        place.assign(static_cast<std::size_t>(A.nrow()), -1);
        for (const SimTK::MultiplierIndex row : participating) {
            if (!in_range(row))
                throw std::runtime_error("a participating multiplier is out of range");
            if (place[at(row)] != -1) throw std::runtime_error(name(row) + " participates twice");
            place[at(row)] = static_cast<int>(rows.size());
            rows.push_back(row);
        }
    }
    std::size_t claim(SimTK::MultiplierIndex row) {
        if (!in_range(row) || place[at(row)] == -1)
            throw std::runtime_error("a constraint has a multiplier that does not participate");
        if (place[at(row)] == -2) throw std::runtime_error(name(row) + " is in two constraints");
        return static_cast<std::size_t>(std::exchange(place[at(row)], -2));
    }
    std::vector<std::size_t> claim(const Mults& wanted) {
        std::vector<std::size_t> taken;
        for (const SimTK::MultiplierIndex row : wanted) taken.push_back(claim(row));
        return taken;
    }
    void require_all_claimed() const {
        for (const SimTK::MultiplierIndex row : rows)
            if (place[at(row)] != -2)
                throw std::runtime_error(name(row) + " participates, but in no constraint");
    }
    std::function<double(std::size_t, std::size_t)> entry() const {
        return [this](std::size_t i, std::size_t j) {
            return A(rows[i], rows[j]) + (i == j && D.size() != 0 ? D[rows[i]] : 0.0);
        };
    }
    bool in_range(SimTK::MultiplierIndex row) const { return row.isValid() && row < A.nrow(); }
    double diagonal(SimTK::MultiplierIndex row) const {
        return A(row, row) + (D.size() != 0 ? D[row] : 0.0);
    }
    static std::size_t at(SimTK::MultiplierIndex row) { return static_cast<std::size_t>(row); }
    static std::string name(SimTK::MultiplierIndex row) {
        return "multiplier " + std::to_string(static_cast<int>(row));
    }
};

template <class Values>
inline double length(const Values& of, const Mults& rows) {
    double squares = 0.0;
    for (const SimTK::MultiplierIndex row : rows) squares += of[row] * of[row];
    return std::sqrt(squares);
}
inline double radius(const Step& step, const ConstraintLtdFrictionRT& rt, const Vector& pi) {
    const Vector total = pi + step.piExpand;
    for (const SimTK::MultiplierIndex row : rt.m_Nk)
        if (!step.in_range(row))
            throw std::runtime_error("a normal component of friction is out of range");
    return rt.m_effMu * length(total, rt.m_Nk);
}

// Conditions, by where a sweep of PGS would go from here: pi + v / a.
struct Report {
    const Step& step;
    const Vector& pi;
    const Vector& v;
    double slow, noise;  // largest speed without sliding, of the start; of velocities

    double next(SimTK::MultiplierIndex row) const {
        const double a = step.diagonal(row);
        return a > 0.0 ? pi[row] + v[row] / a : pi[row];
    }
    // Is row beyond its bound?
    bool beyond(SimTK::MultiplierIndex row, double bound, double sign) const {
        return sign * (next(row) - bound) * step.diagonal(row) > noise;
    }
    Host::FricCond friction(const Mults& rows, double limit) const {
        double squares = 0.0, a = 0.0;
        for (const SimTK::MultiplierIndex row : rows) {
            squares += next(row) * next(row);
            a = std::max(a, step.diagonal(row));
        }
        if ((std::sqrt(squares) - limit) * a <= noise) return Host::Rolling;
        return length(step.start, rows) > slow ? Host::Sliding : Host::Impending;
    }
};

// m_impulse: friction x, y and normal, expansion included; 0 where a row does not participate.
// m_slipVel: at the start.
inline void report_contacts(const Report& now, const Constraints& of) {
    for (UniContactRT& rt : of.contact) {
        const bool on = rt.m_type != Host::Observing;
        rt.m_contactCond = rt.m_type == Host::Known                     ? Host::UniKnown
                           : !on || now.beyond(rt.m_Nk, 0.0, rt.m_sign) ? Host::UniOff
                                                                        : Host::UniActive;
        rt.m_frictionCond = Host::FricOff;
        rt.m_slipVel = SimTK::Vec2(SimTK::NaN);
        rt.m_slipMag = SimTK::NaN;
        const double normal = on ? now.pi[rt.m_Nk] + now.step.piExpand[rt.m_Nk] : 0.0;
        rt.m_impulse = SimTK::Vec3(0.0, 0.0, normal);
        if (!on || rt.m_Fk.size() != 2) continue;
        for (int i = 0; i < 2; ++i) {
            const SimTK::MultiplierIndex row = rt.m_Fk[static_cast<unsigned>(i)];
            rt.m_slipVel[i] = now.step.start[row];
            rt.m_impulse[i] = now.pi[row];
        }
        rt.m_slipMag = rt.m_slipVel.norm();
        if (rt.m_contactCond != Host::UniOff)
            rt.m_frictionCond = now.friction(rt.m_Fk, rt.m_effMu * std::abs(normal));
    }
}
inline void take(const Vector& pi, const Mults& rows, SimTK::Array_<SimTK::Real>& impulse) {
    impulse.clear();
    for (const SimTK::MultiplierIndex row : rows) impulse.push_back(pi[row]);
}
inline void report(const Report& now, const Constraints& of) {
    const Vector& pi = now.pi;
    report_contacts(now, of);
    for (UncondRT& rt : of.unconditional) take(pi, rt.m_mults, rt.m_impulse);
    for (UniSpeedRT& rt : of.speed) {
        rt.m_speedCond = now.beyond(rt.m_ix, 0.0, -rt.m_sign) ? Host::UniOff : Host::UniActive;
        rt.m_impulse = SimTK::Vec3(pi[rt.m_ix], 0.0, 0.0);
    }
    for (BoundedRT& rt : of.bounded) {
        rt.m_boundedCond = now.beyond(rt.m_ix, rt.m_ub, 1.0)    ? Host::SlipHigh
                           : now.beyond(rt.m_ix, rt.m_lb, -1.0) ? Host::SlipLow
                                                                : Host::Engaged;
        rt.m_impulse = pi[rt.m_ix];
    }
    for (StateLtdFrictionRT& rt : of.by_state) {
        rt.m_frictionCond = now.friction(rt.m_Fk, rt.m_effMu * rt.m_knownN);
        take(pi, rt.m_Fk, rt.m_Fimpulse);
    }
    for (ConstraintLtdFrictionRT& rt : of.by_constraint) {
        rt.m_frictionCond = now.friction(rt.m_Fk, radius(now.step, rt, pi));
        take(pi, rt.m_Fk, rt.m_Fimpulse);
    }
}
inline void report_off(const Constraints& of) {
    for (UniContactRT& rt : of.contact) {
        rt.m_contactCond = Host::UniOff;
        rt.m_frictionCond = Host::FricOff;
    }
    for (UniSpeedRT& rt : of.speed) rt.m_speedCond = Host::UniOff;
    for (BoundedRT& rt : of.bounded) rt.m_boundedCond = Host::BndNA;
    for (StateLtdFrictionRT& rt : of.by_state) rt.m_frictionCond = Host::FricOff;
    for (ConstraintLtdFrictionRT& rt : of.by_constraint) rt.m_frictionCond = Host::FricOff;
}

}  // namespace simbody
}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_SIMBODY_STEP_HPP
