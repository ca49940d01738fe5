#include "core/measurements/joint_residuals.h"

#include <cmath>
#include <numeric>
#include <optional>

#include "core/data/frame.h"
#include "core/measurements/glm_rows.h"
#include "core/measurements/refuse.h"
#include "core/measurements/weighted_squares.h"
#include "core/numeric/directed.h"
#include "core/random/bit_source.h"
#include "core/table/each_cell.h"
#include "core/transformations/rows/gather.h"

namespace dp {
namespace {

JointPlan first_stage(const ResidualPlan& plan) {
  JointPlan first = plan.moments;
  first.epsilon = residual_shares(plan).moments;
  return first;
}

class JointResiduals final : public WholeStage {
 public:
  JointResiduals(const std::vector<ColumnSpec>& columns, const ResidualPlan& plan)
      : rules_(column_rules(columns)),
        plan_(plan),
        moments_(make_joint_moments(columns, first_stage(plan))),
        scaling_(rules_, GlmFamily::ols, {plan.intercept, false, plan.moments.weighted}),
        squares_(scaling_.predictors(), residual_shares(plan).squares) {}

  Value run(const Value& value) const override {
    std::vector<double> released;
    const Value moments = moments_.invoke(value);
    each_cell<double>(*rows_in(moments), [&](double x, std::size_t) { released.push_back(x); });
    const ResidualFit fit = plan_.fit(released, residual_shares(plan_).moments);
    released.push_back(fit.cap);
    const GlmPart rows = rows_of(*frame_in(value));
    const std::vector<double> sums =
        squares_.release(rows.rows, weights_of(rows, fit), secure_bits());
    released.insert(released.end(), sums.begin(), sums.end());
    return make_column(AtomType::f64, released);
  }

 private:
  GlmPart rows_of(const Frame& frame) const {
    const std::size_t n = plan_.moments.n;
    const PresentRows all =
        plan_.moments.gaps == Gaps::dropped
            ? present_rows(rules_, frame, n)
            : PresentRows{integer_columns(rules_, frame, n), std::vector<std::uint8_t>(n, 1)};
    return scaling_.part(all, places_in_order(n), 0, n);
  }

  std::vector<std::int32_t> weights_of(const GlmPart& part, const ResidualFit& fit) const {
    const std::size_t d = part.rows.predictors;
    std::vector<std::int32_t> weights(part.rows.size(), 0);
    if (fit.theta.size() != d || !std::isfinite(fit.cap)) return weights;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      double residual = part.rows.y[row];
      for (std::size_t j = 0; j < d; ++j) {
        residual -= fit.theta[j] * std::ldexp(part.rows.z[row * d + j], -kPredictorBits);
      }
      residual *= row_weight(part.rows, row);
      weights[row] = part.present[row] * weight_of(residual * residual / fit.cap);
    }
    return weights;
  }

  std::vector<ColumnRule> rules_;
  ResidualPlan plan_;
  Measurement moments_;
  GlmScaling scaling_;
  WeightedSquares squares_;
};

}  // namespace

ResidualShares residual_shares(const ResidualPlan& plan) {
  const double epsilon = plan.moments.epsilon.value();
  const double moments = mul_down(epsilon, 1 - plan.share);
  return {Epsilon(moments), Epsilon(sub_down(epsilon, moments))};
}

Measurement make_joint_residuals(const std::vector<ColumnSpec>& columns, const ResidualPlan& plan) {
  const double epsilon = plan.moments.epsilon.value();
  if (!(epsilon > 0) || std::isinf(epsilon))
    refuse_measurement("epsilon must be positive and finite.");
  if (!(plan.share > 0 && plan.share < 1))
    refuse_measurement("the share of squares must be between 0 and 1.");
  const std::size_t others = plan.moments.weighted ? 2 : 1;
  const std::size_t most = columns.size() + (plan.intercept ? 1 : 0);
  if (most < others + 1 || most > kMostPredictors + others)
    refuse_measurement("there must be 1 to 64 coefficients.");
  return Measurement(DataFrameDomain{AtomType::string},
                     change_one_distance(),
                     max_divergence(),
                     stage_function<JointResiduals>(columns, plan),
                     [epsilon](const Distance& d_in) -> Distance {
                       const auto apart = static_cast<double>(number_in<std::uint32_t>(d_in));
                       return Scalar(mul_up(apart, epsilon));
                     });
}

}  // namespace dp
