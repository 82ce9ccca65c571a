// perp in Bullet (3.24, float or double): two ways to plug it in.
//
//   perp::hosts::BulletMlcpSolver mlcp;            // btMLCPSolverInterface: the dense matrix that
//   btMLCPSolver solver(&mlcp);                    // btMLCPSolver forms, as any solver of its kind
//
//   perp::hosts::BulletSparseSolver solver;        // reads the constraint rows themselves: no
//                                                  // dense matrix, masses and Jacobians as they
//                                                  are
//   btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//   world.getSolverInfo().m_minimumSolverBatchSize = 1;
//
// Law: Bullet's own, friction row by row within mu times the contact's normal impulse. Bullet
// freezes that bound once; perp iterates until the impulses obey their own bounds. Where there is
// no answer, solveMLCP returns false, and Bullet counts a fallback and runs sequential impulses.
//
// Compile with the scalar of the Bullet that is linked: BT_USE_DOUBLE_PRECISION for the -float64
// libraries, without it for the others. The other one links, too, and then reads garbage.
#ifndef PERP_HOSTS_BULLET_HPP
#define PERP_HOSTS_BULLET_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "BulletDynamics/MLCPSolvers/btMLCPSolver.h"
#include "BulletDynamics/MLCPSolvers/btMLCPSolverInterface.h"

#include "boxed_lcp.hpp"
#include "recent.hpp"

namespace perp {
namespace hosts {

// From here on Bullet's bounds mean none: contacts have 1e10, joints the largest scalar.
constexpr double bullet_infinity = 1e10;

class BulletMlcpSolver : public btMLCPSolverInterface {
public:
    explicit BulletMlcpSolver(const Settings& settings = engine_settings(),
                              double regularization = rounding_of<btScalar>())
        : lcp_(regularization, settings) {}

    // numIterations, Bullet's limit of sweeps, has no meaning here: the settings have limits.
    bool solveMLCP(const btMatrixXu& A, const btVectorXu& b, btVectorXu& x, const btVectorXu& lo,
                   const btVectorXu& hi, const btAlignedObjectArray<int>& limitDependency,
                   int /*numIterations*/, bool /*useSparsity*/ = true) override {
        const int n = A.rows();
        rows_.resize(static_cast<std::size_t>(n));
        x_.resize(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            rows_[k] = {b[i], lo[i], hi[i], limitDependency[i]};
            x_[k] = x[i];
        }
        const auto entry = [&A](std::int64_t i, std::int64_t j) {
            return A(static_cast<int>(i), static_cast<int>(j));
        };
        if (!lcp_.solve(n, entry, rows_, x_, bullet_infinity)) return false;
        for (int i = 0; i < n; ++i) x[i] = static_cast<btScalar>(x_[static_cast<std::size_t>(i)]);
        return true;
    }

    const perp_info& info() const noexcept { return lcp_.info(); }
    const std::string& failure() const noexcept { return lcp_.failure(); }

private:
    BoxedLcp lcp_;
    std::vector<BoxedLcp::Row> rows_;
    std::vector<double> x_;
};

class BulletSparseSolver : public btMLCPSolver {
public:
    explicit BulletSparseSolver(const Settings& settings = engine_settings(),
                                double regularization = rounding_of<btScalar>(),
                                double acceptable_eta = 1e-4)
        : btMLCPSolver(nullptr),
          settings_(settings),
          regularization_(regularization),
          acceptable_eta_(acceptable_eta) {}

    const perp_info& info() const noexcept { return info_; }
    const std::string& failure() const noexcept { return failure_; }

protected:
    // In place of the dense matrix: the system of this island, and x where Bullet starts from.
    void createMLCPFast(const btContactSolverInfo& info) override {
        const int rows = m_allConstraintPtrArray.size();
        m_x.resize(rows);
        m_xSplit.resize(rows);
        const bool warm = (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0;
        for (int i = 0; i < rows; ++i) {
            const btSolverConstraint& c = *m_allConstraintPtrArray[i];
            m_x[i] = warm ? btScalar(c.m_appliedImpulse) : btScalar(0);
            m_xSplit[i] = warm ? btScalar(c.m_appliedPushImpulse) : btScalar(0);
        }
    }
    void createMLCP(const btContactSolverInfo& info) override { createMLCPFast(info); }

    bool solveMLCP(const btContactSolverInfo& info) override {
        if (m_allConstraintPtrArray.size() == 0) return true;
        try {
            failure_.clear();
            build(info);
            if (!solve(&btSolverConstraint::m_rhs, m_x)) return false;
            return !info.m_splitImpulse || solve(&btSolverConstraint::m_rhsPenetration, m_xSplit);
        } catch (const std::exception& error) {
            islands_.forget_latest();  // half made, or half changed
            failure_ = error.what();
            return false;
        }
    }

private:
    // System, problem and solver of bodies and rows that hang together. Where the next step has the
    // same, with other values, the solver keeps its analysis of the matrices.
    struct Island {
        Matrices pattern;
        std::optional<System> system;
        std::optional<Problem> problem;
        std::optional<Solver> solver;
        bool assembled = false;  // the problem has the system's values

        static bool same(const Triplets& a, const Triplets& b) {
            return a.rows() == b.rows() && a.cols() == b.cols() && a.row() == b.row() &&
                   a.col() == b.col();
        }
        bool fits(const Matrices& m) const {
            return system && same(pattern.M, m.M) && same(pattern.N, m.N) && same(pattern.D, m.D) &&
                   same(pattern.B, m.B);
        }
        void take(Matrices m) {
            pattern = std::move(m);
            system.emplace(pattern);
            assembled = false;
        }
    };

    // Where the velocities of a body are among those of the system; -1: locked.
    struct Body {
        std::array<std::int64_t, 6> column{-1, -1, -1, -1, -1, -1};
    };

    // Rows in the order of the system: normals, friction by contact, others; each Bullet's row.
    void sort_rows() {
        normal_.clear();
        friction_.clear();
        other_.clear();
        const int rows = m_allConstraintPtrArray.size();
        std::vector<std::int64_t> contact(static_cast<std::size_t>(rows), -1);
        std::vector<std::vector<int>> friction;
        for (int i = 0; i < rows; ++i)
            if (const int k = m_limitDependencies[i]; k >= 0 && contact[size(k)] < 0) {
                contact[size(k)] = static_cast<std::int64_t>(normal_.size());
                normal_.push_back(k);
            }
        friction.resize(normal_.size());
        for (int i = 0; i < rows; ++i) {
            if (const int k = m_limitDependencies[i]; k >= 0)
                friction[size(contact[size(k)])].push_back(i);
            else if (contact[size(i)] < 0)
                other_.push_back(i);
        }
        directions_ = friction.empty() ? 0 : friction.front().size();
        for (const std::vector<int>& of : friction) {
            if (of.size() != directions_)
                throw Error(PERP_UNSUPPORTED, "contacts have different numbers of friction rows");
            friction_.insert(friction_.end(), of.begin(), of.end());
        }
    }

    void build(const btContactSolverInfo& info) {
        sort_rows();
        Matrices m;
        const std::int64_t columns = number_velocities(m.M);
        const auto jacobian = [&](const std::vector<int>& rows) {
            Triplets t(static_cast<std::int64_t>(rows.size()), columns);
            for (std::size_t i = 0; i < rows.size(); ++i)
                add_row(static_cast<std::int64_t>(i), rows[i], t);
            return t;
        };
        m.N = jacobian(normal_);
        if (directions_ > 0) m.D = jacobian(friction_);
        if (!other_.empty()) m.B = jacobian(other_);
        island_ = &islands_.find([&m](const Island& made) { return made.fits(m); });
        island_->take(std::move(m));

        const double compliance = double(info.m_globalCfm) / double(info.m_timeStep);
        const auto compliances = [&](const std::vector<int>& rows) {
            std::vector<double> e;
            for (const int i : rows) e.push_back(compliance + regularization_ * diagonal(i));
            return e;
        };
        free_.assign(size(columns), 0.0);
        compliance_N_ = compliances(normal_);
        compliance_T_ = compliances(friction_);
        compliance_B_ = compliances(other_);
        mu_.clear();
        for (std::size_t i = 0; i < normal_.size(); ++i)
            mu_.push_back(directions_ > 0 ? double(row(friction_[directions_ * i]).m_upperLimit)
                                          : 0.0);
        lo_.clear();
        hi_.clear();
        constexpr double none = std::numeric_limits<double>::infinity();
        for (const int i : other_) {
            const double lo = row(i).m_lowerLimit, hi = row(i).m_upperLimit;
            lo_.push_back(lo <= -bullet_infinity ? -none : lo);
            hi_.push_back(hi >= bullet_infinity ? none : hi);
        }
    }

    // M of the bodies that move, with Bullet's own inverse masses; rows and columns of locked axes
    // (linear and angular factors of 0) are left out.
    std::int64_t number_velocities(Triplets& M) {
        bodies_.assign(size(m_tmpSolverBodyPool.size()), Body());
        std::int64_t next = 0;
        for (int b = 0; b < m_tmpSolverBodyPool.size(); ++b) {
            const btSolverBody& body = m_tmpSolverBodyPool[b];
            if (body.m_originalBody == nullptr) continue;
            Body& at = bodies_[size(b)];
            for (int axis = 0; axis < 3; ++axis)
                if (const double inverse = body.internalGetInvMass()[axis]; inverse > 0.0) {
                    entries_.push_back({next, next, 1.0 / inverse});
                    at.column[size(axis)] = next++;
                }
            next = add_inertia(body, at, next);
        }
        M = Triplets(next, next);
        for (const Entry& e : entries_) M.add(e.row, e.column, e.value);
        entries_.clear();
        return next;
    }

    // The inverse of the block of the inverse inertia that the free axes have.
    std::int64_t add_inertia(const btSolverBody& body, Body& at, std::int64_t next) {
        const btMatrix3x3& inverse = body.m_originalBody->getInvInertiaTensorWorld();
        std::array<int, 3> axis{};
        int free = 0;
        for (int j = 0; j < 3; ++j)
            if (inverse[j][j] > btScalar(0) && body.m_angularFactor[j] != btScalar(0))
                axis[size(free++)] = j;
        double a[3][6] = {};
        for (int i = 0; i < free; ++i) {
            for (int j = 0; j < free; ++j)
                a[i][j] = 0.5 * (double(inverse[axis[size(i)]][axis[size(j)]]) +
                                 double(inverse[axis[size(j)]][axis[size(i)]]));
            a[i][free + i] = 1.0;
        }
        for (int k = 0; k < free; ++k) {  // Gauss and Jordan; positive definite: no pivoting
            for (int j = 2 * free - 1; j >= k; --j) a[k][j] /= a[k][k];
            for (int i = 0; i < free; ++i)
                for (int j = 2 * free - 1; i != k && j >= k; --j) a[i][j] -= a[i][k] * a[k][j];
        }
        for (int i = 0; i < free; ++i) {
            for (int j = 0; j < free; ++j)
                entries_.push_back({next + i, next + j, 0.5 * (a[i][free + j] + a[j][free + i])});
            at.column[size(3 + axis[size(i)])] = next + i;
        }
        return next + free;
    }

    void add_row(std::int64_t at, int bullet_row, Triplets& t) const {
        const btSolverConstraint& c = row(bullet_row);
        const auto add = [&](int body, const btVector3& linear, const btVector3& angular) {
            const Body& columns = bodies_[size(body)];
            for (int j = 0; j < 3; ++j) {
                if (const std::int64_t k = columns.column[size(j)]; k >= 0) t.add(at, k, linear[j]);
                if (const std::int64_t k = columns.column[size(3 + j)]; k >= 0)
                    t.add(at, k, angular[j]);
            }
        };
        add(c.m_solverBodyIdA, c.m_contactNormal1, c.m_relpos1CrossNormal);
        add(c.m_solverBodyIdB, c.m_contactNormal2, c.m_relpos2CrossNormal);
    }

    double diagonal(int bullet_row) const {
        const btScalar inverse = row(bullet_row).m_jacDiagABInv;
        return inverse > SIMD_EPSILON ? 1.0 / double(inverse) : 0.0;
    }

    // What Bullet asks of a row, b of A x = b + w.
    double wanted(int bullet_row, btScalar btSolverConstraint::*side) const {
        return double(row(bullet_row).*side) * diagonal(bullet_row);
    }

    bool solve(btScalar btSolverConstraint::*side, btVectorXu& x) {
        const auto velocities = [&](const std::vector<int>& rows) {
            std::vector<double> b;
            for (const int i : rows) b.push_back(-wanted(i, side));
            return b;
        };
        const std::vector<double> b_N = velocities(normal_), b_T = velocities(friction_),
                                  b_B = velocities(other_);
        Rows rows;
        rows.f = free_;
        rows.b_N = b_N;
        rows.compliance_N = compliance_N_;
        if (directions_ > 0) {
            rows.b_T = b_T;
            rows.compliance_T = compliance_T_;
            rows.mu = mu_;
        }
        if (!other_.empty()) {
            rows.b_B = b_B;
            rows.compliance_B = compliance_B_;
            rows.lo_B = lo_;
            rows.hi_B = hi_;
        }
        if (island_->problem && island_->assembled) {
            island_->problem->set_rows(rows);  // split impulses: the second solve of the step
        } else if (island_->problem) {
            island_->problem->set_rows(*island_->system, rows);
        } else {
            island_->problem.emplace(Problem::box(*island_->system, rows));
            island_->solver.emplace(*island_->problem, settings_);
        }
        island_->assembled = true;
        return take(x);
    }

    bool take(btVectorXu& x) {
        std::vector<double> z;
        for (const std::vector<int>* rows : {&normal_, &friction_, &other_})
            for (const int i : *rows) z.push_back(x[i]);
        info_ = island_->solver->solve(z);
        if (!is_usable(info_, acceptable_eta_) || !all_finite(z)) {
            failure_ = perp_outcome_text(info_.outcome);
            return false;
        }
        std::size_t next = 0;
        for (const std::vector<int>* rows : {&normal_, &friction_, &other_})
            for (const int i : *rows) x[i] = static_cast<btScalar>(z[next++]);
        return true;
    }

    struct Entry {
        std::int64_t row, column;
        double value;
    };
    template <class Integer>
    static std::size_t size(Integer i) {
        return static_cast<std::size_t>(i);
    }
    const btSolverConstraint& row(int i) const { return *m_allConstraintPtrArray[i]; }

    Settings settings_;
    double regularization_, acceptable_eta_;
    std::vector<int> normal_, friction_, other_;
    std::size_t directions_ = 0;  // friction rows of a contact
    std::vector<Body> bodies_;
    std::vector<Entry> entries_;
    std::vector<double> free_, mu_, compliance_N_, compliance_T_, compliance_B_, lo_, hi_;
    Recent<Island> islands_;
    Island* island_ = nullptr;  // that is being solved
    perp_info info_ = detail::sized<perp_info>();
    std::string failure_;
};

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_BULLET_HPP
