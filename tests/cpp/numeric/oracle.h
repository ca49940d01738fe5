// Test support: MPFR as an independent oracle.
#pragma once

#include <mpfr.h>

#include <ios>

#include "core/numeric/integer.h"
#include "numeric/operands.h"

namespace dp::oracle {

// An MPFR number. Rounding up to more bits and then up to fewer equals rounding up once, so
// directed results need no exact intermediate.
class Mpfr {
 public:
  explicit Mpfr(mpfr_prec_t bits = 160) { mpfr_init2(x_, bits); }
  Mpfr(double value, mpfr_prec_t bits) : Mpfr(bits) { mpfr_set_d(x_, value, MPFR_RNDN); }
  ~Mpfr() { mpfr_clear(x_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  mpfr_ptr get() { return x_; }

  template <class F>
  F to(mpfr_rnd_t direction) {
    if constexpr (sizeof(F) == sizeof(double)) return mpfr_get_d(x_, direction);
    return mpfr_get_flt(x_, direction);
  }

 private:
  mpfr_t x_;
};

// q = n / d to `bits` bits, rounded in `direction`; d > 0.
inline void set(Mpfr& out, const Rational& q, mpfr_rnd_t direction) {
  const auto exact = [](const Integer& i) { return Integer(abs(i)).str(0, std::ios_base::hex); };
  Mpfr n(1 << 14), d(1 << 14);
  mpfr_set_str(n.get(), exact(numerator(q)).c_str(), 16, MPFR_RNDN);
  mpfr_set_str(d.get(), exact(denominator(q)).c_str(), 16, MPFR_RNDN);
  if (q < 0) mpfr_neg(n.get(), n.get(), MPFR_RNDN);
  mpfr_div(out.get(), n.get(), d.get(), direction);
}

}  // namespace dp::oracle
