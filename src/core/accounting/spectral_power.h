// Sums of many independent numbers on a grid, by products of spectra.
#pragma once

#include <cstdint>
#include <vector>

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

// The sum of all draws at the points from `first` up to below `end`, where masses of at most
// `outside` lie elsewhere. These come back in at the other end, with either sign, so they are part
// of the error. The rest of it is computed along with the masses. Let F be the spectrum of a term,
// computed as F' with |F' - F| <= e (numeric/negacyclic.h), and g = |F'| + e. The computed product
// of the powers F'^k differs from the real one by at most
//
//   prod g^k * sum(k e / g + 5 k u),
//
// the first part by replacing factor after factor, the second for the products, sqrt(5) u each and
// less than 2 k of them. Transformed back, the mean of that over all frequencies, and the error of
// the transform, is the error of every mass.
ComposedMasses compose_tilted(const std::vector<TiltedTerm>& terms,
                              std::int64_t first,
                              std::int64_t end,
                              double outside);

}  // namespace dp
