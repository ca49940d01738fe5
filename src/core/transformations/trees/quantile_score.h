// Distance of a candidate from being a quantile, in whole numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/error.h"
#include "core/numeric/limits.h"
#include "core/numeric/rank_gap.h"
#include "core/numeric/rational.h"

namespace dp {

// alpha as num / den, and how many rows may count on one side.
struct QuantileScore {
  // Throws make_transformation if alpha is outside of [0, 1], and overflow if the size is 0.
  QuantileScore(double alpha, std::optional<std::uint64_t> size) {
    if (!(0 <= alpha && alpha <= 1)) {
      throw Error(ErrorKind::make_transformation, "alpha must be within [0, 1]");
    }
    constexpr std::uint64_t kMost = kMax<std::uint64_t>;
    if (size && *size == 0) throw Error(ErrorKind::overflow, "the size must not be zero.");
    const std::uint64_t limit = size ? kMost / *size : 10000;
    const Rational exact = exact_rational(alpha);
    if (denominator(exact) < limit) {
      num = static_cast<std::uint64_t>(numerator(exact));
      den = static_cast<std::uint64_t>(denominator(exact));
    } else {
      // Not 2^64, even for limit = kMost: an alpha below 1 is at most 1 - 2^-53.
      num = static_cast<std::uint64_t>(alpha * static_cast<double>(limit));
      den = limit;
    }
    rows = size ? *size : kMost / den;
  }

  std::uint64_t score(std::uint64_t below, std::uint64_t above) const {
    const std::uint64_t left = (den - num) * std::min(below, rows);
    const std::uint64_t right = num * std::min(above, rows);
    return left > right ? left - right : right - left;
  }

  // With the rows at the candidate on either side of it, see rank_gap.h.
  std::uint64_t gap(std::uint64_t below, std::uint64_t equal, std::uint64_t above) const {
    return rank_gap(num,
                    den - num,
                    std::min(below, rows),
                    std::min(equal + above, rows),
                    std::min(above, rows),
                    std::min(below + equal, rows));
  }

  std::uint64_t num;
  std::uint64_t den;
  std::uint64_t rows;
};

}  // namespace dp
