#include "core/query/key_threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/measurements/threshold.h"
#include "core/numeric/directed.h"
#include "core/numeric/least_value.h"
#include "core/numeric/rational.h"

namespace dp::query {
namespace {

constexpr std::uint64_t kMostCounts = 1024;  // of unstable groups that are tried one by one

double probability_up(double p) { return std::min(1.0, p); }

// Probability that at least one of n events, each of probability at most p, happens. Takes the
// smaller of two bounds; the first is coarse if p is near 2^-53.
double one_of(double p, std::uint64_t n) {
  const auto few = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(n, std::numeric_limits<std::uint32_t>::max()));
  const double sum = probability_up(mul_up(p, to_double_up(Rational(Integer(n)))));
  return few == n ? std::min(sum, any_of(p, few)) : sum;
}

// Probability that one of two independent events happens.
double either(double p, double q) {
  return probability_up(std::min(add_up(p, q), add_up(p, mul_up(q, sub_up(1.0, p)))));
}

double tail_beyond(const NoiseLaw& law, const Integer& threshold, std::uint64_t rows) {
  return probability_up(law.tail(threshold - rows));
}

}  // namespace

double plain_threshold_delta(const NoiseLaw& law,
                             const ContributionBound& bound,
                             const Integer& threshold) {
  if (bound.rows == 0) return 0;
  if (threshold < bound.rows_per_group) return 1;
  return one_of(tail_beyond(law, threshold, bound.rows_per_group), bound.groups);
}

double threshold_delta(const NoiseLaw& law,
                       const ContributionBound& bound,
                       const Integer& threshold) {
  const double plain = plain_threshold_delta(law, bound, threshold);
  if (plain == 0 || plain >= 1 || bound.rows_per_group == 1 || bound.groups > kMostCounts)
    return plain;
  const double full = tail_beyond(law, threshold, bound.rows_per_group);
  const double single = tail_beyond(law, threshold, 1);
  double worst = 0;
  for (std::uint64_t k = 1; k <= std::min(bound.groups, bound.rows); ++k) {
    // Each group has 1; from the remaining l1 - k, a group takes li - 1.
    const std::uint64_t others = bound.rows - k;
    const std::uint64_t most = std::min(k, others / (bound.rows_per_group - 1));
    double delta = one_of(full, most);
    std::uint64_t left = k - most;
    if (left > 0) {
      delta = either(delta, tail_beyond(law, threshold, 1 + others % (bound.rows_per_group - 1)));
      --left;
    }
    if (left > 0) delta = either(delta, one_of(single, left));
    worst = std::max(worst, delta);
  }
  return std::min(plain, worst);
}

Integer threshold_for_delta(const NoiseLaw& law, const ContributionBound& bound, Delta delta) {
  if (!(delta.value() > 0)) {
    throw Error(ErrorKind::keys, "groups with private keys need a loss with a `delta` above 0.");
  }
  const std::optional<double> least = least_value(Values::wholes, [&](double each) -> Taken {
    if (each < 1) return {false, std::numeric_limits<double>::infinity()};
    const double taken = threshold_delta(law, bound, Integer(static_cast<std::int64_t>(each)));
    return {taken <= delta.value(), taken / delta.value()};
  });
  if (!least)
    throw Error(ErrorKind::budget,
                "`delta` is too small for a threshold. Choose a larger `delta`.");
  return Integer(static_cast<std::int64_t>(*least));
}

}  // namespace dp::query
