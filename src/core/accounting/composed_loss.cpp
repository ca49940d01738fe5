#include "core/accounting/composed_loss.h"

#include <algorithm>
#include <cmath>

#include "core/numeric/directed.h"

namespace dp {
namespace {

constexpr double kLongestTable = 1 << 17;
constexpr double kGridCells = 1 << 15;

// All terms are sums and products of nonnegative numbers, so each rounding costs at most a factor
// of 1 +- 2^-53. Twice that covers products of these factors. Underflow loses at most 2^-1074 each
// time, which is far less than e^-700 in 2^40 operations.
constexpr double kRounding = 0x1p-52;
constexpr double kLostBelow = 0x1p-960;

// e^-epsilon, within one rounding.
double decay(double epsilon) { return epsilon > kLargestExponent ? 0 : exp_up(-epsilon); }

// tanh(epsilon / 2), rounded up and down.
double advantage_up(double epsilon) {
  if (epsilon > kLargestExponent) return 1;
  const double excess = expm1_up(epsilon);
  return std::min(1.0, div_up(excess, add_down(excess, 2.0)));
}

double advantage_down(double epsilon) {
  const double excess = expm1_down(std::min(epsilon, kLargestExponent));
  return div_down(excess, add_up(excess, 2.0));
}

// Binomial probabilities of 0 to `count` truths, computed outward from the most likely number.
std::vector<double> binomial(double epsilon, std::size_t count) {
  const double ratio = decay(epsilon);
  const double size = static_cast<double>(count);
  const auto mode = static_cast<std::size_t>(size / (1 + ratio));
  std::vector<double> masses(count + 1);
  masses[mode] = 1;
  for (std::size_t i = mode; i > 0; --i) {
    masses[i - 1] = masses[i] * ratio * static_cast<double>(i) / static_cast<double>(count - i + 1);
  }
  for (std::size_t i = mode; i < count; ++i) {
    masses[i + 1] = masses[i] / ratio * static_cast<double>(count - i) / static_cast<double>(i + 1);
  }
  double total = 0;
  for (const double mass : masses) total += mass;
  for (double& mass : masses) mass /= total;
  return masses;
}

}  // namespace

ComposedLoss::ComposedLoss(std::vector<double> epsilons) : masses_{1} {
  std::sort(epsilons.begin(), epsilons.end());
  epsilons.erase(epsilons.begin(),
                 std::find_if(epsilons.begin(), epsilons.end(), [](double e) { return e > 0; }));
  if (!epsilons.empty() && std::isinf(epsilons.back())) {
    throw Error(ErrorKind::invalid_distance, "`epsilon` must be finite to be composed.");
  }

  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    if (i == 0 || epsilons[i] != epsilons[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  double length = 1;
  for (const std::size_t count : counts) length *= static_cast<double>(count) + 1;
  is_exact_ = length <= kLongestTable || counts.size() == 1;
  if (is_exact_) {
    std::size_t first = 0;
    for (const std::size_t count : counts) {
      multiply_binomial(epsilons[first], count);
      first += count;
    }
  } else {
    double total = 0;
    for (const double epsilon : epsilons) total += epsilon;
    for (const double epsilon : epsilons) add_on_grid(epsilon, total / kGridCells);
  }
}

void ComposedLoss::multiply_binomial(double epsilon, std::size_t count) {
  const std::vector<double> factor = binomial(epsilon, count);
  std::vector<double> product;
  product.reserve(masses_.size() * factor.size());
  for (const double first : masses_) {
    for (const double second : factor) product.push_back(first * second);
  }
  masses_ = std::move(product);
  // Each step of a weight has three roundings, and the ratio has two. The total repeats these and
  // adds the roundings of its sum.
  roundings_ += 12 * (static_cast<double>(count) + 2);
}

// Index j of the table means a loss of (j - (size - 1) / 2) steps. The response is at cells + 1
// with probability `upper`, otherwise at `cells`. Rounding an advantage down makes `upper` larger.
void ComposedLoss::add_on_grid(double epsilon, double step) {
  auto cells = static_cast<std::size_t>(epsilon / step);
  while (cells > 0 && mul_up(static_cast<double>(cells), step) > epsilon) --cells;
  while (mul_down(static_cast<double>(cells + 1), step) < epsilon) ++cells;
  const double below = mul_down(static_cast<double>(cells), step);
  const double above = mul_up(static_cast<double>(cells + 1), step);
  const double low = advantage_down(below);
  const double high = advantage_down(mul_down(static_cast<double>(cells + 1), step));
  const double wanted = advantage_up(epsilon);
  const double upper =
      high > low ? std::clamp(div_up(sub_up(wanted, low), sub_down(high, low)), 0.0, 1.0) : 1;
  const double lower = sub_up(1.0, upper);

  struct Response {
    std::size_t shift;
    double mass;
  };
  const double decay_above = decay(above);
  const double decay_below = decay(below);
  const Response responses[] = {{0, upper * decay_above / (1 + decay_above)},
                                {1, lower * decay_below / (1 + decay_below)},
                                {2 * cells + 1, lower / (1 + decay_below)},
                                {2 * cells + 2, upper / (1 + decay_above)}};
  std::vector<double> sum(masses_.size() + 2 * cells + 2);
  for (const Response& response : responses) {
    double* const to = sum.data() + response.shift;
    for (std::size_t j = 0; j < masses_.size(); ++j) to[j] += response.mass * masses_[j];
  }
  masses_ = std::move(sum);
  // If a loss is rounded, the relative error of its exponential grows in proportion to the loss.
  roundings_ += 12 + 2 * above;
}

double ComposedLoss::delta(Epsilon epsilon) const {
  if (epsilon.value() > kLargestExponent) return masses_.size() == 1 ? 0 : 1;
  const double odds = exp_down(epsilon.value());
  const double slack = mul_up(roundings_ + 4, kRounding);
  const double more = add_up(1.0, slack);
  const double less = mul_down(odds, sub_down(1.0, slack));
  double total = 0;
  for (std::size_t j = 0; j < masses_.size(); ++j) {
    total += std::max(0.0, masses_[j] * more - masses_[masses_.size() - 1 - j] * less);
  }
  const double rounded = static_cast<double>(masses_.size()) * kRounding;
  const double lost = mul_up(kLostBelow, add_up(odds, 1.0));
  return std::min(1.0, add_up(mul_up(total, add_up(1.0, rounded)), lost));
}

}  // namespace dp
