// Privacy parameters and significance as types: a number in the wrong place does not compile, and a
// number out of range cannot be one. NaN and negative numbers are refused with invalid_distance; -0
// becomes 0.
#pragma once

#include "core/error.h"

namespace dp {
namespace parameters {

inline double require(bool holds, double value, const char* sentence) {
  if (!holds) throw Error(ErrorKind::invalid_distance, sentence);
  return value + 0.0;  // -0 + 0 is 0
}

}  // namespace parameters

// Loss under pure or approximate differential privacy. Infinite: no protection.
class Epsilon {
 public:
  explicit Epsilon(double value)
      : value_(parameters::require(value >= 0, value, "`epsilon` must not be negative.")) {}
  double value() const { return value_; }

 private:
  double value_;
};

// Probability that a loss exceeds its epsilon.
class Delta {
 public:
  explicit Delta(double value)
      : value_(parameters::require(
            value >= 0 && value <= 1, value, "`delta` must be between zero and one.")) {}
  double value() const { return value_; }

 private:
  double value_;
};

// Loss under zero-concentrated differential privacy. Infinite: no protection.
class Rho {
 public:
  explicit Rho(double value)
      : value_(parameters::require(value >= 0, value, "`rho` must not be negative.")) {}
  double value() const { return value_; }

 private:
  double value_;
};

// Probability that an accuracy or interval statement fails.
class Alpha {
 public:
  explicit Alpha(double value)
      : value_(parameters::require(value > 0 && value <= 1, value, "`alpha` must be in (0, 1].")) {}
  double value() const { return value_; }

 private:
  double value_;
};

}  // namespace dp
