#include "core/measurements/gaussian.h"

#include <limits>

#include "core/measurements/noise_mechanism.h"
#include "core/numeric/rational.h"
#include "core/random/discrete_gaussian.h"

namespace dp {
namespace {

std::shared_ptr<const GridNoise> gaussian_noise(const Rational& scale) {
  return std::make_shared<SampledNoise<DiscreteGaussian>>(scale);
}

}  // namespace

Measurement make_gaussian(const Domain& input_domain,
                          const Metric& input_metric,
                          double scale,
                          std::optional<int> k,
                          const Measure& output_measure) {
  check_noise_measure(output_measure, zero_concentrated_divergence());
  return make_additive_noise(input_domain,
                             input_metric,
                             scale,
                             k,
                             {zero_concentrated_divergence(),
                              MetricKind::l2,
                              gaussian_noise,
                              gaussian_loss,
                              gaussian_shift_loss});
}

double gaussian_loss(const Rational& d_in, const Rational& scale) {
  return gaussian_loss_of_square(d_in * d_in, scale);
}

double gaussian_loss_of_square(const Rational& d_in_squared, const Rational& scale) {
  if (d_in_squared == 0) return 0;
  if (scale == 0) return std::numeric_limits<double>::infinity();
  return to_double_up(d_in_squared / (2 * scale * scale));
}

}  // namespace dp
