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

// Masses of a law are raised by this much: relative errors of exponents up to 700, of exponentials
// and of the factors before them.
constexpr double kMassSlack = 1 + 0x1p-40;

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
// that move by at most `shift` in the L2 sense.
//
// P[Z = z] = exp(-z^2 / (2 scale^2)) / sum; the loss is (d^2 - 2 d z) / (2 scale^2). Up to a scale
// of 2^15 each z of a single number has its atom. Beyond, z is spread over (z - 1/2, z + 1/2) with
// the normal density, whose mass there differs from P[Z = z] by at most the second derivative
// over 24: the factor is within 1 +- (x^2 + 1) / (24 scale^2) exp(x / scale) at the distance x
// (in units of the scale) from the middle. Four times that is added to mass and loss. The normal
// law is round: in a vector only the length of the shift counts, on a grid that is much finer than
// the noise.
//
// Other vectors of integers are almost as round. Let Z have m such coordinates, and move by a
// vector v of integers with |v|^2 = N. The loss depends on T = <v, Z> alone: (N - 2 T) / (2
// scale^2) with T replaced by T + N on the neighbour. Let v have the greatest common divisor 1 and
// L be the lattice of integer vectors orthogonal to it. With w the part of any z with <v, z> = t
// that is orthogonal to v, |z|^2 = t^2 / N + |w|^2, so
//
//   P[T = t] = exp(-t^2 / (2 scale^2 N)) rho(L + w) / rho(Z^m) <= exp(...) rho(L) / rho(Z^m),
//
// rho being the sum of exp(-|x|^2 / (2 scale^2)) over a set, which is largest for the lattice
// itself (all of its Fourier coefficients are positive). By Poisson's formula, with det L =
// sqrt(N), that is at most (1 + a)(1 + b) times the mass of one discrete Gaussian number T' of
// standard deviation S = scale sqrt(N); a and b are the sums of exp(-2 pi^2 scale^2 |y|^2) over the
// points but 0 of the dual lattice of L, and of the like of T', where scale is S. The dual lattice
// are the projections k - <k, v> v / N of integer vectors: by Lagrange's identity N |y|^2 = |k|^2 N
// - <k, v>^2 is a sum of squares of integers, at least 1 unless y = 0. So points are 1 / sqrt(N)
// apart, and a bound of a counts how many fit. What loses at most as much as T' with masses
// raised by (1 + a)(1 + b) does so in compositions too, which are integrals of deltas over such
// masses.
//
// A shift of N' < N is one of N, if we add coordinates: N - N' is a sum of at most four squares,
// and to drop them again is postprocessing. For a squarefree N the common divisor is 1, as its
// square divides N. So N is the next squarefree number from floor(shift^2) on, m at most the lesser
// of N and size + 4, and where a and b are not negligible (at scales below about N / 3) the profile
// of rho replaces all this.
ShiftLoss gaussian_shift_loss(const Rational& scale, std::optional<std::uint64_t> size);

}  // namespace dp
