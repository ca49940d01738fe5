// Point masses of the laws of core/random, in double: tests of samplers compare with them at a
// tolerance far above the rounding of these formulas.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "core/numeric/integer.h"
#include "random/enumeration.h"

namespace dp {

inline Law uniform_law(int n) {
  return [n](const Integer& x) { return x >= 0 && x < n ? 1.0 / n : 0.0; };
}

inline Law bernoulli_law(double p) {
  return [p](const Integer& x) { return x == 1 ? p : x == 0 ? 1 - p : 0.0; };
}

inline Law geometric_law(double rate) {
  return [rate](const Integer& x) {
    return x < 0 ? 0.0 : -std::expm1(-rate) * std::exp(-rate * static_cast<double>(x));
  };
}

inline Law discrete_laplace_law(double scale) {
  return [scale](const Integer& x) {
    return std::tanh(0.5 / scale) * std::exp(-std::abs(static_cast<double>(x)) / scale);
  };
}

// Normalised by direct summation.
inline Law discrete_gaussian_law(double sigma) {
  double total = 1;
  for (int x = 1; x < 40 * sigma + 40; ++x) total += 2 * std::exp(-0.5 * x * x / (sigma * sigma));
  return [sigma, total](const Integer& x) {
    const double y = static_cast<double>(x) / sigma;
    return std::exp(-0.5 * y * y) / total;
  };
}

}  // namespace dp
