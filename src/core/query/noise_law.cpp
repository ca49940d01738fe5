#include "core/query/noise_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/measurements/gaussian.h"
#include "core/measurements/laplace.h"
#include "core/measurements/threshold.h"
#include "core/numeric/approx.h"
#include "core/numeric/directed.h"
#include "core/numeric/least_value.h"
#include "core/numeric/normal_tail.h"
#include "core/numeric/rational.h"
#include "core/platform.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"

namespace dp::query {
namespace {

constexpr double kLnTwo = 0x1.62e42fefa39efp-1;
// From this scale on, an integral from half a step further out replaces the sum over whole numbers.
// The difference is below 1e-12 of the accuracy (as in R/accuracy.R).
constexpr double kIntegralFrom = 1000;
constexpr double kFarScales = 39;  // exp(-39^2 / 2) is 0 in doubles
constexpr int kHalvings = 60;

// The largest x in [0, high] that passes `holds`, if it holds exactly below some number.
template <class Holds>
double last_that_holds(double high, Holds holds) {
  double low = 0;
  if (holds(high)) return high;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// Caches a thread's last results of a function of alpha, because each number of a release and each
// trial of a scale uses one of a few alphas.
struct LastFound {
  struct Known {
    double alpha = 1, value = 0;  // at 1 both functions are 0
  };
  std::array<Known, 4> known;
  std::size_t next = 0;
};

template <class Find>
double remembered(LastFound& last, double alpha, Find find) {
  for (const LastFound::Known& known : last.known) {
    if (known.alpha == alpha) return known.value;
  }
  const double value = find();
  last.known[last.next] = {alpha, value};
  last.next = (last.next + 1) % last.known.size();
  return value;
}

// Two-sided quantile: the number of standard deviations that a normal variable exceeds in magnitude
// with probability alpha.
double normal_quantile(double alpha) {
  static const PerThread<LastFound> of_thread;
  if (alpha >= 1) return 0;
  return remembered(of_thread(), alpha, [&] {
    return last_that_holds(40, [&](double x) { return normal_tail_up(x) > alpha / 2; });
  });
}

double log_of_alpha(double alpha) {
  static const PerThread<LastFound> of_thread;
  return remembered(of_thread(), alpha, [&] { return ln_up(alpha); });
}

double laplace_accuracy(double scale, double alpha) {
  const double rate = -1 / scale;
  const double stay = rate < -700 ? 0 : exp_approx(rate);
  return scale * (kLnTwo - log_of_alpha(alpha) - ln1p_near(stay));
}

// The least whole a >= 1 with P[|Z| >= a] <= alpha.
double gaussian_accuracy(double scale, double alpha) {
  if (scale >= kIntegralFrom) {
    const double z = normal_quantile(alpha);
    return std::max(1.0, std::ceil(z * scale - z / (24 * scale) + 0.5));
  }
  std::vector<double> tails(static_cast<std::size_t>(std::ceil(kFarScales * scale)) + 2);
  for (std::size_t a = tails.size() - 1; a-- > 0;) {
    const double at = static_cast<double>(a + 1) / scale;
    const double exponent = -(at * at) / 2;
    tails[a] = tails[a + 1] + (exponent < -700 ? 0 : 2 * exp_approx(exponent));
  }
  const double whole = 1 + tails[0];
  std::size_t a = 0;
  while (tails[a] / whole > alpha) ++a;
  return static_cast<double>(a + 1);
}

}  // namespace

NoiseLaw::NoiseLaw(NoiseKind kind, double scale) : kind_(kind), scale_(scale) {
  if (!(scale > 0) || !std::isfinite(scale)) {
    throw Error(ErrorKind::make_measurement, "a noise scale must be positive and finite.");
  }
}

double NoiseLaw::loss(const Sensitivity& sensitivity) const {
  const Rational scale = exact_rational(scale_);
  return kind_ == NoiseKind::laplace
             ? laplace_loss(Rational(sensitivity.l1), scale)
             : gaussian_loss_of_square(Rational(sensitivity.l2_squared), scale);
}

double NoiseLaw::tail(const Integer& t) const {
  const Rational scale = exact_rational(scale_);
  return kind_ == NoiseKind::laplace ? laplace_tail(t, scale) : gaussian_tail(t, scale);
}

double NoiseLaw::deviation() const {
  if (kind_ == NoiseKind::gaussian) return scale_;
  const double rate = 1 / scale_;
  if (rate > 700) return 0;
  return std::sqrt(2 * exp_approx(-rate)) / exp_gap_near(rate);
}

double NoiseLaw::accuracy(Alpha alpha) const {
  return kind_ == NoiseKind::laplace ? laplace_accuracy(scale_, alpha.value())
                                     : gaussian_accuracy(scale_, alpha.value());
}

double NoiseLaw::reach(Alpha alpha) const { return std::max(0.0, std::ceil(accuracy(alpha)) - 1); }

std::shared_ptr<const GridNoise> NoiseLaw::noise() const {
  const Rational scale = exact_rational(scale_);
  if (kind_ == NoiseKind::laplace) return std::make_shared<SampledNoise<DiscreteLaplace>>(scale);
  return std::make_shared<SampledNoise<DiscreteGaussian>>(scale);
}

double normal_deviations(Alpha alpha) { return normal_quantile(alpha.value()); }

double laplace_deviations(Alpha alpha) { return -log_of_alpha(alpha.value()) / std::sqrt(2.0); }

double scale_for_loss(NoiseKind kind, const Sensitivity& sensitivity, double loss) {
  const std::optional<double> scale =
      loss > 0
          ? least_value(
                Values::reals,
                [&](double each) -> Taken {
                  if (each == 0 || !std::isfinite(each)) return {each > 0, 0};
                  const double taken = NoiseLaw(kind, each).loss(sensitivity);
                  const double share = taken / loss;
                  return {taken <= loss, kind == NoiseKind::laplace ? share : std::sqrt(share)};
                })
          : std::nullopt;
  if (!scale || !std::isfinite(*scale)) {
    throw Error(ErrorKind::budget, "the loss is too small for finite noise. Choose a larger loss.");
  }
  return *scale;
}

double scale_for_accuracy(NoiseKind kind, double accuracy, Alpha alpha) {
  const auto holds = [&](double scale) {
    return scale > 0 && NoiseLaw(kind, scale).accuracy(alpha) <= accuracy;
  };
  // Noise on whole numbers never reaches further than the continuous law.
  const double alpha_tail = alpha.value();
  const double reach =
      kind == NoiseKind::laplace ? -log_of_alpha(alpha_tail) : normal_quantile(alpha_tail);
  const double most = std::min(2 * accuracy / std::max(reach, 0x1p-20), 0x1p1000);
  const double scale = accuracy >= 1 ? last_that_holds(most, holds) : 0;
  if (!(scale > 0) || !holds(scale)) {
    throw Error(
        ErrorKind::make_measurement,
        "noise on whole steps cannot reach this accuracy. Ask for an accuracy above one step.");
  }
  return scale;
}

}  // namespace dp::query
