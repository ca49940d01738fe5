// Losses of generalized linear models for objective perturbation: convex in the linear predictor t,
// with bounded slope and bounded curvature.
//
//   logit     log(1 + e^t) - y t                                          y in [0, 1]
//   probit    -y log Phi(t) - (1 - y) log Phi(-t), bent at -3              y in [0, 1]
//   poisson   e^t - y t, bent at 0: t is the logarithm of the mean over
//             the largest count, and y a count over the largest            y in [0, 1]
//   ols       (t - y)^2 / 2, bent where |t - y| is 2                       y in [-1, 1]
//
// "Bent at" a point: beyond it, away from the minimum, the loss continues as its tangent. It stays
// convex, its slope is bounded, and nothing else changes. For ols this is Huber's loss, which is
// least squares while fitted values stay within the range of y. For poisson, means beyond the
// largest count are not distinguished.
#pragma once

#include <string>

namespace dp {

enum class GlmFamily { logit, probit, poisson, ols };

GlmFamily parse_glm_family(const std::string& name);  // throws make_measurement

struct GlmLoss {
  double slope_bound;      // of |slope|, for all t and y
  double curvature_bound;  // of the slope's own slope
  // How far slope(t', y) may be from the slope at t, for t' the double nearest to t.
  double slope_error;
  double (*slope)(double t, double y);
  double (*curvature)(double t, double y);  // about; what hangs on it is speed alone
  // Approximate mean of the curvature, if y is drawn from the family at t, and an upper bound of
  // it. For all families except probit it is the curvature.
  double information_bound;
  double (*information)(double t, double y);
};

const GlmLoss& glm_loss(GlmFamily family);

// e^x within 2^-50, for x <= 0, from basic operations only: the same on every machine.
//
// With k = round(x / ln 2), r = x - k ln 2 is at most 0.35 in magnitude, and Taylor's polynomial of
// degree 13 leaves 0.35^14 / 14! < 2^-57 of it. Below -64 the result is e^-64 < 2^-92.
double exp_of_nonpositive(double x);

}  // namespace dp
