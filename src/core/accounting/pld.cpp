#include "core/accounting/pld.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/accounting/loss_curve.h"
#include "core/accounting/loss_pairs.h"
#include "core/measurements/composable.h"
#include "core/measures/concentrated_law.h"
#include "core/measures/profile_loss_law.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

bool is_symmetric(const LossPair& pair) {
  return pair.forward == pair.backward || pair.forward->equals(*pair.backward);
}

}  // namespace

PrivacyProfile compose_loss_pairs(const std::vector<LossPair>& pairs, std::optional<double> step) {
  std::vector<RepeatedLaw> forward;
  std::vector<RepeatedLaw> backward;
  bool symmetric = true;
  for (const LossPair& pair : with_one_rho(pairs)) {
    forward.push_back({pair.forward, pair.times});
    backward.push_back({pair.backward, pair.times});
    symmetric = symmetric && is_symmetric(pair);
  }
  const auto there = std::make_shared<const LossCurve>(compose_losses(forward, step));
  if (symmetric) {
    return PrivacyProfile([there](double epsilon) { return there->delta(epsilon); });
  }
  const auto back = std::make_shared<const LossCurve>(compose_losses(backward, step));
  return PrivacyProfile([there, back](double epsilon) {
    return std::max(there->delta(epsilon), back->delta(epsilon));
  });
}

LossPair symmetric_pair(const LossPair& pair) {
  if (is_symmetric(pair)) return pair;
  LossPair both = profile_loss_pair(compose_loss_pairs({{pair.forward, pair.backward, 1}}));
  both.times = pair.times;
  return both;
}

PrivacyProfile compose_pld(const std::vector<RepeatedMeasurement>& measurements,
                           const Distance& d_in,
                           std::optional<double> step) {
  if (measurements.empty()) {
    throw Error(ErrorKind::failed_function, "Must have at least one measurement");
  }
  const Metric& metric = measurements.front().measurement.input_metric();
  std::vector<LossPair> pairs;
  for (const auto& [measurement, times] : measurements) {
    refuse_secret_sample(measurement);
    if (measurement.input_metric() != metric) {
      throw Error(ErrorKind::metric_mismatch, "All input metrics must be the same");
    }
    for (LossPair pair : loss_pairs(measurement, d_in)) {
      pair.times = mul_up(pair.times, times);
      pairs.push_back(std::move(pair));
    }
  }
  return compose_loss_pairs(pairs, step);
}

}  // namespace dp
