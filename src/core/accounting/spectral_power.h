// Sums of many independent numbers on a grid, by products of spectra.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numeric/negacyclic.h"

namespace dp {

// A law on consecutive grid points from `first` on, `times` independent draws of it. Its total is
// about 1.
struct TiltedTerm {
  std::vector<double> masses;
  std::int64_t first;
  std::uint64_t times;
};

// masses[i] is the mass of the sum at the point first + i, within `error`, and not negative.
struct ComposedMasses {
  std::vector<double> masses;
  double error;
};

// Sums at the points from `first` up to below `end`, if masses of at most `outside` are elsewhere.
// These wrap around to the other end, with either sign, so they are part of the error. The rest of
// the error is computed along with the masses. Let F be the spectrum of a term, computed as F' with
// |F' - F| <= e (numeric/negacyclic.h), and g = |F'| + e. The computed product of the powers F'^k
// differs from the real one by at most
//
//   prod g^k * r * exp(r),   r = sum(k e / g + 5 k u).
//
// The first part of r comes from replacing one factor after the other. The second covers fewer than
// 2 k products, sqrt(5) u each. exp(r) also covers the rounding of the bound. The error of every
// mass is the mean of that bound over all frequencies, transformed back, plus the error of the
// transform.
class SpectralPower {
 public:
  ComposedMasses compose(const std::vector<TiltedTerm>& terms,
                         std::int64_t first,
                         std::int64_t end,
                         double outside);

 private:
  // A frequency where the current product is not negligible.
  struct Frequency {
    std::size_t index;
    double re;
    double im;
    double magnitude;  // prod g^k
    double relative;   // r
  };

  void multiply(const TiltedTerm& term, bool is_first);

  // Tables that all transforms of one size share, kept from one sum to the next.
  std::optional<NegacyclicTransform> transform_;
  std::vector<double> sequence_;
  std::vector<Frequency> product_;
  double log_magnitude_ = 0;  // no product of powers is above exp() of it
};

}  // namespace dp
