#include "support/finite_laws.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cstddef>
#include <optional>
#include <utility>

namespace dp::test {

Wide max_divergence_of(const FiniteLaw& p, const FiniteLaw& q) {
  Wide worst = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    if (q[i] == 0) return 1e9;
    worst = std::max(worst, Wide(log(p[i] / q[i])));
  }
  return worst;
}

namespace {

// ln P and ln Q of each outcome of P.
using Logarithms = std::vector<std::pair<Wide, Wide>>;

// Empty if an outcome of P is impossible under Q.
std::optional<Logarithms> logarithms_of(const FiniteLaw& p, const FiniteLaw& q) {
  Logarithms logs;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    if (q[i] == 0) return std::nullopt;
    logs.emplace_back(log(p[i]), log(q[i]));
  }
  return logs;
}

Wide renyi_divergence_of(const Logarithms& logs, const Wide& alpha) {
  Wide sum = 0;
  for (const auto& [log_p, log_q] : logs) sum += exp(alpha * log_p + (1 - alpha) * log_q);
  return log(sum) / (alpha - 1);
}

}  // namespace

Wide renyi_divergence_of(const FiniteLaw& p, const FiniteLaw& q, const Wide& alpha) {
  const auto logs = logarithms_of(p, q);
  return logs ? renyi_divergence_of(*logs, alpha) : Wide(1e9);
}

Wide hockey_stick_of(const FiniteLaw& p, const FiniteLaw& q, const Wide& epsilon) {
  const Wide factor = exp(epsilon);
  Wide sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Wide gain = p[i] - factor * q[i];
    if (gain > 0) sum += gain;
  }
  return sum;
}

Wide least_rho_of(const FiniteLaw& p, const FiniteLaw& q) {
  const auto logs = logarithms_of(p, q);
  if (!logs) return 1e9;
  Wide worst = 0;
  for (double alpha : {1.01, 2.0, 8.0, 64.0, 512.0}) {
    worst = std::max(worst, Wide(renyi_divergence_of(*logs, alpha) / alpha));
  }
  return worst;
}

double fit(const std::vector<double>& counts, const FiniteLaw& law) {
  double size = 0;
  for (double count : counts) size += count;
  double statistic = 0;
  double rare_count = 0, rare_expected = 0;
  int bins = 0;
  const auto add = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    ++bins;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = size * static_cast<double>(law[i]);
    if (expected == 0 && counts[i] > 0) return 0;
    if (expected >= 5) {
      add(counts[i], expected);
    } else {
      rare_count += counts[i];
      rare_expected += expected;
    }
  }
  if (rare_expected >= 5) add(rare_count, rare_expected);
  const double p = bins < 2 ? 1 : boost::math::gamma_q(0.5 * (bins - 1), 0.5 * statistic);
  if (rare_expected >= 5 || rare_count == 0) return p;
  // Probability of at least this many rare draws: the tail of a Poisson law.
  return std::min(p, boost::math::gamma_p(rare_count, rare_expected));
}

}  // namespace dp::test
