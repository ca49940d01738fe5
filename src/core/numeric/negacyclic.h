// Convolution of real sequences by a fast Fourier transform, with a bound on its rounding error.
//
// A sequence x of N reals is read as the polynomial x[0] + x[1] t + ... modulo t^N + 1: what runs
// out at the top comes in again at the bottom, with the other sign. As t^N + 1 = (t^n - i)(t^n + i)
// for n = N / 2, the complex sequence x[j] + i x[j + n] modulo t^n - i holds the same, and turning
// its entries by the roots of i makes that an ordinary complex transform of half the length. Powers
// and products of spectra are those of the polynomials, whatever order the frequencies come in, so
// they stay in the order in which the transform leaves them.
//
// Error: each spectral value is a sum over paths through the butterflies, each path a product of
// one datum, roots within 8 u of the unit circle's and factors 1 + O(u). Per level of radix 4 the
// two additions cost 2 u, the product sqrt(5) u (Brent, Percival and Zimmermann 2007, "Error Bounds
// on Complex Floating-Point Multiplication") and its root 8 u: 13 u. So the absolute error of any
// value is at most error() times the sum of the magnitudes of the data.
#pragma once

#include <cstddef>
#include <vector>

namespace dp {

struct Spectrum {
  std::vector<double> re;
  std::vector<double> im;
};

class NegacyclicTransform {
 public:
  // `size`, N above, is a power of two from 2 to 2^26; throws failed_function otherwise.
  explicit NegacyclicTransform(std::size_t size);

  std::size_t size() const { return 2 * half_; }
  double error() const { return error_; }

  Spectrum forward(const std::vector<double>& sequence) const;

  // The sequence of which `spectrum` is the transform; the magnitudes that error() refers to are
  // those of the spectrum divided by their number.
  std::vector<double> inverse(Spectrum spectrum) const;

 private:
  // Roots of one level: for j < size / 4 the j-th power of the primitive root, its square and cube.
  struct Level {
    std::size_t size;
    std::vector<double> roots;  // 6 numbers for each j
  };

  void forward(double* re, double* im, std::size_t level) const;
  void inverse(double* re, double* im, std::size_t level) const;

  std::size_t half_;
  std::vector<Level> levels_;  // sizes half_, half_ / 4, ..., down to 4 or 2
  std::vector<double> twist_;  // powers of the root of i, two numbers each
  double error_;
};

}  // namespace dp
