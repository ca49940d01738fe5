#include "core/accounting/spectral_power.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/numeric/approx.h"
#include "core/numeric/directed.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr double kUnit = 0x1p-53;

// Powers below this count as 0. The difference enters the error.
constexpr double kNegligible = 0x1p-200;

// Multiplies (re, im) by the `times`-th power of (a, b), and `magnitude` by the `times`-th power of
// g.
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

// Puts the masses into `sequence` from index 0 on, modulo t^size + 1. Returns their sum.
double fold(const std::vector<double>& masses, std::vector<double>& sequence) {
  std::fill(sequence.begin(), sequence.end(), 0.0);
  double magnitude = 0;
  double sign = 1;
  for (std::size_t turn = 0; turn < masses.size(); turn += sequence.size()) {
    const std::size_t count = std::min(sequence.size(), masses.size() - turn);
    for (std::size_t i = 0; i < count; ++i) {
      const double mass = masses[turn + i];
      sequence[i] += sign * mass;
      magnitude += mass;
    }
    sign = -sign;
  }
  return magnitude;
}

}  // namespace

void SpectralPower::multiply(const TiltedTerm& term, bool is_first) {
  const double magnitude = fold(term.masses, sequence_);
  transform_->forward(sequence_, std::min(term.masses.size(), sequence_.size()));
  check_interrupt();

  // Folding masses onto one index is not part of the transform, but also rounds.
  const std::size_t size = sequence_.size();
  const auto points = static_cast<double>(term.masses.size());
  const double folds = points / static_cast<double>(size) + 1;
  const double error = (transform_->error() + folds * kUnit) * magnitude * (1 + 0x1p-20);
  const auto k = static_cast<double>(term.times);
  log_magnitude_ += k * std::max(magnitude * (1 + points * kUnit) - 1 + 4 * kUnit + error, 0.0);
  const double least = exp_down(div_down(ln_down(kNegligible), k));  // the k-th root
  const double surely = std::max(least * (1 - 0x1p-40) - error, 0.0);
  const double surely_squared = surely * surely;

  const double* re = sequence_.data();
  const double* im = re + size / 2;
  const auto is_kept = [&](Frequency& frequency) {
    const double a = re[frequency.index];
    const double b = im[frequency.index];
    const double square = a * a + b * b;
    if (square < surely_squared) return false;
    const double g = std::sqrt(square) * (1 + 4 * kUnit) + error;
    if (g < least) return false;
    multiply_power(a, b, g, term.times, frequency.re, frequency.im, frequency.magnitude);
    frequency.relative += k * (error / g + 5 * kUnit);
    return true;
  };
  if (is_first) {
    for (std::size_t f = 0; f < size / 2; ++f) {
      Frequency frequency{f, 1, 0, 1, 0};
      if (is_kept(frequency)) product_.push_back(frequency);
    }
    return;
  }
  std::size_t kept = 0;
  for (Frequency& frequency : product_) {
    if (is_kept(frequency)) product_[kept++] = frequency;
  }
  product_.resize(kept);
}

ComposedMasses SpectralPower::compose(const std::vector<TiltedTerm>& terms,
                                      std::int64_t first,
                                      std::int64_t end,
                                      double outside) {
  std::size_t size = 16;
  while (size < static_cast<std::size_t>(end - first)) size *= 2;
  if (!transform_ || transform_->size() != size) transform_.emplace(size);
  sequence_.resize(size);
  product_.clear();
  log_magnitude_ = 0;

  // The sum of the points that became index 0, modulo 2^64 like all points.
  std::uint64_t origin = 0;
  for (const TiltedTerm& term : terms) {
    check_interrupt();
    multiply(term, &term == &terms.front());
    origin += static_cast<std::uint64_t>(term.first) * term.times;
  }

  // If a frequency was left out, its product and its error are at most one negligible power times
  // the others.
  const std::size_t half = size / 2;
  const double share = 1 / static_cast<double>(half);
  double error =
      static_cast<double>(half) * kNegligible * exp_approx(std::min(log_magnitude_, 700.0));
  double total = error;
  std::fill(sequence_.begin(), sequence_.end(), 0.0);
  for (const Frequency& f : product_) {
    const double off = f.magnitude * f.relative * exp_approx(std::min(f.relative, 100.0));
    error += off;
    total += f.magnitude + off;
    sequence_[f.index] = f.re * share;
    sequence_[f.index + half] = f.im * share;
  }
  check_interrupt();
  transform_->inverse(sequence_);

  ComposedMasses composed{std::vector<double>(static_cast<std::size_t>(end - first)), 0};
  composed.error = ((error + transform_->error() * total) * share + outside) * (1 + 0x1p-20);
  // Index 0 came in at `origin`. Masses that wrapped around an odd number of times have the
  // opposite sign.
  std::uint64_t point = static_cast<std::uint64_t>(first) - origin;
  for (double& mass : composed.masses) {
    const double value = sequence_[point & (size - 1)];
    mass = std::max((point & size) == 0 ? value : -value, 0.0);
    ++point;
  }
  return composed;
}

}  // namespace dp
