// Convolution of loss distributions in their tail, with every error accounted for.
//
// A distribution is tilted by exp(theta * loss) and scaled to a total of 1, which turns the far
// tail into its middle. Tilted distributions compose by a product of spectra; then the tilt is
// undone. An error that is small relative to the middle of the tilted distribution is then small
// relative to the tail of the original one. Without tilting, the error would exceed the tail.
//
// Source: Koskela, Jaelkoe and Honkela (2020), "Computing Tight Differential Privacy Guarantees
// Using FFT", for composition by Fourier transforms; Cramer for the tilt.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/accounting/spectral_power.h"
#include "core/measures/loss_grid.h"

namespace dp {

// A distribution on a grid, `times` independent draws of it.
struct LossTerm {
  LossGrid grid;
  std::uint64_t times;
};

// The cumulant generating function of the sum of all finite losses and its derivatives, in ordinary
// precision. Only `bound` is a rigorous upper bound of the function.
struct TiltedMoments {
  double bound;
  double mean;
  double deviation;
};
TiltedMoments tilted_moments(const std::vector<LossTerm>& terms, double theta);

// An upper bound of the sum's delta for finite losses. It is the i-th number at (first + i) * step,
// the chord in exp(epsilon) in between, and exp(bound - theta * epsilon) everywhere.
struct TiltedCurve {
  std::int64_t first;
  std::vector<double> deltas;  // do not increase
  double theta;
  double bound;
};

// The curve for theta >= 0, whose moments are `here`. Empty if more than 2^`most_bits` points would
// be needed.
std::optional<TiltedCurve> tilted_curve(const std::vector<LossTerm>& terms,
                                        double theta,
                                        const TiltedMoments& here,
                                        int most_bits,
                                        SpectralPower& spectral);

// The curve of one draw, without a transform and its errors.
TiltedCurve untilted_curve(const LossGrid& grid);

}  // namespace dp
