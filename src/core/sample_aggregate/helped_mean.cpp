#include "core/sample_aggregate/helped_mean.h"

#include <algorithm>
#include <cmath>

#include "core/measurements/laplace.h"
#include "core/measurements/private_quantile.h"
#include "core/measurements/refuse.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/discrete_laplace.h"
#include "core/sample_aggregate/block_output.h"
#include "core/transformations/rows/metric_cast.h"

namespace dp {
namespace {

bool is_range(const Interval& range) {
  return range.first < range.second && std::isfinite(range.second - range.first);
}

// Both quartiles of one column.
struct Quartiles {
  Measurement lower, upper;
};

// The number of complete rows is private.
Domain column_domain(const ColumnSpec& column, const BlockResults& results) {
  const AtomDomain cells = closed_atom(AtomType::f64, column.lower, column.upper);
  const bool sized = results.design().rows() && results.gaps() == Gaps::imputed;
  return sized ? vector_of(cells, *results.design().rows()) : vector_of(cells);
}

Quartiles select_quartiles(const ColumnSpec& column,
                           const BlockResults& results,
                           const std::vector<double>& candidates,
                           double scale) {
  const std::vector<Scalar> points(candidates.begin(), candidates.end());
  const auto select = [&](double alpha) {
    return make_private_quantile(column_domain(column, results),
                                 symmetric_distance(),
                                 max_divergence(),
                                 points,
                                 alpha,
                                 scale);
  };
  return {select(0.25), select(0.75)};
}

Interval interval_of(double q, double r, const std::vector<double>& candidates) {
  if (q != r) return {std::min(q, r), std::max(q, r)};
  const auto at = std::lower_bound(candidates.begin(), candidates.end(), q);
  return {at == candidates.begin() ? *at : *(at - 1), at + 1 == candidates.end() ? *at : *(at + 1)};
}

class HelpedMean final : public WholeStage {
 public:
  HelpedMean(BlockResults results,
             RangeHelper helper,
             std::vector<Quartiles> quartiles,
             Rational scale)
      : results_(std::move(results)),
        helper_(std::move(helper)),
        quartiles_(std::move(quartiles)),
        scale_(std::move(scale)) {}

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const BlockCells cells = results_.prepare(value);
    const std::vector<Interval> inputs = quartiles_of(cells);
    const std::vector<Interval> ranges = ranges_for(inputs);
    const std::vector<double> results = results_.of(cells, bits);
    std::vector<double> release;
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      release.push_back(noisy_mean(results, j, ranges[j], bits));
      release.push_back(ranges[j].first);
      release.push_back(ranges[j].second);
    }
    for (const auto& [lower, upper] : inputs) release.insert(release.end(), {lower, upper});
    return make_column(AtomType::f64, release);
  }

 private:
  // A cell is NaN only in rows that are dropped.
  static std::vector<double> present_in(const std::vector<double>& cells) {
    std::vector<double> present;
    for (const double x : cells) {
      if (!std::isnan(x)) present.push_back(x);
    }
    return present;
  }

  std::vector<Interval> quartiles_of(const BlockCells& cells) const {
    std::vector<Interval> found;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Value column = make_column(AtomType::f64, present_in(cells[i]));
      const auto q = element_in<double>(quartiles_[i].lower.invoke(column));
      const auto r = element_in<double>(quartiles_[i].upper.invoke(column));
      found.push_back(interval_of(q, r, helper_.candidates[i]));
    }
    return found;
  }

  std::vector<Interval> ranges_for(const std::vector<Interval>& inputs) const {
    std::vector<Interval> ranges = helper_.ranges(inputs);
    if (ranges.size() != helper_.otherwise.size()) return helper_.otherwise;
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      if (!is_range(ranges[j])) ranges[j] = helper_.otherwise[j];
    }
    return ranges;
  }

  double noisy_mean(const std::vector<double>& results,
                    std::size_t j,
                    const Interval& range,
                    BitSource& bits) const {
    const BlockOutput output(range.first, range.second, std::nullopt);
    const std::size_t k = results_.design().blocks();
    Integer sum = 0;
    for (std::size_t b = 0; b < k; ++b) sum += output.steps(results[j * k + b]);
    sum += DiscreteLaplace(Rational(scale_ * Integer(output.range.width()))).draw(bits);
    return output.range.lattice.value(round_half_up(Rational(sum, Integer(k))));
  }

  BlockResults results_;
  RangeHelper helper_;
  std::vector<Quartiles> quartiles_;
  Rational scale_;  // in widths
};

void check_helper(const RangeHelper& helper, const BlockResults& results) {
  require_measurement(helper.candidates.size() == results.columns().size(),
                      "there must be candidates for each column.");
  for (const auto& points : helper.candidates) {
    require_measurement(points.size() >= 2, "there must be at least two candidates.");
    require_measurement(std::is_sorted(points.begin(), points.end()),
                        "candidates must be increasing.");
  }
  require_measurement(helper.otherwise.size() == results.numbers() && !helper.otherwise.empty() &&
                          std::all_of(helper.otherwise.begin(), helper.otherwise.end(), is_range),
                      "ranges must be finite and not empty.");
}

}  // namespace

Measurement make_helped_mean(BlockResults results,
                             RangeHelper helper,
                             double selection_scale,
                             double scale) {
  check_helper(helper, results);
  require_measurement(scale > 0 && std::isfinite(scale), "scale must be positive and finite.");
  const BlockDesign& design = results.design();
  std::vector<Quartiles> quartiles;
  for (std::size_t i = 0; i < helper.candidates.size(); ++i) {
    quartiles.push_back(select_quartiles(
        results.columns()[i].column(), results, helper.candidates[i], selection_scale));
  }
  PrivacyMap map = [quartiles,
                    scale = exact_rational(scale),
                    numbers = helper.otherwise.size(),
                    replaced = design.rows().has_value(),
                    overlap = design.overlap()](const Distance& d_in) -> Distance {
    const auto rows = number_in<std::uint32_t>(d_in);
    const Distance apart = Scalar(replaced ? mul_up<std::uint32_t>(rows, 2) : rows);
    double loss = 0;
    for (const auto& [lower, upper] : quartiles) {
      loss = add_up(loss, number_in<double>(lower.map(apart)));
      loss = add_up(loss, number_in<double>(upper.map(apart)));
    }
    const Rational blocks = Integer(mul_up<std::uint32_t>(rows, overlap));
    for (std::size_t j = 0; j < numbers; ++j) loss = add_up(loss, laplace_loss(blocks, scale));
    return Scalar(loss);
  };
  const Metric metric = results.metric();
  return Measurement(
      DataFrameDomain{AtomType::string},
      metric,
      max_divergence(),
      stage_function<HelpedMean>(
          std::move(results), std::move(helper), std::move(quartiles), exact_rational(scale)),
      std::move(map));
}

}  // namespace dp
