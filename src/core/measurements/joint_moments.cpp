#include "core/measurements/joint_moments.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/data/frame.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/laplace_path_loss.h"
#include "core/measurements/noise_scale.h"
#include "core/measurements/refuse.h"
#include "core/measurements/row_weight.h"
#include "core/measures/measure.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostJointRows = std::uint64_t{1} << 40;
constexpr std::size_t kMostJointColumns = 64;
constexpr std::uint64_t kMostWeight = 1000;
constexpr std::int64_t kMostSteps = std::int64_t{1} << 41;

// Weighted products of two numbers of 41 bits are below 2^103, so a sum of 2^16 of them is below
// 2^127.
constexpr std::size_t kRowsBetweenSums = std::size_t{1} << 16;

void check_joint_size(std::size_t columns, std::uint64_t n) {
  if (n < 2 || n >= kMostJointRows)
    refuse_measurement("the number of rows must be at least 2, and below 2^40.");
  if (columns > kMostJointColumns) refuse_measurement("there must be at most 64 columns.");
}

void check_joint_plan(std::size_t columns, const JointPlan& plan) {
  check_joint_size(columns, plan.n);
  const double epsilon = plan.epsilon.value();
  if (!(epsilon > 0) || std::isinf(epsilon))
    refuse_measurement("epsilon must be positive and finite.");
  if (plan.count_weight < 1 || plan.count_weight > kMostWeight)
    refuse_measurement("the weight of the count must be from 1 to 1000.");
  if (plan.weighted && !(plan.products && plan.gaps == Gaps::dropped))
    refuse_measurement("weights take products, of rows that are dropped if they have gaps.");
}

// The columns of a plan: all, those in moments, and the weights if rows have weights.
struct JointColumns {
  std::vector<ColumnRule> all;
  std::vector<ColumnRule> values;
  std::optional<ColumnRule> weights;
};

JointColumns joint_columns(const std::vector<ColumnSpec>& columns, bool weighted) {
  JointColumns sorted{column_rules(columns), {}, std::nullopt};
  sorted.values = sorted.all;
  if (weighted) {
    sorted.weights = sorted.values.back();
    sorted.values.pop_back();
    check_weights(*sorted.weights);
  }
  return sorted;
}

// Largest weight of a row, in the steps of rho.
std::int64_t rho_steps(const JointPlan& plan) { return plan.weighted ? kWholeRho : 1; }
std::int64_t rho_steps(const GaussianJointPlan&) { return 1; }

// u_i as an integer v, -steps <= v <= steps; u_0 has one step. `unit` is the size of a step in the
// unit of the column.
struct JointFactor {
  int finer;  // v is 2 q - N times 2^finer
  Integer steps;
  Rational unit;
};

JointFactor joint_factor(const ColumnRule& rule, Gaps gaps) {
  int finer = 0;
  if (gaps == Gaps::imputed) {
    while (rule.width() < kMostSteps >> (finer + 1)) ++finer;
  }
  const Integer steps = Integer(rule.width()) << finer;
  return {finer, steps, power_of_two(rule.exponent() - 1 - finer)};
}

std::vector<JointFactor> joint_factors(const std::vector<ColumnRule>& rules, Gaps gaps) {
  std::vector<JointFactor> factors{{0, Integer(1), Rational(1)}};
  for (const ColumnRule& rule : rules) factors.push_back(joint_factor(rule, gaps));
  return factors;
}

// Noise scale of an integer moment of v, in the steps of rho.
Rational scale_in_steps(const JointMoment& places,
                        const std::vector<JointFactor>& factors,
                        const JointPlan& plan) {
  const Integer steps =
      factors[places.first].steps * factors[places.second].steps * rho_steps(plan);
  return joint_scale(places, factors.size() - 1, plan) * Rational(steps);
}

Rational scale_in_steps(const JointMoment& places,
                        const std::vector<JointFactor>& factors,
                        const GaussianJointPlan& plan) {
  const Integer steps = factors[places.first].steps * factors[places.second].steps;
  return checked_scale(plan.scale) * Rational(steps);
}

// A step of an integer moment in the units of its columns.
template <class Plan>
Rational unit_of(const JointMoment& places,
                 const std::vector<JointFactor>& factors,
                 const Plan& plan) {
  return factors[places.first].unit * factors[places.second].unit /
         Rational(Integer(rho_steps(plan)));
}

// The release is a double, and noise seldom exceeds a thousand times its scale.
template <class Plan>
void check_noise(const std::vector<ColumnRule>& rules, const Plan& plan, const char* remedy) {
  const std::vector<JointFactor> factors = joint_factors(rules, plan.gaps);
  for (const JointMoment& places : joint_moments(rules.size(), plan)) {
    const Rational unit = unit_of(places, factors, plan);
    if (scale_in_steps(places, factors, plan) * unit > power_of_two(960))
      refuse_measurement(std::string("noise must be well within the range of doubles: ") + remedy);
  }
}

template <class Noise>
struct NoisyJointMoment {
  JointMoment places;
  Noise noise;
  Rational unit;
};

template <class Noise>
class JointMoments final : public WholeStage {
 public:
  template <class Plan>
  JointMoments(JointColumns columns, const Plan& plan)
      : columns_(std::move(columns)),
        factors_(joint_factors(columns_.values, plan.gaps)),
        gaps_(plan.gaps),
        n_(plan.n) {
    for (const JointMoment& places : joint_moments(columns_.values.size(), plan)) {
      moments_.push_back(
          {places, Noise(scale_in_steps(places, factors_, plan)), unit_of(places, factors_, plan)});
    }
  }

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const Rows rows = rows_of(*frame_in(value));
    std::vector<double> released;
    for (const NoisyJointMoment<Noise>& each : moments_) {
      const Integer noisy = exact(each.places, rows) + each.noise.draw(bits);
      released.push_back(product_to_double(noisy, each.unit));
    }
    return make_column(AtomType::f64, released);
  }

 private:
  // Columns of v, and the rho of each row in its steps: 0 if it has a gap.
  struct Rows {
    std::vector<std::vector<std::int64_t>> columns;
    std::vector<std::int32_t> rho;
  };

  Rows rows_of(const Frame& frame) const {
    PresentRows all = all_columns(frame);
    Rows rows{{}, {all.present.begin(), all.present.end()}};
    if (columns_.weights) {
      const std::vector<std::int64_t>& places = all.columns.back();
      for (std::size_t row = 0; row < n_; ++row) {
        rows.rho[row] *= share_of_largest(*columns_.weights, places[row]);
      }
      all.columns.pop_back();
    }
    rows.columns = centred(std::move(all.columns));
    return rows;
  }

  PresentRows all_columns(const Frame& frame) const {
    if (gaps_ == Gaps::dropped) return present_rows(columns_.all, frame, n_);
    return {integer_columns(columns_.all, frame, n_), std::vector<std::uint8_t>(n_, 1)};
  }

  // Converts q to v. Values of a row with a gap are ignored.
  std::vector<std::vector<std::int64_t>> centred(
      std::vector<std::vector<std::int64_t>> columns) const {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::int64_t times = std::int64_t{1} << factors_[c + 1].finer;
      const std::int64_t width = columns_.values[c].width();
      for (std::int64_t& q : columns[c]) q = (2 * q - width) * times;
    }
    return columns;
  }

  static Integer exact(const JointMoment& places, const Rows& rows) {
    Integer total = 0;
    for (std::size_t begin = 0; begin < rows.rho.size(); begin += kRowsBetweenSums) {
      const std::size_t end = std::min(rows.rho.size(), begin + kRowsBetweenSums);
      int128_t sum = 0;
      for (std::size_t row = begin; row < end; ++row) {
        const int128_t first = places.first == 0 ? 1 : rows.columns[places.first - 1][row];
        const int128_t second = places.second == 0 ? 1 : rows.columns[places.second - 1][row];
        sum += first * second * rows.rho[row];
      }
      total += to_integer(sum);
    }
    return total;
  }

  JointColumns columns_;
  std::vector<JointFactor> factors_;
  Gaps gaps_;
  std::size_t n_;
  std::vector<NoisyJointMoment<Noise>> moments_;
};

// The largest step of a path from one row to another; see the header.
Rational largest_step(const std::vector<ColumnRule>& rules, const JointPlan& plan) {
  const std::vector<JointFactor> factors = joint_factors(rules, plan.gaps);
  Rational largest(0);
  for (const JointMoment& places : joint_moments(rules.size(), plan)) {
    const Rational loss = 1 / scale_in_steps(places, factors, plan);
    const bool counts =
        plan.weighted || places.second > 0 || 2 * loss > exact_rational(plan.epsilon.value());
    if (counts) largest = std::max(largest, loss);
  }
  return largest;
}

LossMap joint_laws(const std::vector<ColumnRule>& rules, const JointPlan& plan) {
  return [step = largest_step(rules, plan), plan](const Distance& d_in) {
    const Integer rows(number_in<std::uint32_t>(d_in));
    const Rational total = exact_rational(plan.epsilon.value()) * rows;
    return std::vector<LossPair>{laplace_path_pair(total, step)};
  };
}

std::vector<JointMoment> moments_up_to(std::size_t last, std::size_t columns, Gaps gaps) {
  std::vector<JointMoment> all;
  for (std::size_t first = 0; first <= last; ++first) {
    for (std::size_t second = first; second <= columns; ++second) {
      const bool is_public = second == 0 && gaps == Gaps::imputed;
      if (!is_public) all.push_back({first, second});
    }
  }
  return all;
}

}  // namespace

std::vector<JointMoment> joint_moments(std::size_t columns, const JointPlan& plan) {
  return moments_up_to(plan.products ? columns : 0, columns, plan.gaps);
}

std::vector<JointMoment> joint_moments(std::size_t columns, const GaussianJointPlan& plan) {
  return moments_up_to(columns, columns, plan.gaps);
}

Rational joint_scale(const JointMoment& moment, std::size_t columns, const JointPlan& plan) {
  const Rational epsilon = exact_rational(plan.epsilon.value());
  if (!plan.products) {
    const Integer factor = moment.second == 0 ? Integer(2) : Integer(2 * columns);
    return Rational(factor) / epsilon;
  }
  const Integer weight(plan.count_weight);
  const Integer total = weight + columns;
  const Integer first = moment.first == 0 ? weight : Integer(1);
  const Integer second = moment.second == 0 ? weight : Integer(1);
  // s / (w_i w_j) off the diagonal and 2 s / w_i^2 on it, as in the header.
  const Integer halves = moment.first == moment.second ? 1 : 2;
  return Rational(Integer(total * total), Integer(halves * first * second)) / epsilon;
}

Measurement make_joint_moments(const std::vector<ColumnSpec>& columns, const JointPlan& plan) {
  check_joint_plan(columns.size(), plan);
  const double loss = plan.epsilon.value();
  const JointColumns sorted = joint_columns(columns, plan.weighted);
  check_noise(sorted.values, plan, "epsilon is too small.");
  return Measurement(
      DataFrameDomain{AtomType::string},
      change_one_distance(),
      max_divergence(),
      stage_function<JointMoments<DiscreteLaplace>>(sorted, plan),
      [loss](const Distance& d_in) -> Distance {
        const auto apart = static_cast<double>(number_in<std::uint32_t>(d_in));
        return Scalar(mul_up(apart, loss));
      },
      joint_laws(sorted.values, plan));
}

Measurement make_gaussian_moments(const std::vector<ColumnSpec>& columns,
                                  const GaussianJointPlan& plan) {
  check_joint_size(columns.size(), plan.n);
  const Rational scale = checked_scale(plan.scale);
  const JointColumns sorted = joint_columns(columns, false);
  check_noise(sorted.values, plan, "the scale is too large.");
  const Integer row_effect(columns.size() + 1);
  return Measurement(DataFrameDomain{AtomType::string},
                     change_one_distance(),
                     zero_concentrated_divergence(),
                     stage_function<JointMoments<DiscreteGaussian>>(sorted, plan),
                     [scale, row_effect](const Distance& d_in) -> Distance {
                       const Integer rows(number_in<std::uint32_t>(d_in));
                       return Scalar(gaussian_loss(Rational(Integer(rows * row_effect)), scale));
                     });
}

}  // namespace dp
