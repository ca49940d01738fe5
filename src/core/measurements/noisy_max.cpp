#include "core/measurements/noisy_max.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/measurements/checked_column.h"
#include "core/measurements/refuse.h"
#include "core/measurements/selection.h"
#include "core/measurements/selection_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/metrics/metric_space.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

RowDomain score_domain(const Domain& domain, const Metric& metric, double scale) {
  const RowDomain scores = row_domain(domain);
  if (scores.atom.nan) refuse_measurement("input_domain elements must be non-nan");
  if (metric.kind != MetricKind::linf) {
    refuse_metric(metric, "input_metric must be LInfDistance");
  }
  check_metric_space(domain, metric);
  if (!std::isfinite(scale) || scale < 0) {
    refuse_measurement("scale (" + debug(Scalar(scale)) + ") must be finite and non-negative");
  }
  return scores;
}

// Largest relative movement of two candidates' scores, rounded up.
template <class T>
double range_moved(const Distance& d_in, bool monotonic) {
  const T d = number_in<T>(d_in);
  const auto range = cast_up<double>(monotonic ? d : add_up(d, d));
  if (!(range >= 0)) {
    throw Error(ErrorKind::invalid_distance,
                "sensitivity (" + debug(Scalar(range)) + ") must be non-negative");
  }
  return range;
}

double selection_loss(double range, double scale, SelectionRule rule) {
  const double ratio = div_up(range, scale);
  return rule == SelectionRule::permute_and_flip ? ratio : div_up(mul_up(ratio, ratio), 8.0);
}

// For every type T of scores.
template <class T>
PrivacyMap selection_map(bool monotonic, std::uint64_t k, double scale, SelectionRule rule) {
  return [=](const Distance& d_in) -> Distance {
    const double range = range_moved<T>(d_in, monotonic);
    if (range == 0) return Scalar(0.0);
    if (scale == 0) return Scalar(std::numeric_limits<double>::infinity());
    return Scalar(mul_up(selection_loss(range, scale, rule), cast_up<double>(k)));
  };
}

LossPair selection_pair(const Rational& eta, SelectionRule rule) {
  return rule == SelectionRule::permute_and_flip ? permute_and_flip_pair(eta)
                                                 : exponential_mechanism_pair(eta);
}

// One selection after the other, each from the remaining candidates.
template <class T>
LossMap selection_laws(bool monotonic, std::uint64_t k, double scale, SelectionRule rule) {
  return [=](const Distance& d_in) -> std::vector<LossPair> {
    const double range = range_moved<T>(d_in, monotonic);
    if (range == 0 || k == 0) return {};
    if (scale == 0) return {total_loss_pair()};
    LossPair pair = selection_pair(exact_rational(range) / exact_rational(scale), rule);
    pair.times = k;
    return {pair};
  };
}

template <class T>
std::vector<T> scores_in(const Value& arg, std::optional<std::uint64_t> size) {
  const Column& rows = *rows_in(arg);
  check_member_column<T>(rows, size);
  std::vector<T> scores(rows.size());
  each_cell<T>(rows, [&](T score, std::size_t i) {
    if constexpr (kIsFloat<T>) score = std::clamp(score, kMin<T>, kMax<T>);
    scores[i] = score;
  });
  return scores;
}

// A selection whose indices `pack` converts into the release.
template <class Pack>
Measurement make_selection(const Domain& input_domain,
                           const Metric& input_metric,
                           const Measure& output_measure,
                           std::uint64_t k,
                           double scale,
                           bool negate,
                           Pack pack) {
  const SelectionRule rule = selection_rule(output_measure);
  const RowDomain domain = score_domain(input_domain, input_metric, scale);
  if (domain.size && *domain.size < k) {
    refuse_measurement("k (" + std::to_string(k) + ") must not exceed the number of candidates (" +
                       std::to_string(*domain.size) + ")");
  }
  return visit_number(domain.atom.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto select = [=, size = domain.size](const Value& arg) {
      return pack(select_top(scores_in<T>(arg, size), k, scale, negate, rule, secure_bits()));
    };
    return Measurement(input_domain,
                       input_metric,
                       output_measure,
                       whole_function(std::move(select)),
                       selection_map<T>(input_metric.monotonic, k, scale, rule),
                       selection_laws<T>(input_metric.monotonic, k, scale, rule));
  });
}

}  // namespace

Measurement make_noisy_top_k(const Domain& input_domain,
                             const Metric& input_metric,
                             const Measure& output_measure,
                             std::uint64_t k,
                             double scale,
                             bool negate) {
  return make_selection(
      input_domain,
      input_metric,
      output_measure,
      k,
      scale,
      negate,
      [](const std::vector<std::size_t>& indices) -> Value {
        return make_column<std::uint64_t>(AtomType::usize, {indices.begin(), indices.end()});
      });
}

Measurement make_noisy_max(const Domain& input_domain,
                           const Metric& input_metric,
                           const Measure& output_measure,
                           double scale,
                           bool negate) {
  return make_selection(input_domain,
                        input_metric,
                        output_measure,
                        1,
                        scale,
                        negate,
                        [](const std::vector<std::size_t>& indices) -> Value {
                          if (indices.empty()) {
                            throw Error(ErrorKind::failed_function, "candidates set is empty");
                          }
                          return Scalar(static_cast<double>(indices[0]));
                        });
}

Measurement make_report_noisy_max_gumbel(const Domain& input_domain,
                                         const Metric& input_metric,
                                         double scale,
                                         const std::string& optimize) {
  if (optimize != "max" && optimize != "min")
    refuse_measurement("optimize must be \"min\" or \"max\"");
  return make_noisy_max(input_domain, input_metric, max_divergence(), scale, optimize == "min");
}

}  // namespace dp
