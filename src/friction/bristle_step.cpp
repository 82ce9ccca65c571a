// Regularized bristle (Peiret, Kovecses and Font-Llagunes 2016): a contact that slides has friction
// against its velocity and a viscous row across it; one that sticks is a spring that starts from
// the force of the last step. k_T = 0 or infinite: rigid.
#include <cinttypes>
#include <cmath>

#include "base/error.hpp"
#include "friction/bounded_step.hpp"

namespace perp {
namespace {

// Of mu lambda_N: the last force from which on a bristle counts as bent to its end.
constexpr double bent = 0.9;

// 1 / (h^2 k_T): of impulses.
double bristle_compliance(double h, double stiffness, std::int64_t i) {
    if (!(stiffness > 0.0) || std::isinf(stiffness)) return 0.0;
    const double compliance = 1.0 / (h * h * stiffness);
    if (!std::isfinite(compliance))
        fail(Status::bad_value,
             "stiffness of contact %" PRId64 " (0-based) = %.17g: 1 / (h^2 k) overflows", i,
             stiffness);
    return compliance;
}

struct StepStart {  // of a contact, in the caller's axes
    int t;
    double h;
    double sliding[2];  // velocity, m/s
    double force[2];    // of the last step, N
};

// A bristle that is not yet bent to its end moves by its own elasticity, however fast: no sliding.
// (Ours. By speed alone, sliding finds the bristle bent to its end and gives back energy that none
// has put in: contacts with h^2 k_T <= m rattle at v_th for ever and creep.)
bool still_bends(const StepStart& start, double limit) {
    return limit > 0.0 && std::hypot(start.force[0], start.force[1]) < bent * limit;
}

// The bristle is bent by the last force, turned against the velocity; across it, it must bend
// before viscous friction sets in. (The paper bends it by mu lambda_N of this step, and not at all
// across: then forces could give back energy that none has put in. Rigid bristles are those of the
// paper.)
void kinetic(const StepStart& start, double speed, std::int64_t i, BoundedRows& out) {
    if (start.t == 1) {
        out.target[i] = (start.sliding[0] > 0.0 ? -start.h : start.h) * std::abs(start.force[0]);
        return;
    }
    out.first_axis[i] = {start.sliding[0] / speed, start.sliding[1] / speed};
    out.target[2 * i] = -start.h * std::hypot(start.force[0], start.force[1]);
    out.speed[2 * i + 1] = speed;
}

void sticking(const StepStart& start, std::int64_t i, BoundedRows& out) {
    if (start.t == 1) {
        out.target[i] = start.h * start.force[0];
        return;
    }
    out.first_axis[i] = slip_direction(start.force);
    out.target[2 * i] = -start.h * std::hypot(start.force[0], start.force[1]);
}

}  // namespace

std::unique_ptr<FrictionStep> make_bristle_step(const FrictionSettings& settings,
                                                std::shared_ptr<const System> system,
                                                const ContactRows& rows,
                                                const StepContacts& contacts,
                                                const ContactMemory& memory) {
    check_bounded(settings, *system, rows, contacts, "bristle");
    const ContactFrames frames(*system, contacts);
    const std::int64_t r = system->contacts();
    const int t = system->shape().tangential;
    const std::vector<double> velocity =
        sliding_velocity(*system, rows, contacts, "the bristle slides or sticks by it");
    const std::vector<double> threshold =
        per_contact(contacts.sticking_speed, settings.sticking_speed, r, "sticking_speed");
    const std::vector<double> stiffness =
        per_contact(contacts.stiffness, settings.stiffness, r, "stiffness");
    BoundedRows model;
    for (std::vector<double>* part : {&model.compliance, &model.speed, &model.target})
        part->assign(r * t, 0.0);
    if (t == 2) model.first_axis.assign(r, {1.0, 0.0});
    for (std::int64_t i = 0; i < (t > 0 ? r : 0); ++i) {
        StepStart start{t, contacts.h, {0.0, 0.0}, {0.0, 0.0}};
        for (int j = 0; j < t; ++j) {
            start.sliding[j] = velocity[t * i + j];
            model.compliance[t * i + j] = bristle_compliance(contacts.h, stiffness[i], i);
        }
        double limit = 0.0;  // of the last force, N
        if (const ContactRecord* last = memory.find(frames.ids()[i])) {
            frames.sliding(*last, i, start.force);
            limit = rows.mu[i] * last->normal;
        }
        const double speed = std::hypot(start.sliding[0], start.sliding[1]);
        const bool elastic = model.compliance[t * i] > 0.0 && still_bends(start, limit);
        if (speed > threshold[i] && !elastic)
            kinetic(start, speed, i, model);
        else
            sticking(start, i, model);
    }
    return make_bounded_step(settings, std::move(system), rows, contacts, memory, std::move(model));
}

}  // namespace perp
