#include "random/laws.h"

#include <cmath>

namespace dp {

Law uniform_law(int n) {
  return [n](const Integer& x) { return x >= 0 && x < n ? 1.0 / n : 0.0; };
}

Law bernoulli_law(double p) {
  return [p](const Integer& x) { return x == 1 ? p : x == 0 ? 1 - p : 0.0; };
}

Law geometric_law(double rate) {
  return [rate](const Integer& x) {
    return x < 0 ? 0.0 : -std::expm1(-rate) * std::exp(-rate * static_cast<double>(x));
  };
}

Law discrete_laplace_law(double scale) {
  return [scale](const Integer& x) {
    return std::tanh(0.5 / scale) * std::exp(-std::abs(static_cast<double>(x)) / scale);
  };
}

// Normalised by direct summation.
Law discrete_gaussian_law(double sigma) {
  double total = 1;
  for (int x = 1; x < 40 * sigma + 40; ++x) total += 2 * std::exp(-0.5 * x * x / (sigma * sigma));
  return [sigma, total](const Integer& x) {
    const double y = static_cast<double>(x) / sigma;
    return std::exp(-0.5 * y * y) / total;
  };
}

}  // namespace dp
