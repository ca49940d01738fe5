#include "core/sample_aggregate/trimmed_mean.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/measurements/checked_column.h"
#include "core/measurements/refuse.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/heavy_tail_noise.h"
#include "core/sample_aggregate/block_numbers.h"

namespace dp {
namespace {

constexpr int kWeightBits = 62;

class TrimmedSum final : public WholeStage {
 public:
  TrimmedSum(BlockNumbers numbers, std::size_t trim, double shift, double beta)
      : numbers_(numbers),
        trim_(trim),
        unit_(power_of_two(-kWeightBits) / exact_rational(shift)),
        weights_(smoothing_weights(2 * trim + 2, beta)) {}

  Value run(const Value& value) const override {
    std::vector<std::int64_t> z = numbers_.read(value);
    std::sort(z.begin(), z.end());
    Integer sum = 0;
    for (std::size_t i = trim_; i < z.size() - trim_; ++i) sum += z[i];
    const int128_t sensitivity =
        smooth_sensitivity(z, trim_, numbers_.lower, numbers_.upper, weights_);
    sum += heavy_tail_noise(to_integer(sensitivity) * unit_, secure_bits());
    const Integer count = z.size() - 2 * trim_;
    return Scalar(
        to_int128(std::clamp<Integer>(sum, count * numbers_.lower, count * numbers_.upper)));
  }

 private:
  BlockNumbers numbers_;
  std::size_t trim_;
  Rational unit_;  // of 2^62 S
  std::vector<std::int64_t> weights_;
};

}  // namespace

std::vector<std::int64_t> smoothing_weights(std::size_t count, double beta) {
  const Rational factor = exact_rational(exp_up(-beta));
  std::vector<std::int64_t> weights{std::int64_t{1} << kWeightBits};
  while (weights.size() < count) {
    weights.push_back(static_cast<std::int64_t>(ceil(factor * Integer(weights.back()))));
  }
  return weights;
}

int128_t smooth_sensitivity(const std::vector<std::int64_t>& numbers,
                            std::size_t trim,
                            std::int64_t lower,
                            std::int64_t upper,
                            const std::vector<std::int64_t>& weights) {
  const auto k = static_cast<std::int64_t>(numbers.size());
  const auto m = static_cast<std::int64_t>(trim);
  const auto z = [&](std::int64_t i) {
    return i < 1 ? lower : i > k ? upper : numbers[static_cast<std::size_t>(i - 1)];
  };
  int128_t largest = 0;
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(weights.size()); ++t) {
    std::int64_t widest = 0;
    for (std::int64_t l = 0; l <= t + 1; ++l) {
      widest = std::max(widest, z(k - m + 1 + t - l) - z(m + 1 - l));
    }
    largest = std::max(largest, int128_t{weights[static_cast<std::size_t>(t)]} * widest);
  }
  return largest;
}

Measurement make_trimmed_sum(const Domain& input_domain,
                             const Metric& input_metric,
                             std::uint64_t trim,
                             double shift,
                             double beta) {
  const BlockNumbers numbers(input_domain, input_metric);
  require_measurement(numbers.lower < numbers.upper,
                      "input_domain must have two different bounds.");
  require_measurement(trim < numbers.size && 2 * trim < numbers.size,
                      "fewer than half of the numbers must be left out at each end.");
  require_measurement(shift > 0 && std::isfinite(shift), "shift must be positive and finite.");
  require_measurement(beta > 0 && std::isfinite(beta), "beta must be positive and finite.");
  const double each = add_up(mul_up(1.5, shift), mul_up(2.0, beta));
  return Measurement(
      input_domain,
      input_metric,
      max_divergence(),
      stage_function<TrimmedSum>(numbers, static_cast<std::size_t>(trim), shift, beta),
      [each](const Distance& d_in) -> Distance {
        return Scalar(mul_up(static_cast<double>(number_in<std::uint32_t>(d_in)), each));
      });
}

}  // namespace dp
