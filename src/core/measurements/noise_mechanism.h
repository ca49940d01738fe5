// One mechanism and one map for Laplace and Gaussian noise on every number type.
#pragma once

#include <memory>
#include <optional>

#include "core/measurements/measurement.h"
#include "core/measurements/noise_loss.h"
#include "core/measurements/noise_stage.h"

namespace dp {

// A family of integer noise, and the privacy loss of a shift.
struct NoiseFamily {
  Measure measure;
  MetricKind norm;  // of vectors: l1 or l2
  std::shared_ptr<const GridNoise> (*noise)(const Rational& scale);
  double (*loss)(const Rational& shift, const Rational& scale);  // rounded up
  // The law of that loss for `size` numbers; may be empty (noise_loss.h).
  ShiftLoss (*shift_loss)(const Rational& scale, std::optional<std::uint64_t> size);
};

// Adds noise of the family, of the given scale (in the unit of the data), to one number (atom,
// AbsoluteDistance) or to a vector (vector of atoms, the distance of the family's norm).
//
// Privacy: if the data move by at most d_in, then on the grid they move by at most
//   d = (d_in + r) / 2^k,   r = (2^k - 2^k_min) * n (l1) or * sqrt(n) (l2), 0 for integers,
// because rounding moves each of n coordinates by the bound of noise_grid.h. The released integers
// are integer noise of scale sigma = scale / 2^k around data at most d apart, so the loss is
// loss(d, sigma). Converting back from the grid is postprocessing. All of it is exact rational
// arithmetic, rounded up once.
//
// Throws metric_space or make_measurement if the elements may be NaN; make_measurement for an
// invalid `k`, a negative scale, or a vector of unknown size whose rounding is not exact;
// make_transformation for a scale that is not finite; `type` for any other domain or metric. The
// map throws failed_map for a distance that is negative or not finite.
Measurement make_additive_noise(const Domain& input_domain,
                                const Metric& input_metric,
                                double scale,
                                std::optional<int> k,
                                const NoiseFamily& family);

// Throws `type` unless `asked` is the measure that the mechanism guarantees.
void check_noise_measure(const Measure& asked, const Measure& guaranteed);

}  // namespace dp
