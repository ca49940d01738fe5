// Convolution of real sequences by a fast Fourier transform, with a bound on its rounding error.
//
// A sequence x of N reals is read as the polynomial x[0] + x[1] t + ... modulo t^N + 1: terms that
// leave at the top return at the bottom with the opposite sign. Because t^N + 1 = (t^n - i)(t^n +
// i) for n = N / 2, the complex sequence x[j] + i x[j + n] modulo t^n - i has the same information.
// The transform is in place: the first half of the sequence are the real parts, the second the
// imaginary ones. It splits t^m - w^4 into t^(m / 4) - w, + w, - i w and + i w until every
// remainder is a number, the value of the polynomial at one root of t^n - i. Powers and products of
// spectra are powers and products of the polynomials, in any order of frequencies. So frequencies
// stay in the order of the transform's result.
//
// Source: Bernstein (2001), "Multidigit Multiplication for Mathematicians", for transforms as
// remainders.
//
// Error: each spectral value is a sum over paths through the butterflies, each path a product of
// one datum, roots near the unit circle's and factors 1 + O(u). Per level of radix 4 the two
// additions cost 2 u and the product sqrt(5) u (Brent, Percival and Zimmermann 2007, "Error Bounds
// on Complex Floating-Point Multiplication"). The root w is within 8 u, its computed square within
// 16 u + sqrt(5) u and the cube within another 8 u + sqrt(5) u: 33 u in all. So the absolute error
// of any value is at most error() times the sum of the magnitudes of the data.
#pragma once

#include <cstddef>
#include <vector>

namespace dp {

class NegacyclicTransform {
 public:
  // `size`, N above, is a power of two from 2 to 2^26; throws failed_function otherwise.
  explicit NegacyclicTransform(std::size_t size);

  std::size_t size() const { return 2 * half_; }
  double error() const { return error_; }

  // Turns a sequence of size() numbers, zero from `length` on, into its spectrum.
  void forward(std::vector<double>& sequence, std::size_t length) const;

  // Turns a spectrum into size() / 2 times its sequence; error() then refers to the magnitudes of
  // the spectrum. Costs less if most of it is zero.
  void inverse(std::vector<double>& spectrum) const;

 private:
  // Splits blocks of `size` into four. For each block the real and imaginary part of w.
  struct Level {
    std::size_t size;
    std::vector<double> roots;
  };

  void forward_block(double* re, double* im, std::size_t level, std::size_t block) const;
  bool inverse_block(double* re, double* im, std::size_t level, std::size_t block) const;

  std::size_t half_;
  bool halved_first_;          // n is not a power of four: one step of radix 2
  std::vector<Level> levels_;  // sizes down to 4
  double error_;
};

}  // namespace dp
