// Which scales noise may have, and the search for the least one that keeps a promise.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/numeric/rational.h"

namespace dp {

// The scale as an exact number. Throws make_transformation unless it is finite, make_measurement if
// it is negative.
Rational checked_scale(double scale);

// The least double from 0 up for which holds(value) is true; once true, `holds` must stay true.
// Throws search if it is false for every finite one.
//
// Non-negative doubles are ordered like their bit patterns, so 64 halvings find the exact answer at
// any magnitude.
template <class F>
double least_double(F&& holds) {
  const auto value = [](std::uint64_t pattern) {
    double x;
    std::memcpy(&x, &pattern, sizeof x);
    return x;
  };
  std::uint64_t low = 0;
  std::uint64_t high = 0x7FEFFFFFFFFFFFFF;
  static_assert(std::numeric_limits<double>::is_iec559);
  if (!holds(value(high))) {
    throw Error(ErrorKind::search, "no finite noise scale meets the target.");
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(value(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return value(high);
}

}  // namespace dp
