// Many exponentials in one progression, for the price of a product each.
#pragma once

#include <cstddef>
#include <vector>

namespace dp {

// exp(-rate k) for k = 0, ..., count - 1 and rate >= 0, each within a relative 20 u, and 2 u of
// rate k, but held at exp(-700) below that, which so is above the real value. A number of the table
// is the product of two exponentials, each within 8 u (numeric/approx.h).
class Decay {
 public:
  Decay(double rate, std::size_t count);

  double at(std::size_t k) const {
    const double power = coarse_[k / kRun] * fine_[k % kRun];
    return power < kLeast ? kLeast : power;
  }

 private:
  static constexpr std::size_t kRun = 256;
  static constexpr double kLeast = 0x1.15p-1010;  // exp(-700), from above

  std::vector<double> coarse_;  // exp(-rate kRun k)
  std::vector<double> fine_;    // exp(-rate k), k < kRun
};

}  // namespace dp
