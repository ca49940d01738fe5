// The privacy-loss laws of additive noise.
//
// Integer noise is log-concave, so a threshold on the released number is the best test of one shift
// against another, and also of the next shift. A shift by d in small steps costs the same as one
// shift, and a smaller shift costs less. So a number that moves by d dominates all that move by
// less.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"

namespace dp {

// Factor that raises the masses of a law. It covers relative errors of exponents up to 700, of
// exponentials and of their factors.
constexpr double kMassSlack = 1 + 0x1p-40;

// Computes the pair of laws for a distance of data on the grid.
using ShiftLoss = std::function<LossPair(const Rational& shift)>;

// Discrete Laplace noise of `scale` on any number of integers that move by at most `shift` in
// total. One number that moves by all of it dominates several that share it, because noise on
// several is a path of smaller shifts one after the other.
//
// P[Z = z] = tanh(1 / (2 scale)) exp(-|z| / scale); the loss is (|z - d| - |z|) / scale for d =
// floor(shift). If there are at most 2^16 different losses, each has its atom. Otherwise, every z
// strictly between 0 and d is spread over (z - 1/2, z + 1/2) with density exp(-x / scale) / (2
// scale). This has at least its mass under P because the density is convex. Under Q it has cosh(1 /
// (2 scale)) times its mass, so the loss is raised by scale^-2.
ShiftLoss laplace_shift_loss(const Rational& scale, std::optional<std::uint64_t> size);

// Discrete Gaussian noise of `scale` on each of `size` integers, any number of them if not set,
// that move by at most `shift` in the L2 sense.
//
// P[Z = z] = exp(-z^2 / (2 scale^2)) / sum; the loss is (d^2 - 2 d z) / (2 scale^2). Up to a scale
// of 2^15 each z of a single number has its atom. Beyond, z is spread over (z - 1/2, z + 1/2) with
// the normal density, whose mass there differs from P[Z = z] by at most the second derivative over
// 24: the factor is within 1 +- (x^2 + 1) / (24 scale^2) exp(x / scale) at the distance x (in units
// of the scale) from the middle. Four times this bound is added to mass and loss. The normal law is
// rotation invariant: on a grid that is much finer than the noise, only the length of a vector's
// shift counts.
//
// Other vectors of integers are almost invariant. Let Z have m such coordinates, and move by a
// vector v of integers with |v|^2 = N. The loss depends only on T = <v, Z>: (N - 2 T) / (2 scale^2)
// with T replaced by T + N on the neighbour. Let v have the greatest common divisor 1 and L be the
// lattice of integer vectors orthogonal to it. With w the part of any z with <v, z> = t that is
// orthogonal to v, |z|^2 = t^2 / N + |w|^2, so
//
//   P[T = t] = exp(-t^2 / (2 scale^2 N)) rho(L + w) / rho(Z^m) <= exp(...) rho(L) / rho(Z^m),
//
// where rho is the sum of exp(-|x|^2 / (2 scale^2)) over a set. It is largest for the lattice L
// (all of its Fourier coefficients are positive). By Poisson's formula, with det L = sqrt(N), this
// is at most (1 + a)(1 + b) times the mass of one discrete Gaussian number T' of standard deviation
// S = scale sqrt(N). Here a is the sum of exp(-2 pi^2 scale^2 |y|^2) over the nonzero points of the
// dual lattice of L, and b is the same sum for T', with S as the scale. The dual lattice consists
// of the projections k - <k, v> v / N of integer vectors. By Lagrange's identity N |y|^2 = |k|^2 N
// - <k, v>^2 is a sum of squares of integers, at least 1 unless y = 0. So points are 1 / sqrt(N)
// apart, and a bound of a counts how many fit. A law that loses at most as much as T' with masses
// raised by (1 + a)(1 + b) does so in compositions too, which are integrals of deltas over such
// masses.
//
// A shift of N' < N is also one of N, if we add coordinates: N - N' is a sum of at most four
// squares, and dropping them again is postprocessing. For a squarefree N the common divisor is 1,
// because its square divides N. So N is the next squarefree number from floor(shift^2) on, and m at
// most the lesser of N and size + 4. If a and b are not negligible (at scales below about N / 3),
// the profile of rho replaces all this.
ShiftLoss gaussian_shift_loss(const Rational& scale, std::optional<std::uint64_t> size);

}  // namespace dp
