// Goodness of fit of draws to an integer law that is symmetric about 0.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

namespace dp {

// P[lower <= X <= upper].
using IntervalLaw = std::function<double(double lower, double upper)>;

IntervalLaw discrete_laplace_intervals(double scale);

// Direct sum. From sigma = 2^14 on, the integral between half-integers, whose relative error is
// then below sigma^-2.
IntervalLaw discrete_gaussian_intervals(double sigma);

// Counts of draws in bins of `width` integers. The middle bin is centred at 0.
class Histogram {
 public:
  explicit Histogram(std::int64_t width) : width_(width) {}

  void add(std::int64_t x) {
    std::int64_t shifted = x + width_ / 2;
    if (shifted < 0) shifted -= width_ - 1;
    ++count_[shifted / width_];
    ++size_;
  }

  // Probability of a worse fit. Bins with fewer than 25 expected draws are merged into two tails.
  double p_value(const IntervalLaw& law) const;

 private:
  std::int64_t width_;
  std::map<std::int64_t, double> count_;
  double size_ = 0;
};

std::int64_t bin_width(double scale);

}  // namespace dp
