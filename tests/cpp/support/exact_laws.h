// Laws of noise and their divergences, from the definitions and to more than 200 bits.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>

#ifdef DP_HAVE_MPFR
#include <boost/multiprecision/mpfr.hpp>
#endif

namespace dp::test {

// MPFR takes a tenth of Boost's time for exponentials and logarithms, because sanitizers instrument
// Boost.
#ifdef DP_HAVE_MPFR
template <unsigned Digits>
using FloatOfDigits = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
#else
template <unsigned Digits>
using FloatOfDigits = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>,
                                                    boost::multiprecision::et_off>;
#endif
using Wide = FloatOfDigits<77>;

// Far above the error of a few thousand operations, and far below the resolution of any double.
inline Wide slack() { return ldexp(Wide(1), -150); }

// P[Z = z], negligible outside -reach .. reach.
struct Law {
  std::function<Wide(long)> mass;
  long reach;
};

Law laplace_law(Wide scale, long reach);
Law gaussian_law(Wide sigma);

// Divergence between Z and Z + shift of order alpha > 1: ln(E[(P / Q)^(alpha - 1)]) / (alpha - 1).
Wide renyi_divergence_of(const Law& law, long shift, Wide alpha);

// max over events S of P[Z in S] - exp(epsilon) P[Z + shift in S].
Wide hockey_stick_of(const Law& law, long shift, Wide epsilon);

}  // namespace dp::test
