#include "core/accounting/spectral_power.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/engine/parallel.h"
#include "core/numeric/negacyclic.h"

namespace dp {
namespace {

constexpr double kUnit = 0x1p-53;

// Powers below this count as 0, and their magnitude as an error.
constexpr double kNegligible = 0x1p-200;

// `point` modulo the size of `sequence`, with the sign that its multiples of the size bring.
struct Place {
  std::size_t index;
  double sign;
};
Place place_of(std::int64_t point, std::size_t size) {
  const auto whole = static_cast<std::int64_t>(size);
  const std::int64_t index = ((point % whole) + whole) % whole;
  const std::int64_t turns = (point - index) / whole;
  return {static_cast<std::size_t>(index), turns % 2 == 0 ? 1.0 : -1.0};
}

struct Product {
  Spectrum spectrum;
  std::vector<double> magnitude;  // prod g^k
  std::vector<double> relative;   // sum(k e / g + 5 k u)
};

// Multiplies (re, im) by the power `times` of (a, b), and `magnitude` by that of g.
void multiply_power(
    double a, double b, double g, std::uint64_t times, double& re, double& im, double& magnitude) {
  for (;;) {
    if ((times & 1) != 0) {
      const double product = re * a - im * b;
      im = re * b + im * a;
      re = product;
      magnitude *= g;
    }
    times >>= 1;
    if (times == 0) return;
    const double square = a * a - b * b;
    b = 2 * a * b;
    a = square;
    g *= g;
  }
}

void multiply(Product& product, const Spectrum& factor, double error, std::uint64_t times) {
  const auto k = static_cast<double>(times);
  const double least = std::pow(kNegligible, 1 / k);
  for (std::size_t f = 0; f < factor.re.size(); ++f) {
    const double a = factor.re[f];
    const double b = factor.im[f];
    const double g = std::sqrt(a * a + b * b) * (1 + 4 * kUnit) + error;
    if (g < least || product.magnitude[f] == kNegligible) {
      product.spectrum.re[f] = 0;
      product.spectrum.im[f] = 0;
      product.magnitude[f] = kNegligible;
      product.relative[f] = 2;
      continue;
    }
    multiply_power(
        a, b, g, times, product.spectrum.re[f], product.spectrum.im[f], product.magnitude[f]);
    product.relative[f] += k * (error / g + 5 * kUnit);
  }
}

Spectrum spectrum_of(const TiltedTerm& term,
                     const NegacyclicTransform& transform,
                     double& magnitude) {
  std::vector<double> sequence(transform.size());
  magnitude = 0;
  for (std::size_t i = 0; i < term.masses.size(); ++i) {
    const Place place = place_of(term.first + static_cast<std::int64_t>(i), transform.size());
    sequence[place.index] += place.sign * term.masses[i];
    magnitude += term.masses[i];
  }
  return transform.forward(sequence);
}

}  // namespace

ComposedMasses compose_tilted(const std::vector<TiltedTerm>& terms,
                              std::int64_t first,
                              std::int64_t end,
                              double outside) {
  std::size_t size = 16;
  while (size < static_cast<std::size_t>(end - first)) size *= 2;
  const NegacyclicTransform transform(size);

  const std::size_t half = size / 2;
  Product product{{std::vector<double>(half, 1), std::vector<double>(half, 0)},
                  std::vector<double>(half, 1),
                  std::vector<double>(half, 0)};
  for (const TiltedTerm& term : terms) {
    check_interrupt();
    double magnitude;
    const Spectrum spectrum = spectrum_of(term, transform, magnitude);
    // Folding masses onto one place is not part of the transform, and rounds as well.
    const double folds = static_cast<double>(term.masses.size()) / static_cast<double>(size) + 1;
    multiply(product,
             spectrum,
             (transform.error() + folds * kUnit) * magnitude * (1 + 0x1p-20),
             term.times);
  }

  double error = 0;
  double total = 0;
  for (std::size_t f = 0; f < half; ++f) {
    const double off = product.magnitude[f] * product.relative[f];
    error += off;
    total += product.magnitude[f] + off;
  }
  const double share = 1 / static_cast<double>(half);

  const std::vector<double> sequence = transform.inverse(std::move(product.spectrum));
  ComposedMasses composed{std::vector<double>(static_cast<std::size_t>(end - first)), 0};
  composed.error = ((error + transform.error() * total) * share + outside) * (1 + 0x1p-20);
  for (std::size_t i = 0; i < composed.masses.size(); ++i) {
    const Place place = place_of(first + static_cast<std::int64_t>(i), size);
    composed.masses[i] = std::max(place.sign * sequence[place.index], 0.0);
  }
  return composed;
}

}  // namespace dp
