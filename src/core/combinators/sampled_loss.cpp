#include "core/combinators/sampled_loss.h"

#include <algorithm>
#include <optional>

#include "core/measures/loss.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr double kMostExponent = 700;  // exponentials of more are beyond the doubles

// A loss under Approximate(MaxDivergence); delta is 0 under MaxDivergence.
struct Loss {
  double epsilon;
  double delta;
};

Loss amplified(const Loss& loss, double hit) {
  const double delta = mul_up(loss.delta, hit);
  if (loss.epsilon > kMostExponent) return {loss.epsilon, delta};
  return {std::min(loss.epsilon, ln1p_up(mul_up(expm1_up(loss.epsilon), hit))), delta};
}

// Upper bound of 1 + r + ... + r^(steps - 1) for r = exp(epsilon), if epsilon * steps is at most
// kMostExponent.
double sum_of_powers(double epsilon, double steps) {
  const double growth = expm1_down(epsilon);
  if (!(growth > 0)) return mul_up(steps, exp_up(mul_up(epsilon, steps)));  // each is at most that
  return div_up(expm1_up(mul_up(epsilon, steps)), growth);
}

// The loss of `number` steps, each with the loss `one`; empty if it exceeds the doubles.
std::optional<Loss> of_steps(const Loss& one, std::uint32_t number) {
  const auto steps = cast_up<double>(number);
  if (!(one.epsilon <= kMostExponent)) return std::nullopt;
  const double epsilon = mul_up(one.epsilon, steps);
  if (one.delta == 0) return Loss{epsilon, 0};
  if (epsilon > kMostExponent) return std::nullopt;
  const double sum = sum_of_powers(one.epsilon, steps);
  if (sum > 1 / one.delta) return std::nullopt;  // a delta of 1 says nothing
  return Loss{epsilon, mul_up(one.delta, sum)};
}

// `loss_at` is the loss of the measurement on samples.
template <class LossAt>
Loss loss_of_samples(const LossAt& loss_at, const Sampling& sampling, const Distance& d_in) {
  const std::uint32_t changed = number_in<std::uint32_t>(d_in) / sampling.unit;
  if (changed == 0) return loss_at(d_in);
  const Loss together = amplified(loss_at(d_in), sampling.hit(changed));
  const Loss one = amplified(loss_at(Scalar(sampling.unit)), sampling.hit(1));
  const std::optional<Loss> steps = of_steps(one, changed);
  const bool is_less =
      steps && steps->epsilon <= together.epsilon && steps->delta <= together.delta;
  return is_less ? *steps : together;
}

double hit_probability(std::uint64_t n, std::uint64_t N, std::uint32_t c) {
  constexpr std::uint32_t kMostFactors = 1 << 16;
  constexpr unsigned kBits = 192;  // each factor errs by 2^-192 at most
  if (c > N - n) return 1;
  if (c > kMostFactors) {  // no more than c n / N
    return std::min(1.0, to_double_up(Rational(Integer(c) * n, N)));
  }
  const Integer one = Integer(1) << kBits;
  Integer missed = one;
  for (std::uint32_t i = 0; i < c; ++i) missed = missed * Integer(N - n - i) / Integer(N - i);
  return scaled_to_double_up(one - missed, -static_cast<int>(kBits));
}

DistanceMap pure_map(const PrivacyMap& map, const Sampling& sampling) {
  return [=](const Distance& d_in) -> Distance {
    const auto loss_at = [&](const Distance& d) { return Loss{number_in<double>(map(d)), 0}; };
    return Scalar(loss_of_samples(loss_at, sampling, d_in).epsilon);
  };
}

DistanceMap approximate_map(const PrivacyMap& map, const Sampling& sampling) {
  return [=](const Distance& d_in) -> Distance {
    const auto loss_at = [&](const Distance& d) {
      const ApproximateLoss parts = approximate_in(map(d));
      return Loss{number_in<double>(parts.inner), parts.delta};
    };
    const Loss loss = loss_of_samples(loss_at, sampling, d_in);
    return Distance::Tuple{Scalar(loss.epsilon), Scalar(loss.delta)};
  };
}

}  // namespace

Sampling sampling_of_fixed_size(std::uint64_t n, std::uint64_t N, std::uint32_t unit) {
  return {[=](std::uint32_t changed) { return hit_probability(n, N, changed); }, unit};
}

DistanceMap sampled_map(const Measure& measure, const PrivacyMap& map, const Sampling& sampling) {
  return measure.kind == MeasureKind::approximate ? approximate_map(map, sampling)
                                                  : pure_map(map, sampling);
}

PrivacyProfile sampled_profile(const PrivacyProfile& profile, double hit) {
  constexpr double kMostEpsilon = 600;
  constexpr double kLeastHit = 0x1p-100;  // exp(600) / 2^-100 is a double
  return PrivacyProfile([=](double epsilon) {
    if (epsilon > kMostEpsilon || hit < kLeastHit) return mul_up(hit, profile.delta(epsilon));
    const double inner = ln1p_down(div_down(expm1_down(epsilon), hit));
    return mul_up(hit, profile.delta(std::max(inner, 0.0)));
  });
}

}  // namespace dp
