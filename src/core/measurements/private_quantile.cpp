#include "core/measurements/private_quantile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/measurements/noisy_max.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/trees/quantile_score.h"
#include "core/transformations/trees/quantile_score_candidates.h"

namespace dp {
namespace {

std::vector<Scalar> in_order(std::vector<Scalar> candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (is_nan(candidates[i])) {
      throw Error(ErrorKind::make_measurement,
                  "candidates[" + std::to_string(i) + "] is NaN, which is invalid");
    }
  }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

// Leaves it to make_noisy_max() to refuse what is no scale.
double score_scale(double scale, std::uint64_t den) {
  return scale > 0 && std::isfinite(scale) ? mul_up(scale, cast_up<double>(den)) : scale;
}

}  // namespace

Measurement make_private_quantile(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  const std::vector<Scalar>& candidates,
                                  double alpha,
                                  double scale) {
  const std::vector<Scalar> points = in_order(candidates);
  const Transformation scores =
      make_quantile_score_candidates(input_domain, input_metric, points, alpha);
  const QuantileScore unit(alpha, row_domain(input_domain).size);
  const Measurement least = make_noisy_max(scores.output_domain(),
                                           scores.output_metric(),
                                           output_measure,
                                           score_scale(scale, unit.den),
                                           true);
  const Function pick = whole_function([points](const Value& index) -> Value {
    return points[static_cast<std::size_t>(element_in<double>(index))];
  });
  return Measurement(
      input_domain,
      input_metric,
      output_measure,
      scores.function().then(least.function()).then(pick),
      [distance = scores.stability_map(), loss = least.privacy_map()](const Distance& d_in) {
        return loss(distance(d_in));
      },
      [distance = scores.stability_map(), laws = least.loss_map()](const Distance& d_in) {
        return laws(distance(d_in));
      });
}

}  // namespace dp
