#include "core/measurements/canonical_noise.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/measurements/checked_column.h"
#include "core/measurements/refuse.h"
#include "core/metrics/metric_space.h"
#include "core/numeric/directed.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "core/numeric/text.h"
#include "core/random/canonical_noise.h"

namespace dp {
namespace {

void check_space(const Domain& domain, const Metric& metric) {
  const AtomDomain& atom = atom_domain(domain);
  if (atom.type != AtomType::f64) detail::refuse_type(atom.type, "f64");
  if (atom.nan) refuse_measurement("input_domain must consist of non-nan data");
  check_metric_space(domain, metric);
  if (metric != absolute_distance(AtomType::f64)) {
    refuse_metric(metric, "input_metric must be AbsoluteDistance<f64>");
  }
}

CanonicalNoise noise_of(double epsilon, double delta) {
  // exp(epsilon) is rounded down to a double, so the noise is drawn for an epsilon that is less by
  // up to 2^-52: at most a thousandth.
  constexpr double kLeastEpsilon = 0x1p-42;
  // Larger epsilons, whose exponentials overflow, use the noise of this one. It leaves the middle
  // of its law with a probability of at most 2 exp(-709).
  constexpr double kMostEpsilon = 709;
  if (!(epsilon > 0)) {
    refuse_measurement("epsilon (" + debug(Scalar(epsilon)) +
                       ") must be positive (greater than zero)");
  }
  if (!std::isfinite(epsilon)) {
    refuse_measurement("epsilon (" + debug(Scalar(epsilon)) + ") must be finite");
  }
  if (!(delta >= 0 && delta <= 1)) {
    refuse_measurement("delta (" + debug(Scalar(delta)) + ") must be within [0, 1]");
  }
  if (epsilon < kLeastEpsilon) {
    refuse_measurement(
        "fixed-point of the f-DP tradeoff curve must be less than 1/2. This indicates that your "
        "privacy parameters are too small.");
  }
  const double bounded = std::min(epsilon, kMostEpsilon);
  return CanonicalNoise(exact_rational(exp_down(bounded)), exact_rational(delta));
}

}  // namespace

Measurement make_canonical_noise(const Domain& input_domain,
                                 const Metric& input_metric,
                                 double d_in,
                                 double epsilon,
                                 double delta) {
  check_space(input_domain, input_metric);
  if (!std::isfinite(d_in) || d_in < 0) {
    refuse_measurement("d_in (" + debug(Scalar(d_in)) + ") must be a finite non-negative number");
  }
  const CanonicalNoise noise = noise_of(epsilon, delta);
  const Distance loss = d_in == 0 ? Distance::Tuple{Scalar(0.0), Scalar(0.0)}
                                  : Distance::Tuple{Scalar(epsilon), Scalar(delta)};
  return Measurement(
      input_domain,
      input_metric,
      approximate(max_divergence()),
      whole_function([noise, width = exact_rational(d_in)](const Value& arg) -> Value {
        const double x = element_in<double>(arg);
        if (std::isnan(x)) refuse_nonmember();
        const Rational centre = exact_rational(std::clamp(x, kMin<double>, kMax<double>));
        return Scalar(noise.add_to(centre, width, secure_bits()));
      }),
      [d_in, loss](const Distance& asked) {
        const double d = number_in<double>(asked);
        if (!(d >= 0 && d <= d_in)) {
          throw Error(ErrorKind::failed_map,
                      "d_in from the map (" + format_number(d) + ") must be in [0, " +
                          format_number(d_in) + "]");
        }
        return loss;
      });
}

}  // namespace dp
