#include "core/numeric/negacyclic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/exact_laws.h"
#include "support/expect_error.h"

namespace dp::test {
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

Spectrum product(const Spectrum& a, const Spectrum& b) {
  Spectrum c = a;
  for (std::size_t f = 0; f < a.re.size(); ++f) {
    c.re[f] = a.re[f] * b.re[f] - a.im[f] * b.im[f];
    c.im[f] = a.re[f] * b.im[f] + a.im[f] * b.re[f];
  }
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
    const std::vector<double> computed =
        transform.inverse(product(transform.forward(a), transform.forward(b)));
    const double bound = 4 * transform.error() * magnitude(a) * magnitude(b);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_LE(static_cast<double>(Wide(abs(exact[i] - computed[i]))), bound) << size;
    }
  }
}

// The spectrum from its definition: values of the polynomial at the roots of t^n = i.
double worst_error(const NegacyclicTransform& transform, const std::vector<double>& sequence) {
  const std::size_t n = transform.size() / 2;
  const Wide eighth = boost::math::constants::pi<Wide>() / (2 * n);
  const Spectrum spectrum = transform.forward(sequence);
  Wide worst = 0;
  for (std::size_t f = 0; f < n; ++f) {
    // Frequencies come in the order of the transform; each must be one of the exact ones.
    Wide nearest = 1e9;
    for (std::size_t k = 0; k < n; ++k) {
      Wide re = 0;
      Wide im = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const Wide angle = eighth * ((j * (4 * k + 1)) % (4 * n));
        re += sequence[j] * cos(angle) - sequence[j + n] * sin(angle);
        im += sequence[j] * sin(angle) + sequence[j + n] * cos(angle);
      }
      re -= spectrum.re[f];
      im -= spectrum.im[f];
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

TEST(Negacyclic, OnlyPowersOfTwoAreTransformed) {
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{12}, std::size_t{1} << 27}) {
    expect_error(ErrorKind::failed_function, [&] { NegacyclicTransform transform(size); });
  }
}

}  // namespace
}  // namespace dp::test
