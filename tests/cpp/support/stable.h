// Checks for every transformation of rows (threats.md D-SEN-1, D-DOM-1).
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "support/neighbours.h"

namespace dp::test {

// The map covers fuzzed neighbours and all small ones over `values`, and some attain it. At half
// the distance, the map no longer covers them.
template <class T>
void expect_stable(const Transformation& t,
                   const std::vector<Row<T>>& values,
                   double tightness = 1) {
  StabilityCheck<T> check(t);
  fuzz(check, 20, 2000, values);
  exhaust<T>(check, values, 4);
  EXPECT_TRUE(check.passed()) << check.report();
  EXPECT_GE(check.tightness(), tightness) << check.report();

  StabilityCheck<T> mutant(with_map(t, [&](const Distance& d_in) {
    return t.map(Distance(Scalar(number_in<std::uint32_t>(d_in) / 2)));
  }));
  fuzz(mutant, 20, 500, values);
  exhaust<T>(mutant, values, 3);
  EXPECT_TRUE(mutant.is_refuted());
}

// With `function` replacing its function, t leaves the declared domain or moves further than
// declared.
template <class T>
void expect_rejected(const Transformation& t,
                     const Function& function,
                     const std::vector<Row<T>>& values) {
  StabilityCheck<T> mutant(with_function(t, function));
  fuzz(mutant, 21, 500, values);
  exhaust<T>(mutant, values, 3);
  EXPECT_TRUE(mutant.is_refuted());
}

// The four distances between datasets, with a size for domains that need one.
inline std::vector<std::pair<Metric, std::optional<std::uint64_t>>> dataset_spaces() {
  return {{symmetric_distance(), {}},
          {insert_delete_distance(), {}},
          {change_one_distance(), 4},
          {hamming_distance(), 4}};
}

}  // namespace dp::test
