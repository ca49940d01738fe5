// Convolution of loss distributions where their tail is, with every error accounted for.
//
// A distribution is tilted by exp(theta * loss) and scaled to a total of 1, which turns the far
// tail into its middle. Tilted ones compose by a product of spectra; the tilt is undone afterwards.
// An error that is small next to the middle of the tilted distribution is then small next to the
// tail of the real one, where without tilting it would be larger than what is computed. Source:
// Koskela, Jaelkoe and Honkela (2020), "Computing Tight Differential Privacy Guarantees Using FFT",
// for composition by Fourier transforms; the tilt is Cramer's.
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
// precision, but for `bound`, which is at least the function.
struct TiltedMoments {
  double bound;
  double mean;
  double deviation;
};
TiltedMoments tilted_moments(const std::vector<LossTerm>& terms, double theta);

// An upper bound of the sum's delta for losses that are finite: at (first + i) * step the i-th
// number; in between, the chord in exp(epsilon); anywhere, exp(bound - theta * epsilon).
struct TiltedCurve {
  std::int64_t first;
  std::vector<double> deltas;  // do not increase
  double theta;
  double bound;
};

// For theta >= 0, where the moments are `here`. Empty if more than 2^`most_bits` points would be
// needed.
std::optional<TiltedCurve> tilted_curve(const std::vector<LossTerm>& terms,
                                        double theta,
                                        const TiltedMoments& here,
                                        int most_bits,
                                        SpectralPower& spectral);

// That of one draw, without a transform and its errors.
TiltedCurve untilted_curve(const LossGrid& grid);

}  // namespace dp
