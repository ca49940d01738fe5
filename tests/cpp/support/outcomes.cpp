#include "support/outcomes.h"

#include <algorithm>

namespace dp::test {

Outcomes product(const Outcomes& first, const Outcomes& second) {
  Outcomes all;
  for (const Outcome& a : first) {
    for (const Outcome& b : second) all.push_back({a.p * b.p, a.q * b.q});
  }
  // Sorts by ratio, because only the ratio decides on which side of an epsilon an outcome is.
  std::sort(all.begin(), all.end(), [](const Outcome& a, const Outcome& b) {
    return a.p * b.q < b.p * a.q;
  });
  Outcomes merged;
  for (const Outcome& each : all) {
    const bool same =
        !merged.empty() && abs(Wide(merged.back().p * each.q - each.p * merged.back().q)) <
                               ldexp(Wide(1), -200) * merged.back().p * each.q;
    if (same) {
      merged.back().p += each.p;
      merged.back().q += each.q;
    } else {
      merged.push_back(each);
    }
  }
  return merged;
}

Wide delta_of(const Outcomes& outcomes, const Wide& epsilon) {
  const Wide factor = exp(epsilon);
  Wide delta = 0;
  for (const Outcome& each : outcomes) delta += std::max(Wide(0), Wide(each.p - factor * each.q));
  return delta;
}

Outcomes laplace_outcomes(const Wide& scale, long d) {
  if (d == 0) return {{1, 1}};
  const Wide t = exp(-1 / scale);
  Outcomes all = {{1 / (1 + t), pow(t, static_cast<int>(d)) / (1 + t)}};
  for (long z = 1; z < d; ++z) {
    const Wide peak = (1 - t) / (1 + t);
    all.push_back({peak * pow(t, static_cast<int>(z)), peak * pow(t, static_cast<int>(d - z))});
  }
  all.push_back({all[0].q, all[0].p});
  return all;
}

}  // namespace dp::test
