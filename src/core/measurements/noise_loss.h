// The privacy-loss laws of additive noise.
//
// Integer noise is log-concave, so a threshold on the released number is the best test of one shift
// against another, and of the next shift again: a shift by d in steps costs what it costs at once,
// and a smaller shift less. One number that moves by d therefore stands for all that move by less.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"

namespace dp {

// From how far the data move on the grid to the pair of laws.
using ShiftLoss = std::function<LossPair(const Rational& shift)>;

// Discrete Laplace noise of `scale` on integers, however many, that move by at most `shift` in
// total. One number that moves by all of it dominates several that share it, because noise on
// several is a path of smaller shifts one after the other.
//
// P[Z = z] = tanh(1 / (2 scale)) exp(-|z| / scale); the loss is (|z - d| - |z|) / scale for
// d = floor(shift). Of up to 2^16 different losses each has its atom. Beyond, every z strictly
// between 0 and d is spread over (z - 1/2, z + 1/2) with density exp(-x / scale) / (2 scale): that
// has at least its mass under P as the density is convex, and cosh(1 / (2 scale)) times as much as
// its own under Q, for which the loss is raised by scale^-2.
ShiftLoss laplace_shift_loss(const Rational& scale, std::optional<std::uint64_t> size);

// Discrete Gaussian noise of `scale` on each of `size` integers, any number of them if not set,
// that move by at most `shift` in the L2 sense. Empty if nothing is known: for vectors on a grid
// that is coarse next to the noise.
//
// P[Z = z] = exp(-z^2 / (2 scale^2)) / sum; the loss is (d^2 - 2 d z) / (2 scale^2). Up to a scale
// of 2^15 each z of a single number has its atom. Beyond, z is spread over (z - 1/2, z + 1/2) with
// the normal density, whose mass there differs from P[Z = z] by at most the second derivative
// over 24: the factor is within 1 +- (x^2 + 1) / (24 scale^2) exp(x / scale) at the distance x
// (in units of the scale) from the middle. Four times that is added to mass and loss. The normal
// law is round: in a vector only the length of the shift counts.
ShiftLoss gaussian_shift_loss(const Rational& scale, std::optional<std::uint64_t> size);

}  // namespace dp
