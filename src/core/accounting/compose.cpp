#include "core/accounting/compose.h"

#include "core/measures/loss.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

bool is_scalar(const Measure& measure) {
  return measure.kind == MeasureKind::max_divergence ||
         measure.kind == MeasureKind::zero_concentrated_divergence;
}

double add_loss(double total, double loss) {
  if (loss < 0) throw Error(ErrorKind::failed_map, "a privacy loss must not be negative.");
  return add_up(total, loss);
}

Distance sum(const std::vector<Distance>& losses) {
  double total = 0;
  for (const Distance& loss : losses) total = add_loss(total, number_in<double>(loss));
  return Scalar(total);
}

Distance sum_of_pairs(const std::vector<Distance>& losses) {
  double inner = 0;
  double delta = 0;
  for (const Distance& loss : losses) {
    const ApproximateLoss parts = approximate_in(loss);
    inner = add_loss(inner, number_in<double>(parts.inner));
    delta = add_loss(delta, parts.delta);
  }
  return Distance::Tuple{Scalar(inner), Scalar(delta)};
}

Distance sum_of_curves(const std::vector<Distance>& losses) {
  std::vector<Distance::Curve> curves;
  curves.reserve(losses.size());
  for (const Distance& loss : losses) {
    const auto* curve = loss.as<Distance::Curve>();
    if (curve == nullptr) throw Error(ErrorKind::failed_cast, "the distance must be a curve.");
    curves.push_back(*curve);
  }
  return Distance::Curve([curves](double alpha) {
    double total = 0;
    for (const Distance::Curve& curve : curves) total = add_loss(total, curve(alpha));
    return total;
  });
}

}  // namespace

void check_composable(const Measure& measure) {
  const bool is_pair = measure.kind == MeasureKind::approximate && is_scalar(*measure.inner);
  if (is_scalar(measure) || is_pair || measure.kind == MeasureKind::renyi_divergence) return;
  throw Error(ErrorKind::type,
              "No match for concrete type " + type_name(measure) +
                  ". Losses compose under MaxDivergence, ZeroConcentratedDivergence, their "
                  "approximate forms and RenyiDivergence.");
}

Distance compose(const Measure& measure, const std::vector<Distance>& losses) {
  check_composable(measure);
  if (measure.kind == MeasureKind::renyi_divergence) return sum_of_curves(losses);
  if (is_scalar(measure)) return sum(losses);
  return sum_of_pairs(losses);
}

}  // namespace dp
