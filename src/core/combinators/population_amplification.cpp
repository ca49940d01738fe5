#include "core/combinators/population_amplification.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/combinators/cast_measure.h"
#include "core/measurements/composable.h"
#include "core/measurements/refuse.h"
#include "core/measures/loss.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

// At least h(c) for a sample of n out of N.
double hit_probability(std::uint64_t n, std::uint64_t N, std::uint32_t c) {
  constexpr std::uint32_t kMostFactors = 1 << 16;
  constexpr unsigned kBits = 192;  // each factor errs by 2^-192 at most
  if (c > N - n) return 1;
  if (c > kMostFactors) {  // no more than c n / N
    return std::min(1.0, to_double_up(Rational(Integer(c) * n, N)));
  }
  const Integer one = Integer(1) << kBits;
  Integer missed = one;
  for (std::uint32_t i = 0; i < c; ++i) missed = missed * Integer(N - n - i) / Integer(N - i);
  return scaled_to_double_up(one - missed, -static_cast<int>(kBits));
}

constexpr double kMostExponent = 700;  // exponentials of more are beyond the doubles

// A loss under Approximate(MaxDivergence); delta is 0 under MaxDivergence.
struct Loss {
  double epsilon;
  double delta;
};

Loss amplified(const Loss& loss, double hit) {
  const double delta = mul_up(loss.delta, hit);
  if (loss.epsilon > kMostExponent) return {loss.epsilon, delta};
  return {std::min(loss.epsilon, ln1p_up(mul_up(expm1_up(loss.epsilon), hit))), delta};
}

// At least 1 + r + ... + r^(steps - 1) for r = exp(epsilon), where epsilon * steps is no more than
// kMostExponent.
double sum_of_powers(double epsilon, double steps) {
  const double growth = expm1_down(epsilon);
  if (!(growth > 0)) return mul_up(steps, exp_up(mul_up(epsilon, steps)));  // each is at most that
  return div_up(expm1_up(mul_up(epsilon, steps)), growth);
}

// The loss of as many steps, each of which loses `one`; none if it is beyond the doubles.
std::optional<Loss> of_steps(const Loss& one, std::uint32_t number) {
  const auto steps = cast_up<double>(number);
  if (!(one.epsilon <= kMostExponent)) return std::nullopt;
  const double epsilon = mul_up(one.epsilon, steps);
  if (one.delta == 0) return Loss{epsilon, 0};
  if (epsilon > kMostExponent) return std::nullopt;
  const double sum = sum_of_powers(one.epsilon, steps);
  if (sum > 1 / one.delta) return std::nullopt;  // a delta of 1 says nothing
  return Loss{epsilon, mul_up(one.delta, sum)};
}

// What the map needs to know of the sample and its metric.
struct Sample {
  std::uint64_t size;
  std::uint64_t population;
  std::uint32_t unit;  // the distance of one changed record

  double hit(std::uint32_t changed) const { return hit_probability(size, population, changed); }
};

// `loss_at` is the loss of the measurement on samples.
template <class LossAt>
Loss population_loss(const LossAt& loss_at, const Sample& sample, const Distance& d_in) {
  const std::uint32_t changed = number_in<std::uint32_t>(d_in) / sample.unit;
  if (changed == 0) return loss_at(d_in);
  const Loss together = amplified(loss_at(d_in), sample.hit(changed));
  const Loss one = amplified(loss_at(Scalar(sample.unit)), sample.hit(1));
  const std::optional<Loss> steps = of_steps(one, changed);
  const bool is_less =
      steps && steps->epsilon <= together.epsilon && steps->delta <= together.delta;
  return is_less ? *steps : together;
}

DistanceMap pure_map(const PrivacyMap& map, const Sample& sample) {
  return [=](const Distance& d_in) -> Distance {
    const auto loss_at = [&](const Distance& d) { return Loss{number_in<double>(map(d)), 0}; };
    return Scalar(population_loss(loss_at, sample, d_in).epsilon);
  };
}

DistanceMap approximate_map(const PrivacyMap& map, const Sample& sample) {
  return [=](const Distance& d_in) -> Distance {
    const auto loss_at = [&](const Distance& d) {
      const ApproximateLoss parts = approximate_in(map(d));
      return Loss{number_in<double>(parts.inner), parts.delta};
    };
    const Loss loss = population_loss(loss_at, sample, d_in);
    return Distance::Tuple{Scalar(loss.epsilon), Scalar(loss.delta)};
  };
}

Sample sample_of(const Measurement& measurement, std::uint64_t population_size) {
  const auto* rows = measurement.input_domain().as<VectorDomain>();
  if (rows == nullptr || !rows->size) {
    refuse_measurement("elements of the vector domain have unknown size");
  }
  check_dataset_metric(measurement.input_metric());
  if (population_size < *rows->size) {
    refuse_measurement("population size (" + std::to_string(population_size) +
                       ") cannot be less than sample size (" + std::to_string(*rows->size) + ")");
  }
  return {*rows->size, population_size, is_bounded(measurement.input_metric()) ? 1u : 2u};
}

}  // namespace

Measurement make_population_amplification(const Measurement& measurement,
                                          std::uint64_t population_size) {
  const Sample sample = sample_of(measurement, population_size);
  const Measure& measure = measurement.output_measure();
  const bool pure = measure.kind == MeasureKind::max_divergence;
  if (!pure && !is_approximate(measure, MeasureKind::max_divergence)) {
    refuse_measure(measure, "MaxDivergence and its approximate form");
  }
  const PrivacyMap map = Composable(measurement)->privacy_map();
  return Measurement(
      measurement.input_domain(),
      measurement.input_metric(),
      measure,
      measurement.function(),
      PrivacyMap::of_secret_sample(pure ? pure_map(map, sample) : approximate_map(map, sample)));
}

}  // namespace dp
