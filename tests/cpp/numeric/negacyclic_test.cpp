#include "core/numeric/negacyclic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/exact_laws.h"
#include "support/expect_error.h"

namespace dp::test::negacyclic_test {
namespace {

std::vector<double> random_sequence(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> sequence(size);
  for (double& x : sequence) x = std::uniform_real_distribution<double>(-1, 1)(random);
  return sequence;
}

double magnitude(const std::vector<double>& sequence) {
  double sum = 0;
  for (double x : sequence) sum += std::fabs(x);
  return sum;
}

// A spectrum: first the real parts, then the imaginary ones.
std::vector<double> spectrum_of(const NegacyclicTransform& transform,
                                std::vector<double> sequence) {
  transform.forward(sequence, sequence.size());
  return sequence;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c = a;
  const std::size_t n = a.size() / 2;
  for (std::size_t f = 0; f < n; ++f) {
    c[f] = a[f] * b[f] - a[f + n] * b[f + n];
    c[f + n] = a[f] * b[f + n] + a[f + n] * b[f];
  }
  return c;
}

// Product of polynomials.
std::vector<double> convolution(const NegacyclicTransform& transform,
                                const std::vector<double>& a,
                                const std::vector<double>& b) {
  std::vector<double> c = product(spectrum_of(transform, a), spectrum_of(transform, b));
  transform.inverse(c);
  for (double& x : c) x /= static_cast<double>(c.size() / 2);
  return c;
}

TEST(Negacyclic, ProductsOfSpectraAreProductsOfPolynomialsModuloOnePlusAPower) {
  for (std::size_t size : {2u, 4u, 8u, 16u, 32u, 128u, 256u}) {
    const NegacyclicTransform transform(size);
    const std::vector<double> a = random_sequence(size, 1);
    const std::vector<double> b = random_sequence(size, 2);
    std::vector<Wide> exact(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const Wide term = Wide(a[i]) * b[j];
        exact[(i + j) % size] += i + j < size ? term : Wide(-term);
      }
    }
    const std::vector<double> computed = convolution(transform, a, b);
    const double bound = 4 * transform.error() * magnitude(a) * magnitude(b);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_LE(static_cast<double>(Wide(abs(exact[i] - computed[i]))), bound) << size;
    }
  }
}

// Spectrum by definition: values of the polynomial at the roots of t^n = i.
double worst_error(const NegacyclicTransform& transform, const std::vector<double>& sequence) {
  const std::size_t n = transform.size() / 2;
  const Wide eighth = boost::math::constants::pi<Wide>() / (2 * n);
  const std::vector<double> spectrum = spectrum_of(transform, sequence);
  Wide worst = 0;
  for (std::size_t f = 0; f < n; ++f) {
    // Frequencies are in the transform's order. Each must equal one of the exact ones.
    Wide nearest = 1e9;
    for (std::size_t k = 0; k < n; ++k) {
      Wide re = 0;
      Wide im = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const Wide angle = eighth * ((j * (4 * k + 1)) % (4 * n));
        re += sequence[j] * cos(angle) - sequence[j + n] * sin(angle);
        im += sequence[j] * sin(angle) + sequence[j + n] * cos(angle);
      }
      re -= spectrum[f];
      im -= spectrum[f + n];
      nearest = std::min(nearest, Wide(sqrt(re * re + im * im)));
    }
    worst = std::max(worst, nearest);
  }
  return static_cast<double>(worst);
}

TEST(Negacyclic, EverySpectralValueKeepsTheStatedErrorAndTheBoundIsNotIdle) {
  for (std::size_t size : {4u, 16u, 32u}) {
    const NegacyclicTransform transform(size);
    double worst = 0;
    double bound = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
      const std::vector<double> sequence = random_sequence(size, seed);
      const double error = worst_error(transform, sequence);
      EXPECT_LE(error, transform.error() * magnitude(sequence));
      worst = std::max(worst, error);
      bound = transform.error() * magnitude(sequence);
    }
    EXPECT_GT(worst, bound * 1e-3) << "a bound a thousand times smaller would be refuted";
  }
}

TEST(Negacyclic, LargeTransformsShiftWithTheSignOfEveryTurn) {
  for (std::size_t size : {std::size_t{1} << 13, std::size_t{1} << 14, std::size_t{1} << 16}) {
    const NegacyclicTransform transform(size);
    const std::vector<double> a = random_sequence(size, 3);
    for (std::size_t shift : {std::size_t{1}, size / 2 - 1, size / 2, size - 3}) {
      std::vector<double> power(size);
      power[shift] = 1;
      const std::vector<double> shifted = convolution(transform, a, power);
      double worst = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double exact = i < shift ? -a[i + size - shift] : a[i - shift];
        worst = std::max(worst, std::fabs(shifted[i] - exact));
      }
      EXPECT_LE(worst, 4 * transform.error() * magnitude(a)) << size << ' ' << shift;
    }
  }
}

TEST(Negacyclic, ZerosAtTheEndAreOnlySkipped) {
  for (std::size_t size : {2u, 4u, 8u, 16u, 64u, 8192u, 16384u}) {
    const NegacyclicTransform transform(size);
    for (std::size_t length = 1; length <= size; length = length * 3 / 2 + 1) {
      std::vector<double> sequence = random_sequence(size, 4);
      std::fill(sequence.begin() + static_cast<std::ptrdiff_t>(length), sequence.end(), 0.0);
      const std::vector<double> whole = spectrum_of(transform, sequence);
      transform.forward(sequence, length);
      EXPECT_EQ(sequence, whole) << size << ' ' << length;
    }
  }
}

TEST(Negacyclic, ASpectrumOfFewFrequenciesComesBack) {
  for (std::size_t size : {4u, 64u, 8192u, 16384u, 65536u}) {
    const NegacyclicTransform transform(size);
    const auto half = static_cast<double>(size / 2);
    for (std::size_t stride : {std::size_t{1}, size / 16 + 1, size / 4 + 1}) {
      std::vector<double> spectrum(size);
      for (std::size_t f = stride / 2; f < size; f += stride) spectrum[f] = 1;
      std::vector<double> sequence = spectrum;
      transform.inverse(sequence);
      transform.forward(sequence, size);
      double worst = 0;
      for (std::size_t f = 0; f < size; ++f) {
        worst = std::max(worst, std::fabs(sequence[f] - half * spectrum[f]));
      }
      EXPECT_LE(worst, 2.1 * transform.error() * half * magnitude(spectrum))
          << size << ' ' << stride;
    }
  }
}

TEST(Negacyclic, OnlyPowersOfTwoAreTransformed) {
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{12}, std::size_t{1} << 27}) {
    expect_error(ErrorKind::failed_function, [&] { NegacyclicTransform transform(size); });
  }
}

}  // namespace
}  // namespace dp::test::negacyclic_test
