#include "cones/contact_cone.hpp"

namespace perp {
namespace {

struct Norms {
    double sliding, spin, roll;
};

double norm(const double* x, int n) {
    if (n == 0) return 0.0;
    return n == 1 ? std::abs(x[0]) : std::sqrt(x[0] * x[0] + x[1] * x[1]);
}

Norms norms(const ContactShape& shape, const double* x) {
    const double* t = x + 1;
    const double* s = t + shape.tangential;
    return {norm(t, shape.tangential), norm(s, shape.spin), norm(s + shape.spin, shape.roll)};
}

}  // namespace

void project_contact(const ContactShape& shape, const ConeCoefficients& c, double* x) {
    with_shape(shape, [&]<int T, int S, int R>() { project_contact<T, S, R>(c, x); });
}

double cone_violation(const ContactShape& shape, const ConeCoefficients& c, const double* x) {
    const Norms a = norms(shape, x);
    double worst = std::max(0.0, -x[0]);
    const double n = std::max(0.0, x[0]);
    worst = std::max(worst, a.sliding - c.sliding * n);
    worst = std::max(worst, a.spin - c.spin * n);
    return std::max(worst, a.roll - c.roll * n);
}

double polar_violation(const ContactShape& shape, const ConeCoefficients& c, const double* x) {
    return std::max(0.0, x[0] + de_saxce_shift(shape, c, x));
}

double de_saxce_shift(const ContactShape& shape, const ConeCoefficients& c, const double* u) {
    const Norms a = norms(shape, u);
    return c.sliding * a.sliding + c.spin * a.spin + c.roll * a.roll;
}

}  // namespace perp
