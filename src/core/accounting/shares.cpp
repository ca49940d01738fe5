#include "core/accounting/shares.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

// Adds in the same order and rounding as compose().
double composed_sum(const std::vector<double>& losses) {
  double sum = 0;
  for (const double loss : losses) sum = add_up(sum, loss);
  return sum;
}

std::vector<double> shares_of(const Rational& whole,
                              const std::vector<double>& weights,
                              const Rational& total) {
  std::vector<double> shares;
  shares.reserve(weights.size());
  for (const double weight : weights) {
    shares.push_back(to_double_down(whole * exact_rational(weight) / total));
  }
  return shares;
}

}  // namespace

std::vector<double> share_epsilon(Epsilon budget, const std::vector<double>& weights) {
  if (!is_positive(budget.value()) || weights.empty() ||
      !std::all_of(weights.begin(), weights.end(), is_positive)) {
    throw Error(ErrorKind::invalid_distance, "a budget and its weights must be positive.");
  }
  Rational total(0);
  for (const double weight : weights) total += exact_rational(weight);
  const Rational whole = exact_rational(budget.value());
  std::vector<double> shares = shares_of(whole, weights, total);
  for (std::uint64_t m = 1; composed_sum(shares) > budget.value(); m *= 2) {
    shares = shares_of(whole * (1 - Rational(Integer(m)) * power_of_two(-53)), weights, total);
  }
  if (!(*std::min_element(shares.begin(), shares.end()) > 0)) {
    throw Error(ErrorKind::invalid_distance, "each share of the budget must be above 0.");
  }
  return shares;
}

}  // namespace dp
