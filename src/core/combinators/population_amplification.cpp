#include "core/combinators/population_amplification.h"

#include <algorithm>
#include <string>

#include "core/combinators/cast_measure.h"
#include "core/measures/loss.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(ErrorKind::make_measurement, sentence);
}

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

double amplified(double epsilon, double probability) {
  if (epsilon > 700) return epsilon;  // whose exponential is beyond the doubles
  return std::min(epsilon, ln1p_up(mul_up(expm1_up(epsilon), probability)));
}

// What the map needs to know of the sample and its metric.
struct Sample {
  std::uint64_t size;
  std::uint64_t population;
  std::uint32_t unit;  // the distance of one changed record

  double hit(std::uint32_t changed) const { return hit_probability(size, population, changed); }
};

PrivacyMap pure_map(const PrivacyMap& map, const Sample& sample) {
  return [=](const Distance& d_in) -> Distance {
    const std::uint32_t changed = number_in<std::uint32_t>(d_in) / sample.unit;
    const double epsilon = number_in<double>(map(d_in));
    if (changed == 0) return Scalar(epsilon);
    const double together = amplified(epsilon, sample.hit(changed));
    const double one = amplified(number_in<double>(map(Scalar(sample.unit))), sample.hit(1));
    return Scalar(std::min(together, mul_up(one, cast_up<double>(changed))));
  };
}

PrivacyMap approximate_map(const PrivacyMap& map, const Sample& sample) {
  return [=](const Distance& d_in) -> Distance {
    const std::uint32_t changed = number_in<std::uint32_t>(d_in) / sample.unit;
    const Distance loss = map(d_in);
    if (changed == 0) return loss;
    const ApproximateLoss parts = approximate_in(loss);
    const double hit = sample.hit(changed);
    return Distance::Tuple{Scalar(amplified(number_in<double>(parts.inner), hit)),
                           Scalar(mul_up(parts.delta, hit))};
  };
}

Sample sample_of(const Measurement& measurement, std::uint64_t population_size) {
  const auto* rows = measurement.input_domain().as<VectorDomain>();
  if (rows == nullptr || !rows->size) {
    refuse("elements of the vector domain have unknown size");
  }
  check_dataset_metric(measurement.input_metric());
  if (population_size < *rows->size) {
    refuse("population size (" + std::to_string(population_size) +
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
  return Measurement(measurement.input_domain(),
                     measurement.input_metric(),
                     measure,
                     measurement.function(),
                     pure ? pure_map(measurement.privacy_map(), sample)
                          : approximate_map(measurement.privacy_map(), sample));
}

}  // namespace dp
