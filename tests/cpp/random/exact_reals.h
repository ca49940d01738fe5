// MPFR as the oracle: the correct results of samplers, from formulas evaluated at 400 bits.
#pragma once

#include <mpfr.h>

#include <cstdint>

#include "core/numeric/integer.h"

namespace dp {

// A real number at 400 bits. Every operation rounds to nearest, so results of a few operations have
// a relative error of 2^-390. This is far below all differences in the tests.
class ExactReal {
 public:
  ExactReal() { mpfr_init2(value_, kPrecision); }
  ExactReal(double x) : ExactReal() { mpfr_set_d(value_, x, MPFR_RNDN); }
  explicit ExactReal(const Integer& x) : ExactReal() {
    mpfr_set_str(value_, x.str().c_str(), 10, MPFR_RNDN);
  }
  explicit ExactReal(const Rational& x) : ExactReal(Integer(numerator(x))) {
    *this = *this / ExactReal(Integer(denominator(x)));
  }
  ExactReal(const ExactReal& other) : ExactReal() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  ExactReal& operator=(const ExactReal& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~ExactReal() { mpfr_clear(value_); }

  friend ExactReal operator+(const ExactReal& a, const ExactReal& b) { return a.with(mpfr_add, b); }
  friend ExactReal operator-(const ExactReal& a, const ExactReal& b) { return a.with(mpfr_sub, b); }
  friend ExactReal operator*(const ExactReal& a, const ExactReal& b) { return a.with(mpfr_mul, b); }
  friend ExactReal operator/(const ExactReal& a, const ExactReal& b) { return a.with(mpfr_div, b); }
  friend bool operator<(const ExactReal& a, const ExactReal& b) {
    return mpfr_less_p(a.value_, b.value_) != 0;
  }
  friend bool operator<=(const ExactReal& a, const ExactReal& b) { return !(b < a); }

  ExactReal exp() const { return with(mpfr_exp); }
  ExactReal log() const { return with(mpfr_log); }
  ExactReal times_power_of_two(long exponent) const {
    ExactReal out;
    mpfr_mul_2si(out.value_, value_, exponent, MPFR_RNDN);
    return out;
  }
  std::uint64_t floor() const { return mpfr_get_uj(value_, MPFR_RNDD); }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  static constexpr mpfr_prec_t kPrecision = 400;

  template <class Operation>
  ExactReal with(Operation operation, const ExactReal& other) const {
    ExactReal out;
    operation(out.value_, value_, other.value_, MPFR_RNDN);
    return out;
  }
  template <class Operation>
  ExactReal with(Operation operation) const {
    ExactReal out;
    operation(out.value_, value_, MPFR_RNDN);
    return out;
  }

  mpfr_t value_;
};

// word * 2^-bits.
inline ExactReal uniform_from(const Integer& word, long bits) {
  return ExactReal(word).times_power_of_two(-bits);
}

}  // namespace dp
