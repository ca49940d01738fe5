// Goodness of fit of many draws to an integer law, for laws symmetric about 0.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

namespace dp {

// P[lower <= X <= upper].
using IntervalLaw = std::function<double(double lower, double upper)>;

IntervalLaw discrete_laplace_intervals(double scale);

// Summed directly; from sigma = 2^14 on the integral between half-integers, whose relative error is
// then below sigma^-2.
IntervalLaw discrete_gaussian_intervals(double sigma);

// Counts of draws in bins of `width` integers, the middle one around 0.
class Histogram {
 public:
  explicit Histogram(std::int64_t width) : width_(width) {}

  void add(std::int64_t x) {
    std::int64_t shifted = x + width_ / 2;
    if (shifted < 0) shifted -= width_ - 1;
    ++count_[shifted / width_];
    ++size_;
  }

  // The probability of a worse fit. Bins in which fewer than 25 draws are expected go to two tails.
  double p_value(const IntervalLaw& law) const;

 private:
  std::int64_t width_;
  std::map<std::int64_t, double> count_;
  double size_ = 0;
};

std::int64_t bin_width(double scale);

}  // namespace dp
