// The laws of noise and their divergences, to more than 200 bits and from the definitions alone.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>

#ifdef DP_HAVE_MPFR
#include <boost/multiprecision/mpfr.hpp>
#endif

namespace dp::test {

// MPFR's exponentials and logarithms take a tenth of the time of Boost's own, which the sanitizers
// look at.
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

// Far above the error of a few thousand operations, far below anything that a double can claim.
inline Wide slack() { return ldexp(Wide(1), -150); }

// P[Z = z], negligible outside of -reach .. reach.
struct Law {
  std::function<Wide(long)> mass;
  long reach;
};

Law laplace_law(Wide scale, long reach);
Law gaussian_law(Wide sigma);

// Between Z and Z + shift, at order alpha > 1: ln(E[(P / Q)^(alpha - 1)]) / (alpha - 1).
Wide renyi_divergence_of(const Law& law, long shift, Wide alpha);

// max over events S of P[Z in S] - exp(epsilon) P[Z + shift in S].
Wide hockey_stick_of(const Law& law, long shift, Wide epsilon);

}  // namespace dp::test
