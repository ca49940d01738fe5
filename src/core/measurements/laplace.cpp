#include "core/measurements/laplace.h"

#include <limits>

#include "core/measurements/noise_mechanism.h"
#include "core/numeric/least_value.h"
#include "core/numeric/rational.h"
#include "core/random/discrete_laplace.h"

namespace dp {
namespace {

std::shared_ptr<const GridNoise> laplace_noise(const Rational& scale) {
  return std::make_shared<SampledNoise<DiscreteLaplace>>(scale);
}

}  // namespace

Measurement make_laplace(const Domain& input_domain,
                         const Metric& input_metric,
                         double scale,
                         std::optional<int> k,
                         const Measure& output_measure) {
  check_noise_measure(output_measure, max_divergence());
  return make_additive_noise(
      input_domain,
      input_metric,
      scale,
      k,
      {max_divergence(), MetricKind::l1, laplace_noise, laplace_loss, laplace_shift_loss});
}

double laplace_loss(const Rational& d_in, const Rational& scale) {
  if (d_in == 0) return 0;
  if (scale == 0) return std::numeric_limits<double>::infinity();
  return to_double_up(d_in / scale);
}

double laplace_scale(const Rational& d_in, Epsilon epsilon) {
  if (d_in < 0) throw Error(ErrorKind::failed_map, "d_in must not be negative.");
  const std::optional<double> scale = least_value(Values::reals, [&](double each) -> Taken {
    const double loss = laplace_loss(d_in, exact_rational(each));
    return {loss <= epsilon.value(), loss / epsilon.value()};
  });
  if (!scale) throw Error(ErrorKind::search, "no finite noise scale meets the target.");
  return *scale;
}

}  // namespace dp
