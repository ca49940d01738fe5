#include "core/measurements/private_quantile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/measurements/noisy_max.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rank_gap.h"
#include "core/table/each_cell.h"
#include "core/transformations/rows/public_elements.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"
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

// Lets make_noisy_max() reject invalid scales.
double score_scale(double scale, std::uint64_t den) {
  return scale > 0 && std::isfinite(scale) ? mul_up(scale, cast_up<double>(den)) : scale;
}

// The point with the least noisy score. `scale` is in rows, scores in 1 / den of a row.
Measurement select_point(const Transformation& scores,
                         const Measure& output_measure,
                         std::vector<Scalar> points,
                         double scale,
                         std::uint64_t den) {
  const Measurement least = make_noisy_max(scores.output_domain(),
                                           scores.output_metric(),
                                           output_measure,
                                           score_scale(scale, den),
                                           true);
  const Function pick = whole_function([points = std::move(points)](const Value& index) -> Value {
    return points[static_cast<std::size_t>(element_in<double>(index))];
  });
  return Measurement(
      scores.input_domain(),
      scores.input_metric(),
      output_measure,
      scores.function().then(least.function()).then(pick),
      [distance = scores.stability_map(), loss = least.privacy_map()](const Distance& d_in) {
        return loss(distance(d_in));
      },
      [distance = scores.stability_map(), laws = least.loss_map()](const Distance& d_in) {
        return laws(distance(d_in));
      });
}

// Counts the candidates at these indices, and then computes their scores.
Value rank_gaps(const Column& places, std::size_t candidates, const QuantileScore& unit) {
  std::vector<std::uint64_t> counts(candidates + 1);
  each_cell<std::uint64_t>(places, [&](std::uint64_t place, std::size_t) {
    ++counts[std::min<std::uint64_t>(place, candidates)];
  });
  std::uint64_t above = places.size() - counts.back();
  std::uint64_t below = 0;
  const auto scores = std::make_shared<OwnedColumn<std::uint64_t>>(AtomType::u64, candidates);
  for (std::size_t i = 0; i < candidates; ++i) {
    above -= counts[i];
    scores->cells()[i] = unit.gap(below, counts[i], above);
    below += counts[i];
  }
  return ColumnPtr(scores);
}

Transformation scores_of_cells(const Domain& input_domain,
                               const Metric& input_metric,
                               std::size_t candidates,
                               const QuantileScore& unit) {
  const bool bounded = is_bounded(input_metric);
  const bool sized = row_domain(input_domain).size.has_value();
  const std::uint64_t effect =
      bounded || sized ? unit.den : std::max(unit.num, unit.den - unit.num);
  return Transformation(input_domain,
                        input_metric,
                        vector_of(non_nan_atom(AtomType::u64), candidates),
                        linf_distance(AtomType::u64, false),
                        whole_function([candidates, unit](const Value& places) {
                          return rank_gaps(*rows_in(places), candidates, unit);
                        }),
                        map_rows<std::uint64_t>([bounded, sized, effect](std::uint32_t d_in) {
                          return mul_up(std::uint64_t{!bounded && sized ? d_in / 2 : d_in}, effect);
                        }));
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
  return select_point(scores, output_measure, points, scale, unit.den);
}

Measurement make_private_quantile_of_cells(const Domain& input_domain,
                                           const Metric& input_metric,
                                           const Measure& output_measure,
                                           const std::vector<Scalar>& candidates,
                                           double alpha,
                                           double scale) {
  const AtomType type = atom_row_type(input_domain);
  if (type != AtomType::usize) detail::refuse_type(type, "usize");
  check_dataset_metric(input_metric);
  const std::vector<double> points = candidates_as<double>(candidates);
  const QuantileScore unit(alpha, row_domain(input_domain).size);
  return select_point(scores_of_cells(input_domain, input_metric, points.size(), unit),
                      output_measure,
                      candidates,
                      scale,
                      unit.den);
}

}  // namespace dp
