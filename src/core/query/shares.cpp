#include "core/query/shares.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dp::query {

Shares shares_of(const std::vector<double>& counts,
                 const std::optional<NoiseLaw>& law,
                 Alpha alpha) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const CombinedReach combined(law ? law->kind() : NoiseKind::gaussian, alpha);
  const double deviation = law ? law->deviation() : 0;
  const double others = static_cast<double>(counts.size()) - 1;
  // One count has the factor `own`, each of the others the factor `other`.
  const auto reach = [&](double own, double other) {
    const double one = deviation * own;
    const double each = deviation * other;
    const double variance = one * one + others * each * each;
    const double fourth = combined.fourth_cumulant(one) + others * combined.fourth_cumulant(each);
    const double step = variance > 0 ? std::max(own, other) : 0;
    return combined.of(variance, fourth) + step / 2;
  };
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  Shares shares;
  for (const double count : counts) {
    if (!(total > reach(1, 1))) {
      for (auto* numbers : {&shares.values, &shares.lower, &shares.upper}) {
        numbers->push_back(kNone);
      }
      continue;
    }
    const double share = std::clamp(count / total, 0.0, 1.0);
    const Range range =
        ratios_about(share, count, total, {0, 1}, [&](double p) { return reach(1 - p, p); });
    shares.values.push_back(share);
    shares.lower.push_back(range.lower);
    shares.upper.push_back(range.upper);
  }
  return shares;
}

}  // namespace dp::query
