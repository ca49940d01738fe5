// Privacy losses that add up: (epsilon, delta) or (rho, delta), in exact amounts.
//
// Privacy: a total may be spent in adaptively chosen parts. Let each release be charged a loss,
// which may depend on earlier releases, before it is drawn. Let it be drawn only if the sum of all
// charges stays within the total in both parts. Then all releases together lose at most the total,
// for
//   - MaxDivergence, epsilon, and Approximate<MaxDivergence>, (epsilon, delta): Rogers, Roth,
//     Ullman and Vadhan (2016), "Privacy Odometers and Filters", Theorem 3.6;
//   - ZeroConcentratedDivergence, rho: Feldman and Zrnic (2021), "Individual Privacy Accounting via
//     a Renyi Filter", Theorem 3.1, applied to all orders at once;
//   - Approximate<ZeroConcentratedDivergence>, (rho, delta): Whitehouse, Ramdas, Rogers and Wu
//     (2023), "Fully-Adaptive Composition in Differential Privacy", Theorem 1.
//
// The last two hold for releases that answer at once. Releases on a ledger do, because a queryable
// cannot be charged to one.
#pragma once

#include <string>

#include "core/ledger/amount.h"
#include "core/ledger/json.h"
#include "core/measures/measure.h"
#include "core/metrics/distance.h"

namespace dp {

struct TotalLoss {
  Amount inner;  // epsilon or rho
  Amount delta;

  TotalLoss operator+(const TotalLoss& other) const {
    return {inner + other.inner, delta + other.delta};
  }
  // The difference of each part, or 0 if it is negative.
  TotalLoss minus(const TotalLoss& other) const {
    return {inner.minus(other.inner), delta.minus(other.delta)};
  }
  bool is_within(const TotalLoss& limit) const {
    return inner <= limit.inner && delta <= limit.delta;
  }
  bool operator==(const TotalLoss& other) const {
    return inner == other.inner && delta == other.delta;
  }
};

// The four measures above.
class LedgerMeasure {
 public:
  // Throws ErrorKind::ledger for other measures.
  explicit LedgerMeasure(const Measure& measure);

  // "Approximate<MaxDivergence>"
  std::string name() const;
  // "epsilon" or "rho"
  std::string unit() const { return is_concentrated_ ? "rho" : "epsilon"; }
  bool has_delta() const { return has_delta_; }

  // Converts a release's `loss` in `measure` to this measure, rounded up. A pure loss has delta =
  // 0, and epsilon is at most epsilon^2 / 2 in rho (Bun and Steinke (2016), "Concentrated
  // Differential Privacy", Proposition 1.4). Throws ErrorKind::budget for an infinite loss, and for
  // other measures.
  TotalLoss loss(const Measure& measure, const Distance& loss) const;
  // The total budget: the decimals of the numbers as written, so that five losses of 0.2 are within
  // a total of 1. Throws ErrorKind::budget unless both are finite and at least 0, and delta is
  // below 1, and 0 if the measure has none.
  TotalLoss total(double inner, double delta) const;
  struct Map {
    double inner;
    double delta;
  };

  // The cost of a release with privacy map `map`, which was built to stay within the decimals of
  // `asked`, see cost_within(). Throws invalid_distance if it does not, and as total() does.
  TotalLoss cost(const Map& map, const Map& asked) const;

  // {"delta":"0","rho":"0.05"}, and back; throws ErrorKind::ledger.
  Json json(const TotalLoss& loss) const;
  TotalLoss parse(const Json* json) const;
  // Text for readers, such as "rho 0.05, delta 1e-7", for a loss (up) or a remaining budget (down).
  std::string words_up(const TotalLoss& loss) const;
  std::string words_down(const TotalLoss& left) const;

 private:
  std::string words(const std::string& inner, const std::string& delta) const;

  bool is_concentrated_;
  bool has_delta_;
};

}  // namespace dp
