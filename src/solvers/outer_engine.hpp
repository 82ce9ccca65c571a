// Laws that depend on their own answer, as an outer iteration: rounds of the problem that the law
// leads to at the last point (Problem::frozen with other vectors), solved by any method from that
// point, and only as far as the vectors are worth it. `solved` is said by eta alone, which takes
// the law at the very z that is returned.
#pragma once

#include "base/clock.hpp"
#include "problem/residual.hpp"
#include "solvers/engine.hpp"

namespace perp {

class OuterEngine : public Engine {
public:
    bool renew() override;
    bool prepare(const Settings& settings) override;
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    [[nodiscard]] std::span<const std::int8_t> basic_set() const override {
        return inner_->basic_set();
    }

protected:
    // `patience`: rounds that do not lower the best eta by 10 %, before it is stalled.
    OuterEngine(const Problem& problem, const Settings& settings, int patience)
        : problem_(problem),
          frozen_(problem.frozen()),
          inner_(make_engine(frozen_, settings)),
          residual_(make_residual_workspace(problem)),
          patience_(patience),
          best_(problem.rows()) {}

    // The problem has changed.
    virtual void take_problem() = 0;
    // What the start of a run asks for. residual_ is that of z, here and below.
    virtual void start(std::span<const double> z) = 0;
    // Puts what was asked for into the frozen problem.
    virtual void freeze() = 0;
    // What the next round is to be, after one that ended at z; `worse`: far from the best point.
    virtual void advance(std::span<const double> z, bool worse) = 0;
    // Eta that the next round need not be much closer than; `best` is that of the best point.
    [[nodiscard]] virtual double worth(Method method, double best) const = 0;
    // Whether a certificate of the frozen problem proves that the law has no solution. Else the
    // next round is to be one that it does not forbid, and is not the business of advance().
    virtual bool proves(std::span<double> certificate) = 0;

    const Problem& problem_;
    Problem frozen_;
    std::unique_ptr<Engine> inner_;
    ResidualWorkspace residual_;

private:
    struct Rounds;
    void limit(const Settings& settings, const Rounds& rounds);
    bool next(const Settings& settings, Rounds& rounds, std::span<double> z,
              std::vector<double>& certificate);

    const int patience_;
    Settings inner_settings_;
    std::vector<double> best_;
};

}  // namespace perp
