#include "core/accounting/optimal_composition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/accounting/composed_loss.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr double kNoProtection = std::numeric_limits<double>::infinity();

ComposedLoss pure_parts(const std::vector<ReleaseLoss>& losses) {
  std::vector<double> epsilons;
  for (const ReleaseLoss& loss : losses) epsilons.push_back(loss.epsilon.value());
  return ComposedLoss(std::move(epsilons));
}

double sum_of_epsilons(const std::vector<ReleaseLoss>& losses) {
  double sum = 0;
  for (const ReleaseLoss& loss : losses) sum = add_up(sum, loss.epsilon.value());
  return sum;
}

double sum_of_deltas(const std::vector<ReleaseLoss>& losses) {
  double sum = 0;
  for (const ReleaseLoss& loss : losses) sum = add_up(sum, loss.delta.value());
  return sum;
}

// ln prod (1 - delta_i), rounded down; empty if it is minus infinity.
std::optional<double> log_intact(const std::vector<ReleaseLoss>& losses) {
  std::vector<double> deltas;
  for (const ReleaseLoss& loss : losses) deltas.push_back(loss.delta.value());
  std::sort(deltas.begin(), deltas.end());
  double sum = 0;
  for (std::size_t first = 0; first < deltas.size();) {
    const auto last = std::upper_bound(deltas.begin(), deltas.end(), deltas[first]);
    const auto end = static_cast<std::size_t>(last - deltas.begin());
    if (deltas[first] == 1) return std::nullopt;
    if (deltas[first] > 0) {
      sum = add_down(sum, mul_down(static_cast<double>(end - first), ln1p_down(-deltas[first])));
    }
    first = end;
  }
  return sum;
}

// r, rounded down: the part of `target` that remains for the pure parts. Negative if nothing
// remains.
double remaining_delta(const std::vector<ReleaseLoss>& losses, Delta target) {
  if (target.value() == 1) return 1;
  const std::optional<double> intact = log_intact(losses);
  if (!intact) return -1;
  return -expm1_up(sub_up(ln1p_up(-target.value()), *intact));
}

// epsilon tanh(epsilon / 2), rounded up.
double expected_loss(double epsilon) {
  if (epsilon > kLargestExponent) return epsilon;
  const double excess = expm1_up(epsilon);
  return mul_up(epsilon, std::min(1.0, div_up(excess, add_down(excess, 2.0))));
}

double by_formula(const std::vector<ReleaseLoss>& losses, double remaining) {
  const double sum = sum_of_epsilons(losses);
  if (!(remaining > 0) || std::isinf(sum)) return sum;
  double mean = 0;
  double squares = 0;
  for (const ReleaseLoss& loss : losses) {
    const double epsilon = loss.epsilon.value();
    mean = add_up(mean, expected_loss(epsilon));
    squares = add_up(squares, mul_up(epsilon, epsilon));
  }
  const auto spread = [&](double log_term) {
    return add_up(mean, sqrt_up(mul_up(mul_up(2.0, squares), std::max(log_term, 0.0))));
  };
  const double first = ln_up(add_up(exp_up(1.0), div_up(sqrt_up(squares), remaining)));
  const double second = -ln_down(remaining);
  return std::min({sum, spread(first), spread(second)});
}

[[noreturn]] void refuse_target() {
  throw Error(ErrorKind::invalid_distance,
              "the global delta must be at least what the deltas of the releases come to.");
}

// The remainder of `target`, or 0 if basic composition still allows the releases, because rounding
// alone can make the remainder negative.
double feasible_remainder(const std::vector<ReleaseLoss>& losses, Delta target) {
  const double remaining = remaining_delta(losses, target);
  if (remaining >= 0) return remaining;
  if (sum_of_deltas(losses) <= target.value()) return 0;
  refuse_target();
}

std::vector<ReleaseLoss> scaled(const std::vector<ReleaseLoss>& losses, double factor) {
  std::vector<ReleaseLoss> result;
  for (const ReleaseLoss& loss : losses) {
    result.push_back({Epsilon(mul_down(loss.epsilon.value(), factor)), loss.delta});
  }
  return result;
}

}  // namespace

double closed_form_epsilon(const std::vector<ReleaseLoss>& losses, Delta target) {
  return by_formula(losses, feasible_remainder(losses, target));
}

double advanced_composition(std::uint64_t count, Epsilon epsilon_type, Delta slack) {
  const double epsilon = epsilon_type.value();
  if (epsilon > kLargestExponent || slack.value() == 0) return kNoProtection;
  const double k = to_double_up(Rational(Integer(count)));
  const double spread = sqrt_up(mul_up(mul_up(2.0, k), -ln_down(slack.value())));
  const double drift = mul_up(mul_up(k, epsilon), expm1_up(epsilon));
  return add_up(mul_up(spread, epsilon), drift);
}

double optimal_epsilon(const std::vector<ReleaseLoss>& losses, Delta target) {
  const double remaining = feasible_remainder(losses, target);
  double high = by_formula(losses, remaining);
  if (!(remaining > 0) || std::isinf(high)) return high;
  const ComposedLoss pure = pure_parts(losses);
  double low = 0;
  if (pure.delta(Epsilon(low)) <= remaining) return low;
  while (high - low > 1e-14 * high) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (pure.delta(Epsilon(middle)) <= remaining ? high : low) = middle;
  }
  return high;
}

double optimal_delta(const std::vector<ReleaseLoss>& losses, Epsilon epsilon) {
  const std::optional<double> intact = log_intact(losses);
  if (!intact) return 1;
  const double none = -expm1_down(*intact);
  if (sum_of_epsilons(losses) <= epsilon.value()) return std::min(none, sum_of_deltas(losses));
  const double pure = pure_parts(losses).delta(epsilon);
  if (pure == 1) return 1;
  return std::min(1.0, -expm1_down(add_down(*intact, ln1p_down(-pure))));
}

bool composes_within(const std::vector<ReleaseLoss>& losses, const ReleaseLoss& budget) {
  const bool few_deltas = sum_of_deltas(losses) <= budget.delta.value();
  if (few_deltas && sum_of_epsilons(losses) <= budget.epsilon.value()) return true;
  const double remaining = remaining_delta(losses, budget.delta);
  if (remaining < 0) return false;
  if (by_formula(losses, remaining) <= budget.epsilon.value()) return true;
  if (!(remaining > 0)) return false;
  return pure_parts(losses).delta(budget.epsilon) <= remaining;
}

std::vector<double> scale_to_budget(const std::vector<ReleaseLoss>& free,
                                    const std::vector<ReleaseLoss>& held,
                                    const ReleaseLoss& budget) {
  const auto fits = [&](double factor) {
    std::vector<ReleaseLoss> all = scaled(free, factor);
    all.insert(all.end(), held.begin(), held.end());
    return composes_within(all, budget);
  };
  double largest = 0;
  for (const ReleaseLoss& loss : free) largest = std::max(largest, loss.epsilon.value());
  if (!(largest > 0) || !fits(0)) {
    throw Error(ErrorKind::invalid_distance, "what is held must leave a part of the budget.");
  }

  double high = div_up(budget.epsilon.value(), largest);
  double low = 0;
  const double left = budget.epsilon.value() - sum_of_epsilons(held);
  if (left > 0) {
    // Rounding can make the equal share an ulp too large.
    const double share = left / sum_of_epsilons(free);
    for (const double factor : {share, share * (1 - 0x1p-40)}) {
      if (low == 0 && fits(factor)) low = factor;
    }
  }
  if (fits(high)) low = high;
  const bool is_exact = pure_parts(free).is_exact();
  while (high - low > (is_exact ? 1e-10 : 1e-5) * high) {
    const double middle = low + (high - low) / 2;
    // No double lies between subnormal neighbours, however far apart they are in proportion.
    if (middle == low || middle == high) break;
    (fits(middle) ? low : high) = middle;
  }
  std::vector<double> epsilons;
  for (const ReleaseLoss& loss : scaled(free, low)) epsilons.push_back(loss.epsilon.value());
  if (!(*std::min_element(epsilons.begin(), epsilons.end()) > 0)) {
    throw Error(ErrorKind::invalid_distance, "what is held must leave a part of the budget.");
  }
  return epsilons;
}

}  // namespace dp
