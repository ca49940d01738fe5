#include "core/measurements/weighted_squares.h"

#include <cmath>

#include "core/measurements/refuse.h"
#include "core/numeric/int128.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr int kSumBits = kRhoBits + 2 * kPredictorBits;  // with 2^40 rows below 2^127

constexpr std::size_t kSquaresBetweenInterrupts = std::size_t{1} << 12;

Rational square_scale_in_steps(std::size_t predictors, Epsilon epsilon) {
  if (!(epsilon.value() > 0) || std::isinf(epsilon.value()))
    refuse_measurement("epsilon must be positive and finite.");
  const Rational scale = square_scale(predictors, epsilon);
  if (scale > power_of_two(900))
    refuse_measurement("noise must be well within the range of doubles: epsilon is too small.");
  return scale * power_of_two(kSumBits);
}

// Sums over rows of weight z_i z_j, the upper triangle row after row.
std::vector<int128_t> exact_squares(const GlmRows& rows, const std::vector<std::int32_t>& weights) {
  const std::size_t d = rows.predictors;
  std::vector<int128_t> sums(d * (d + 1) / 2, 0);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (row % kSquaresBetweenInterrupts == 0) check_interrupt();
    const std::int32_t* z = rows.z.data() + row * d;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const int128_t weighted = std::int64_t{weights[row]} * z[i];
      for (std::size_t j = i; j < d; ++j) sums[pair++] += weighted * z[j];
    }
  }
  return sums;
}

}  // namespace

Rational square_scale(std::size_t predictors, Epsilon epsilon) {
  const Integer d(predictors);
  return Rational(Integer(d * d)) / (2 * exact_rational(epsilon.value()));
}

WeightedSquares::WeightedSquares(std::size_t predictors, Epsilon epsilon)
    : predictors_(predictors),
      product_noise_(square_scale_in_steps(predictors, epsilon)),
      square_noise_(2 * square_scale_in_steps(predictors, epsilon)) {}

std::vector<double> WeightedSquares::release(const GlmRows& rows,
                                             const std::vector<std::int32_t>& weights,
                                             BitSource& bits) const {
  const std::vector<int128_t> sums = exact_squares(rows, weights);
  std::vector<double> released;
  std::size_t pair = 0;
  for (std::size_t i = 0; i < predictors_; ++i) {
    for (std::size_t j = i; j < predictors_; ++j) {
      const DiscreteLaplace& noise = i == j ? square_noise_ : product_noise_;
      const Integer noisy = to_integer(sums[pair++]) + noise.draw(bits);
      released.push_back(scaled_to_double(noisy, -kSumBits));
    }
  }
  return released;
}

}  // namespace dp
