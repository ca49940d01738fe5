#include "core/numeric/negacyclic.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/numeric/approx.h"

namespace dp {
namespace {

// Blocks of this size fit the fastest cache; they are done level by level.
constexpr std::size_t kNearBlock = 1024;

// Two numbers at once, or one.
using Pair = double __attribute__((vector_size(16)));
template <class Lane>
Lane load(const double* from) {
  Lane lane;
  std::memcpy(&lane, from, sizeof lane);
  return lane;
}
template <class Lane>
void store(double* to, Lane lane) {
  std::memcpy(to, &lane, sizeof lane);
}

template <class Part>
struct Complex {
  Part re;
  Part im;
};
template <class Part>
Complex<Part> operator+(Complex<Part> a, Complex<Part> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Part>
Complex<Part> operator-(Complex<Part> a, Complex<Part> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Part>
Complex<Part> operator*(Complex<Part> a, Complex<double> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class Part>
Complex<Part> turned(Complex<Part> a) {  // i a
  return {-a.im, a.re};
}
Complex<double> conjugate(Complex<double> a) { return {a.re, -a.im}; }

template <class Lane>
Complex<Lane> load(const double* re, const double* im, std::size_t at) {
  return {load<Lane>(re + at), load<Lane>(im + at)};
}
template <class Lane>
void store(double* re, double* im, std::size_t at, Complex<Lane> value) {
  store(re + at, value.re);
  store(im + at, value.im);
}

struct Roots {
  Complex<double> first;
  Complex<double> second;
  Complex<double> third;
};
Roots roots_at(const std::vector<double>& roots, std::size_t block) {
  const Complex<double> root{roots[2 * block], roots[2 * block + 1]};
  const Complex<double> square = root * root;
  return {root, square, square * root};
}

template <class Lane>
void split(double* re, double* im, std::size_t quarter, const Roots& w) {
  for (std::size_t j = 0; j < quarter; j += sizeof(Lane) / sizeof(double)) {
    const auto a = load<Lane>(re, im, j);
    const auto b = load<Lane>(re, im, j + quarter) * w.first;
    const auto c = load<Lane>(re, im, j + 2 * quarter) * w.second;
    const auto d = load<Lane>(re, im, j + 3 * quarter) * w.third;
    const auto even = a + c;
    const auto odd = b + d;
    const auto even_turned = a - c;
    const auto odd_turned = turned(b - d);
    store(re, im, j, even + odd);
    store(re, im, j + quarter, even - odd);
    store(re, im, j + 2 * quarter, even_turned + odd_turned);
    store(re, im, j + 3 * quarter, even_turned - odd_turned);
  }
}

// Four times the inverse; `w` holds the conjugate roots.
template <class Lane>
void join(double* re, double* im, std::size_t quarter, const Roots& w) {
  for (std::size_t j = 0; j < quarter; j += sizeof(Lane) / sizeof(double)) {
    const auto y0 = load<Lane>(re, im, j);
    const auto y1 = load<Lane>(re, im, j + quarter);
    const auto y2 = load<Lane>(re, im, j + 2 * quarter);
    const auto y3 = load<Lane>(re, im, j + 3 * quarter);
    const auto even = y0 + y1;
    const auto odd = y0 - y1;
    const auto even_turned = y2 + y3;
    const auto odd_turned = turned(y3 - y2);
    store(re, im, j, even + even_turned);
    store(re, im, j + quarter, (odd + odd_turned) * w.first);
    store(re, im, j + 2 * quarter, (even - even_turned) * w.second);
    store(re, im, j + 3 * quarter, (odd - odd_turned) * w.third);
  }
}

void split_block(double* re, double* im, std::size_t quarter, const Roots& w) {
  if (quarter == 1) {
    split<double>(re, im, quarter, w);
  } else {
    split<Pair>(re, im, quarter, w);
  }
}
void join_block(double* re, double* im, std::size_t quarter, const Roots& roots) {
  const Roots w{conjugate(roots.first), conjugate(roots.second), conjugate(roots.third)};
  if (quarter == 1) {
    join<double>(re, im, quarter, w);
  } else {
    join<Pair>(re, im, quarter, w);
  }
}

// The square root of i, for t^n - i = (t^(n / 2) - w)(t^(n / 2) + w).
Complex<double> eighth_root() {
  const std::complex<double> root = root_of_unity_near(1, 8);
  return {root.real(), root.imag()};
}
void split_in_two(double* re, double* im, std::size_t half) {
  const Complex<double> w = eighth_root();
  for (std::size_t j = 0; j < half; ++j) {
    const auto a = load<double>(re, im, j);
    const auto b = load<double>(re, im, j + half) * w;
    store(re, im, j, a + b);
    store(re, im, j + half, a - b);
  }
}
void join_two(double* re, double* im, std::size_t half) {
  const Complex<double> w = conjugate(eighth_root());
  for (std::size_t j = 0; j < half; ++j) {
    const auto a = load<double>(re, im, j);
    const auto b = load<double>(re, im, j + half);
    store(re, im, j, a + b);
    store(re, im, j + half, (a - b) * w);
  }
}

bool is_zero(const double* from, std::size_t count) {
  return std::all_of(from, from + count, [](double x) { return x == 0; });
}

}  // namespace

NegacyclicTransform::NegacyclicTransform(std::size_t size) : half_(size / 2) {
  if (size < 2 || size > (std::size_t{1} << 26) || (size & (size - 1)) != 0) {
    throw Error(ErrorKind::failed_function, "A transform has 2, 4, ..., or 2^26 points.");
  }
  halved_first_ = half_ % 3 == 2;  // 4^k is 1 modulo 3
  for (std::size_t n = halved_first_ ? half_ / 2 : half_; n > 1; n /= 4) {
    // Splitting turns by half the angle, or that and half a circle: of B blocks, block b is modulo
    // t^n - exp(2 pi i a), a = (1 / 4 + reversed bits of b) / B, and w = exp(2 pi i a / 4).
    const std::size_t blocks = half_ / n;
    Level level{n, std::vector<double>(2 * blocks)};
    std::size_t reversed = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::complex<double> root = root_of_unity_near(1 + 4 * reversed, 16 * blocks);
      level.roots[2 * block] = root.real();
      level.roots[2 * block + 1] = root.imag();
      std::size_t bit = blocks / 2;
      for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
      reversed |= bit;
    }
    levels_.push_back(std::move(level));
  }
  // One more level for the step of radix 2, and 1 % for products of errors.
  error_ = (static_cast<double>(levels_.size()) + 1) * 33 * 1.01 * 0x1p-53;
}

void NegacyclicTransform::forward(std::vector<double>& sequence, std::size_t length) const {
  double* re = sequence.data();
  double* im = re + half_;
  // A polynomial of low degree is its own remainder: blocks it fits into all start with a copy.
  std::size_t level = 0;
  while (level + 1 < levels_.size() && length <= levels_[level + 1].size) ++level;
  const std::size_t size = levels_.empty() ? 1 : levels_[level].size;
  if (length <= size) {
    for (std::size_t at = size; at < half_; at += size) std::copy_n(re, size, re + at);
  } else if (halved_first_) {
    split_in_two(re, im, half_ / 2);
  }
  if (levels_.empty()) return;
  for (std::size_t block = 0; block < half_ / size; ++block) {
    forward_block(re + block * size, im + block * size, level, block);
  }
}

void NegacyclicTransform::inverse(std::vector<double>& spectrum) const {
  double* re = spectrum.data();
  double* im = re + half_;
  if (!levels_.empty()) {
    const std::size_t size = levels_[0].size;
    for (std::size_t block = 0; block < half_ / size; ++block) {
      inverse_block(re + block * size, im + block * size, 0, block);
    }
  }
  if (halved_first_) join_two(re, im, half_ / 2);
}

// Large blocks depth first, so that they soon fit a cache.
void NegacyclicTransform::forward_block(double* re,
                                        double* im,
                                        std::size_t level,
                                        std::size_t block) const {
  const std::size_t size = levels_[level].size;
  if (size > kNearBlock) {
    const std::size_t quarter = size / 4;
    split_block(re, im, quarter, roots_at(levels_[level].roots, block));
    for (std::size_t part = 0; part < 4; ++part) {
      forward_block(re + part * quarter, im + part * quarter, level + 1, 4 * block + part);
    }
    return;
  }
  for (std::size_t count = 1; level < levels_.size(); ++level, count *= 4, block *= 4) {
    const std::size_t part = levels_[level].size;
    for (std::size_t k = 0; k < count; ++k) {
      split_block(
          re + k * part, im + k * part, part / 4, roots_at(levels_[level].roots, block + k));
    }
  }
}

// The steps of forward_block() backward. Returns whether there is any nonzero number; zeros do not
// change.
bool NegacyclicTransform::inverse_block(double* re,
                                        double* im,
                                        std::size_t level,
                                        std::size_t block) const {
  const std::size_t size = levels_[level].size;
  if (size > kNearBlock) {
    const std::size_t quarter = size / 4;
    bool filled = false;
    for (std::size_t part = 0; part < 4; ++part) {
      filled |=
          inverse_block(re + part * quarter, im + part * quarter, level + 1, 4 * block + part);
    }
    if (filled) join_block(re, im, quarter, roots_at(levels_[level].roots, block));
    return filled;
  }
  if (is_zero(re, size) && is_zero(im, size)) return false;
  for (std::size_t below = levels_.size(); below-- > level;) {
    const std::size_t part = levels_[below].size;
    const std::size_t count = size / part;
    for (std::size_t k = 0; k < count; ++k) {
      join_block(re + k * part,
                 im + k * part,
                 part / 4,
                 roots_at(levels_[below].roots, block * count + k));
    }
  }
  return true;
}

}  // namespace dp
