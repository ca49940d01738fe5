#include "core/numeric/negacyclic.h"

#include <utility>

#include "core/error.h"
#include "core/numeric/near.h"

namespace dp {
namespace {

// The product of (a, b) and (c, d), taken as complex numbers. Written out because that of
// std::complex looks for infinities first.
struct Complex {
  double re;
  double im;
};
inline Complex times(Complex a, double re, double im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
inline Complex plus(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex minus(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

void sum_and_difference(double* x) {
  const double first = x[0];
  x[0] = first + x[1];
  x[1] = first - x[1];
}

}  // namespace

NegacyclicTransform::NegacyclicTransform(std::size_t size) : half_(size / 2) {
  if (size < 2 || size > (std::size_t{1} << 26) || (size & (size - 1)) != 0) {
    throw Error(ErrorKind::failed_function, "A transform has 2, 4, ..., or 2^26 points.");
  }
  for (std::size_t n = half_; n > 1; n /= 4) {
    Level level{n, {}};
    for (std::size_t j = 0; j < n / 4; ++j) {
      for (std::size_t power = 1; power <= 3; ++power) {
        const std::complex<double> root = root_of_unity_near(j * power, n);
        level.roots.push_back(root.real());
        level.roots.push_back(root.imag());
      }
    }
    levels_.push_back(std::move(level));
  }
  twist_.reserve(size);
  for (std::size_t j = 0; j < half_; ++j) {
    const std::complex<double> root = root_of_unity_near(j, 4 * half_);
    twist_.push_back(root.real());
    twist_.push_back(root.imag());
  }
  // One more level for the twist, and 1 % for products of errors.
  error_ = (static_cast<double>(levels_.size()) + 1) * 13 * 1.01 * 0x1p-53;
}

Spectrum NegacyclicTransform::forward(const std::vector<double>& sequence) const {
  Spectrum spectrum{std::vector<double>(half_), std::vector<double>(half_)};
  for (std::size_t j = 0; j < half_; ++j) {
    const Complex z = times({sequence[j], sequence[j + half_]}, twist_[2 * j], twist_[2 * j + 1]);
    spectrum.re[j] = z.re;
    spectrum.im[j] = z.im;
  }
  forward(spectrum.re.data(), spectrum.im.data(), 0);
  return spectrum;
}

std::vector<double> NegacyclicTransform::inverse(Spectrum spectrum) const {
  inverse(spectrum.re.data(), spectrum.im.data(), 0);
  std::vector<double> sequence(2 * half_);
  const double share = 1 / static_cast<double>(half_);  // a power of two
  for (std::size_t j = 0; j < half_; ++j) {
    const Complex z = times({spectrum.re[j], spectrum.im[j]}, twist_[2 * j], -twist_[2 * j + 1]);
    sequence[j] = z.re * share;
    sequence[j + half_] = z.im * share;
  }
  return sequence;
}

// Decimation in frequency, depth first, so that blocks soon fit the cache.
void NegacyclicTransform::forward(double* re, double* im, std::size_t level) const {
  if (level == levels_.size()) return;
  if (levels_[level].size == 2) {
    sum_and_difference(re);
    sum_and_difference(im);
    return;
  }
  const std::size_t q = levels_[level].size / 4;
  const double* root = levels_[level].roots.data();
  for (std::size_t j = 0; j < q; ++j, root += 6) {
    const Complex a{re[j], im[j]};
    const Complex b{re[j + q], im[j + q]};
    const Complex c{re[j + 2 * q], im[j + 2 * q]};
    const Complex d{re[j + 3 * q], im[j + 3 * q]};
    const Complex even = plus(a, c);
    const Complex odd = minus(a, c);
    const Complex sum = plus(b, d);
    const Complex turned{-(b.im - d.im), b.re - d.re};  // i (b - d)
    const Complex y1 = times(plus(odd, turned), root[0], root[1]);
    const Complex y2 = times(minus(even, sum), root[2], root[3]);
    const Complex y3 = times(minus(odd, turned), root[4], root[5]);
    re[j] = even.re + sum.re;
    im[j] = even.im + sum.im;
    re[j + q] = y1.re;
    im[j + q] = y1.im;
    re[j + 2 * q] = y2.re;
    im[j + 2 * q] = y2.im;
    re[j + 3 * q] = y3.re;
    im[j + 3 * q] = y3.im;
  }
  for (std::size_t part = 0; part < 4; ++part) forward(re + part * q, im + part * q, level + 1);
}

// The same steps backward.
void NegacyclicTransform::inverse(double* re, double* im, std::size_t level) const {
  if (level == levels_.size()) return;
  if (levels_[level].size == 2) {
    sum_and_difference(re);
    sum_and_difference(im);
    return;
  }
  const std::size_t q = levels_[level].size / 4;
  for (std::size_t part = 0; part < 4; ++part) inverse(re + part * q, im + part * q, level + 1);
  const double* root = levels_[level].roots.data();
  for (std::size_t j = 0; j < q; ++j, root += 6) {
    const Complex y0{re[j], im[j]};
    const Complex y1 = times({re[j + q], im[j + q]}, root[0], -root[1]);
    const Complex y2 = times({re[j + 2 * q], im[j + 2 * q]}, root[2], -root[3]);
    const Complex y3 = times({re[j + 3 * q], im[j + 3 * q]}, root[4], -root[5]);
    const Complex even = plus(y0, y2);
    const Complex sum = minus(y0, y2);
    const Complex odd = plus(y1, y3);
    const Complex difference = minus(y1, y3);
    const Complex turned{difference.im, -difference.re};  // -i (y1 - y3)
    re[j] = even.re + odd.re;
    im[j] = even.im + odd.im;
    re[j + q] = sum.re + turned.re;
    im[j + q] = sum.im + turned.im;
    re[j + 2 * q] = even.re - odd.re;
    im[j + 2 * q] = even.im - odd.im;
    re[j + 3 * q] = sum.re - turned.re;
    im[j + 3 * q] = sum.im - turned.im;
  }
}

}  // namespace dp
