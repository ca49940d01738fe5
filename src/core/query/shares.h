// Shares of noisy counts in their total, with intervals.
#pragma once

#include <optional>
#include <vector>

#include "core/query/combined_noise.h"

namespace dp::query {

struct Shares {
  std::vector<double> values, lower, upper;
};

// Each count over the sum of all. The noise of the counts is independent and of one law; without a
// law there is none. A share p is in an interval, Fieller's, if |n - p t| is within the reach of
// its noise: 1 - p times that of the count, and p times that of all others. Shares are within [0,
// 1]. All are NaN if noise does not exclude that the total is 0.
Shares shares_of(const std::vector<double>& counts,
                 const std::optional<NoiseLaw>& law,
                 Alpha alpha);

}  // namespace dp::query
