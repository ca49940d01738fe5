#include "core/query/combined_noise.h"

#include <algorithm>
#include <cmath>

namespace dp::query {
namespace {

constexpr int kRatioHalvings = 50;

using Allows = std::function<bool(double)>;

// Bisects for the furthest allowed ratio, between an allowed ratio and a rejected one.
double last_allowed(double allowed, double refused, const Allows& allows) {
  for (int i = 0; i < kRatioHalvings; ++i) {
    const double middle = allowed / 2 + refused / 2;
    (allows(middle) ? allowed : refused) = middle;
  }
  return allowed;
}

// Searches from `point` towards `end`, which can be infinite.
double end_of_ratios(double point, double end, double step, const Allows& allows) {
  if (std::isfinite(end)) return allows(end) ? end : last_allowed(point, end, allows);
  double allowed = point;
  for (double far = std::copysign(step, end); std::isfinite(far) && far != 0; far *= 2) {
    if (!allows(point + far)) return last_allowed(allowed, point + far, allows);
    allowed = point + far;
  }
  return step == 0 ? point : end;
}

}  // namespace

NoiseTerm noise_term(const NoiseLaw& law, int exponent, Alpha alpha) {
  const auto in_unit = [&](double steps) { return std::ldexp(steps, exponent); };
  return {in_unit(law.deviation()),
          in_unit(1),
          in_unit(law.reach(alpha)),
          in_unit(law.reach(Alpha(alpha.value() / 2)))};
}

CombinedReach::CombinedReach(NoiseKind kind, Alpha alpha)
    : kind_(kind),
      normal_(normal_deviations(alpha)),
      laplace_(kind == NoiseKind::laplace ? laplace_deviations(alpha) : normal_) {}

double CombinedReach::fourth_cumulant(double deviation) const {
  const double variance = deviation * deviation;
  return kind_ == NoiseKind::laplace ? 3 * variance * variance : 0;
}

double CombinedReach::of(double variance, double fourth_cumulant) const {
  if (!(variance > 0)) return 0;
  const double share = std::min(1.0, fourth_cumulant / (3 * variance * variance));
  const double towards_laplace = share * (1.44 - 0.44 * share);
  return std::sqrt(variance) * (normal_ + (laplace_ - normal_) * towards_laplace);
}

void CombinedNoise::add(double weight, const NoiseTerm& term) {
  if (weight == 0 || term.deviation == 0) return;
  const double size = std::fabs(weight);
  const double deviation = size * term.deviation;
  ++terms_;
  single_ = size * term.reach;
  corners_ += size * term.corner;
  variance_ += deviation * deviation;
  fourth_ += reach_.fourth_cumulant(deviation);
  step_ = std::max(step_, size * term.step);
}

double CombinedNoise::reach() const {
  if (terms_ <= 1) return single_;
  const double together = reach_.of(variance_, fourth_) + step_ / 2;
  return terms_ == 2 ? std::min(together, corners_) : together;
}

Range ratios_about(double point,
                   double numerator,
                   double denominator,
                   const Range& within,
                   const std::function<double(double)>& reach) {
  const Allows allows = [&](double ratio) {
    return std::fabs(numerator - ratio * denominator) <= reach(ratio);
  };
  const double step = std::fabs(reach(point) / denominator);
  if (!allows(point)) {
    return {std::max(within.lower, point - step), std::min(within.upper, point + step)};
  }
  return {end_of_ratios(point, within.lower, step, allows),
          end_of_ratios(point, within.upper, step, allows)};
}

}  // namespace dp::query
