// Shares of noisy counts in their total, with intervals.
#pragma once

#include <optional>
#include <vector>

#include "core/query/combined_noise.h"

namespace dp::query {

struct Shares {
  std::vector<double> values, lower, upper;
};

// Divides each count by the sum of all. The noise of the counts is independent with one law;
// without a law there is no noise. Fieller's interval contains a share p if |n - p t| is within the
// reach of its noise: 1 - p times the noise of the count, and p times the noise of all other
// counts. Shares are within [0, 1]. All are NaN if noise does not exclude a total of 0.
Shares shares_of(const std::vector<double>& counts,
                 const std::optional<NoiseLaw>& law,
                 Alpha alpha);

}  // namespace dp::query
