#include "core/measurements/objective_perturbation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "core/data/frame.h"
#include "core/measurements/glm_objective.h"
#include "core/measurements/glm_rows.h"
#include "core/measurements/laplace.h"
#include "core/measurements/refuse.h"
#include "core/measurements/row_weight.h"
#include "core/measurements/weighted_squares.h"
#include "core/measures/measure.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"
#include "core/random/geometric.h"
#include "core/random/uniform.h"
#include "core/transformations/rows/gather.h"

namespace dp {
namespace {

constexpr double kReleaseShare = 0x1p-10;
constexpr double kVarianceShare = 0x1p-3;
constexpr double kVolumeShare = 0x1p-2;
constexpr double kLeastRidge = 0x1p-16;
constexpr double kFarthestOffset = 0x1p20;
constexpr double kFarthestRadius = 64;  // in units of its mean: e^(-58 (d + 1)) lies beyond
constexpr int kDirectionBits = 128;
constexpr int kSquareBits = 40;
constexpr std::int64_t kLargestSquare = std::int64_t{4} << kSquareBits;

constexpr std::uint64_t kMostTableRows = std::uint64_t{1} << 31;  // if their number is private
constexpr double kLeastTableRidge = 0x1p-6;
constexpr double kMostFall = 0x1p10;  // of a loss, below its value at zero

std::uint64_t part_rows(const GlmPlan& plan) {
  return plan.any_rows ? kMostTableRows : plan.n / plan.parts;
}

// Maximal radius of the noise.
double farthest_radius(double rate, std::size_t d) {
  return kFarthestRadius * static_cast<double>(d + 1) / rate;
}

double farthest_coefficient(const GlmLoss& loss,
                            const GlmPlan& plan,
                            const GlmBudget& budget,
                            std::size_t d) {
  const double radius = farthest_radius(budget.noise_rate, d);
  const auto rows = static_cast<double>(part_rows(plan));
  if (plan.any_rows) {
    return 2 * std::sqrt(static_cast<double>(d)) * radius / budget.ridge +
           std::sqrt(2 * rows * kMostFall / budget.ridge);
  }
  // At zero the gradient has at most this norm, and the minimum is at most norm / ridge from zero.
  return std::sqrt(static_cast<double>(d)) * (rows * loss.slope_bound + radius) / budget.ridge;
}

class ObjectivePerturbation final : public WholeStage {
 public:
  ObjectivePerturbation(std::vector<ColumnRule> rules, const GlmPlan& plan, std::size_t d)
      : rules_(std::move(rules)),
        plan_(plan),
        d_(d),
        scaling_(rules_, plan.family, {plan.intercept, plan.has_offset, plan.has_weights}),
        loss_(glm_loss(plan.family)),
        budget_(glm_budget(plan, d)),
        rate_(exact_rational(budget_.noise_rate) * power_of_two(-kGradientBits)),
        farthest_(floor(exact_rational(farthest_radius(budget_.noise_rate, d)) *
                        power_of_two(kGradientBits))),
        release_noise_(exact_rational(budget_.release_scale)) {
    if (plan.family == GlmFamily::ols) {
      const Rational loss = exact_rational(budget_.variance_epsilon);
      const Integer whole(rho_steps());
      square_noise_ =
          std::make_unique<DiscreteLaplace>(Rational(Integer(kLargestSquare * whole)) / loss);
      if (plan.drops)
        count_noise_ = std::make_unique<DiscreteLaplace>(Rational(Integer(2 * whole)) / loss);
    }
    const GlmShares shares = glm_shares(plan);
    if (shares.curvature > 0) {
      curvatures_ = std::make_unique<WeightedSquares>(d, Epsilon(shares.curvature));
    }
    if (shares.slopes > 0) slopes_ = std::make_unique<WeightedSquares>(d, Epsilon(shares.slopes));
    if (plan.family == GlmFamily::poisson) {
      const ColumnRule& counts = rules_[0];
      offset_ = -ln_down(to_double_nearest(Rational(Integer(counts.lowest() + counts.width())) *
                                           power_of_two(counts.exponent())));
    }
  }

  // The release of a table with a private number of rows.
  std::vector<double> release_of(const std::vector<std::vector<double>>& values,
                                 BitSource& bits) const {
    const std::size_t size = values.front().size();
    if (size >= kMostTableRows) {
      throw Error(ErrorKind::memory, "a model of rows takes fewer than 2^31 rows.");
    }
    PresentRows all{{}, std::vector<std::uint8_t>(size, 1)};
    for (std::size_t c = 0; c < rules_.size(); ++c) {
      std::vector<std::int64_t>& column = all.columns.emplace_back();
      for (std::size_t row = 0; row < size; ++row) {
        const std::optional<std::int64_t> place = rules_[c].place_if_present(values[c][row]);
        if (!place) all.present[row] = 0;
        column.push_back(place.value_or(0));
      }
    }
    std::vector<double> released;
    release(scaling_.part(all, places_in_order(size), 0, size), bits, released);
    return released;
  }

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const PresentRows all = rows_of(*frame_in(value));
    const auto order = plan_.parts == 1 ? places_in_order(plan_.n) : places_at_random(plan_.n);
    std::vector<double> released;
    for (std::uint64_t part = 0; part < plan_.parts; ++part) {
      const std::size_t size = part_rows(plan_);
      release(scaling_.part(all, order, part * size, size), bits, released);
    }
    return make_column(AtomType::f64, released);
  }

 private:
  PresentRows rows_of(const Frame& frame) const {
    if (plan_.drops) return present_rows(rules_, frame, plan_.n);
    return {integer_columns(rules_, frame, plan_.n), std::vector<std::uint8_t>(plan_.n, 1)};
  }

  void release(const GlmPart& part, BitSource& bits, std::vector<double>& released) const {
    const double room = 2 * farthest_coefficient(loss_, plan_, budget_, d_);
    GlmObjective objective{&loss_,
                           offset_,
                           budget_.ridge,
                           objective_noise(bits),
                           budget_.gap,
                           static_cast<int128_t>(std::ldexp(room, kCoefficientBits))};
    const Wiper noise_wiper(objective.noise.data(), objective.noise.size() * sizeof(int128_t));
    std::vector<int128_t> theta = certified_minimum(part.rows, objective).theta;
    const Wiper minimum_wiper(theta.data(), theta.size() * sizeof(int128_t));
    for (int128_t& each : theta) {
      const Integer most = Integer(1) << kLargestCoefficientBits;
      const Integer noisy = to_integer(each) + release_noise_.draw(bits);
      each = to_int128(std::clamp<Integer>(noisy, -most, most));
      released.push_back(std::ldexp(static_cast<double>(each), -kCoefficientBits));
    }
    if (square_noise_) release_squares(part, theta, bits, released);
    const auto add =
        [&](const std::unique_ptr<const WeightedSquares>& squares, double unit, auto weight) {
          if (!squares) return;
          const std::vector<std::int32_t> weights = weights_at(part, theta, weight);
          for (const double sum : squares->release(part.rows, weights, bits))
            released.push_back(sum * unit);
        };
    const double most = largest_curvature(theta);
    const auto curvature = slopes_ ? loss_.curvature : loss_.information;
    add(curvatures_, most / loss_.curvature_bound, [&](double rho, double t, double y) {
      return rho * curvature(t, y) / most;
    });
    add(slopes_, 1, [&](double rho, double t, double y) {
      const double share = rho * loss_.slope(t, y) / loss_.slope_bound;
      return share * share;
    });
  }

  // Approximate curvature of any row at these coefficients: predictors are at most 1 in magnitude,
  // and the intercept's predictor is 1.
  double largest_curvature(const std::vector<int128_t>& theta) const {
    if (plan_.family != GlmFamily::poisson)
      return slopes_ ? loss_.curvature_bound : loss_.information_bound;
    double most = offset_ + largest_offset();
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const double own = std::ldexp(static_cast<double>(theta[j]), -kCoefficientBits);
      most += plan_.intercept && j == 0 ? own : std::fabs(own);
    }
    return exp_of_nonpositive(std::min(most, 0.0));
  }

  double largest_offset() const {
    if (!plan_.has_offset) return 0;
    const ColumnRule& offset = rules_[rules_.size() - (plan_.has_weights ? 2 : 1)];
    return std::ldexp(static_cast<double>(offset.lowest() + offset.width()), offset.exponent());
  }

  // Largest weight of a row, in the steps of rho.
  std::int64_t rho_steps() const { return plan_.has_weights ? kWholeRho : 1; }

  // Weight of this row, in the steps of rho.
  static std::int64_t rho_of(const GlmPart& part, std::size_t row) {
    return part.rows.weights.empty() ? part.present[row] : part.rows.weights[row];
  }

  // The weight of each row: a function of the row's weight, linear predictor and its response,
  // and 0 for a gap.
  template <class Weight>
  std::vector<std::int32_t> weights_at(const GlmPart& part,
                                       const std::vector<int128_t>& theta,
                                       Weight weight) const {
    std::vector<std::int32_t> weights;
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const double t = row_predictor(part.rows, i, theta, offset_);
      const double rho = row_weight(part.rows, i);
      weights.push_back(part.present[i] * weight_of(weight(rho, t, part.rows.y[i])));
    }
    return weights;
  }

  std::vector<int128_t> objective_noise(BitSource& bits) const {
    Integer radius = 0;
    for (std::size_t k = 0; k <= d_; ++k) radius += geometric(rate_, bits);
    if (radius > farthest_) {
      throw Error(ErrorKind::overflow, "the noise of this release is beyond its range.");
    }
    std::vector<int128_t> noise;
    const Integer cells = Integer(1) << kDirectionBits;
    for (std::size_t j = 0; j < d_; ++j) {
      const Integer direction = 2 * uniform_bits(kDirectionBits, bits) + 1 - cells;
      noise.push_back(to_int128(floor(Rational(Integer(radius * direction), cells))));
    }
    return noise;
  }

  // Releases the mean square of residuals of all rows. If gaps are dropped, releases the sum of
  // squares less 2 for each complete row, and the number of these rows, both weighted if rows have
  // weights.
  void release_squares(const GlmPart& part,
                       const std::vector<int128_t>& theta,
                       BitSource& bits,
                       std::vector<double>& released) const {
    const Integer noisy = to_integer(squares(part, theta)) + square_noise_->draw(bits);
    const Rational sum =
        Rational(noisy) * power_of_two(-kSquareBits) / Rational(Integer(rho_steps()));
    if (!count_noise_) {
      released.push_back(to_double_nearest(sum / Rational(Integer(part.rows.size()))));
      return;
    }
    released.push_back(to_double_nearest(sum));
    std::int64_t count = 0;
    for (std::size_t i = 0; i < part.rows.size(); ++i) count += rho_of(part, i);
    const Integer noisy_count = Integer(count) + count_noise_->draw(bits);
    released.push_back(product_to_double(noisy_count, 1 / Rational(Integer(rho_steps()))));
  }

  // Sum of squares in steps of 2^-40 and of rho: below 2^102 for fewer than 2^40 rows.
  int128_t squares(const GlmPart& part, const std::vector<int128_t>& theta) const {
    const std::int64_t middle = count_noise_ ? kLargestSquare / 2 : 0;
    int128_t sum = 0;
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const double t = row_predictor(part.rows, i, theta, offset_);
      const double residual = std::clamp(t - part.rows.y[i], -2.0, 2.0);
      const double steps = std::nearbyint(std::ldexp(residual * residual, kSquareBits));
      sum += int128_t{rho_of(part, i)} * (static_cast<std::int64_t>(steps) - middle);
    }
    return sum;
  }

  std::vector<ColumnRule> rules_;
  GlmPlan plan_;
  std::size_t d_;
  GlmScaling scaling_;
  const GlmLoss& loss_;
  GlmBudget budget_;
  Rational rate_;     // for a radius in steps of 2^-80
  Integer farthest_;  // in the same
  DiscreteLaplace release_noise_;
  std::unique_ptr<const DiscreteLaplace> square_noise_;
  std::unique_ptr<const DiscreteLaplace> count_noise_;
  std::unique_ptr<const WeightedSquares> curvatures_;
  std::unique_ptr<const WeightedSquares> slopes_;
  double offset_ = 0;
};

}  // namespace

GlmShares glm_shares(const GlmPlan& plan) {
  const double epsilon = plan.epsilon.value();
  const auto& [share, sandwich] = plan.inference;
  if (!(epsilon > 0) || std::isinf(epsilon))
    refuse_measurement("`epsilon` must be positive and finite.");
  if (!(share >= 0 && share < 1))
    refuse_measurement("the share of inference must be from 0 to below 1.");
  if (share == 0) return {epsilon, 0, 0};
  const double objective = mul_down(epsilon, 1 - share);
  const double rest = sub_down(epsilon, objective);
  if (!sandwich) return {objective, rest, 0};
  const double half = mul_down(rest, 0.5);
  return {objective, half, half};
}

GlmBudget glm_budget(const GlmPlan& plan, std::size_t coefficients) {
  const GlmLoss& loss = glm_loss(plan.family);
  const double epsilon = glm_shares(plan).objective;
  const double d = static_cast<double>(coefficients);
  const double rows = static_cast<double>(part_rows(plan));
  const double moved = plan.any_rows ? loss.slope_bound : 2 * loss.slope_bound;
  if (!(plan.lambda >= 0 && plan.lambda <= 256))
    refuse_measurement("`lambda` must be between 0 and 256.");

  GlmBudget budget{};
  const double release_epsilon = epsilon * kReleaseShare;
  budget.variance_epsilon = plan.family == GlmFamily::ols ? epsilon * kVarianceShare : 0;
  const double rest = sub_down(epsilon, add_up(release_epsilon, budget.variance_epsilon));

  const double volume = d * loss.curvature_bound;
  const double least = volume / expm1_down(std::min(kVolumeShare * rest, 64.0));
  const double in_range =
      plan.any_rows ? kLeastTableRidge : loss.curvature_bound * rows * kLeastRidge;
  const double ridge = std::max({plan.lambda * rows, least, in_range});
  budget.ridge = std::ldexp(std::floor(std::ldexp(ridge, kRidgeBits)) + 1, -kRidgeBits);
  const double volume_loss = ln1p_up(div_up(mul_up(d, loss.curvature_bound), budget.ridge));
  budget.noise_rate = div_down(sub_down(rest, volume_loss), moved);

  const double radius = farthest_radius(budget.noise_rate, coefficients);
  const double reach = farthest_coefficient(loss, plan, budget, coefficients);
  if (!(budget.noise_rate > 0) || !(reach < 0x1p25) || !(budget.ridge * reach < 0x1p43) ||
      !(radius < 0x1p43)) {
    refuse_measurement("`epsilon` and `lambda` must leave coefficients and noise within range.");
  }

  // Four times the known gradient error: the rounding of slopes, the same amount for the rounding
  // of the noise, and the step of coefficients, which keeps the norm from being any smaller.
  const double step = std::ldexp(rows * volume + budget.ridge, -kCoefficientBits);
  const double error = add_up(gradient_error(loss, part_rows(plan)), step);
  budget.gap = mul_up(4.0, mul_up(sqrt_up(d), error));
  const double apart = div_up(mul_up(mul_up(2.0, sqrt_up(d)), budget.gap), budget.ridge);
  budget.release_scale = laplace_scale(exact_rational(apart) * power_of_two(kCoefficientBits),
                                       Epsilon(release_epsilon));
  return budget;
}

namespace {

// Returns the number of coefficients.
std::size_t checked_coefficients(const std::vector<ColumnSpec>& columns, const GlmPlan& plan) {
  if (columns.empty()) refuse_measurement("there must be a response.");
  const std::size_t others = 1 + (plan.has_offset ? 1 : 0) + (plan.has_weights ? 1 : 0);
  if (columns.size() < others)
    refuse_measurement("there must be the offset and the weights that the plan has.");
  const std::size_t d = columns.size() - others + (plan.intercept ? 1 : 0);
  if (d < 1 || d > kMostPredictors) refuse_measurement("there must be 1 to 64 coefficients.");
  if (plan.any_rows && (plan.parts != 1 || plan.lambda != 0 || !plan.drops))
    refuse_measurement("a private number of rows has one part, no `lambda`, and drops gaps.");
  if (plan.parts < 1 || plan.n >= std::uint64_t{1} << 40 || part_rows(plan) < d) {
    refuse_measurement(
        "each part must have as many rows as coefficients, and all together less than 2^40.");
  }
  if (plan.parts > 1 && plan.inference.share > 0)
    refuse_measurement("parts have their own errors: inference takes all rows together.");
  const std::vector<ColumnRule> rules = column_rules(columns);
  if (plan.family == GlmFamily::poisson && rules[0].lowest() < 0) {
    refuse_measurement("counts must not be negative.");
  }
  if (plan.has_offset) {
    const ColumnSpec& offset = columns[columns.size() - (plan.has_weights ? 2 : 1)];
    if (!(std::max(std::fabs(offset.lower), std::fabs(offset.upper)) <= kFarthestOffset))
      refuse_measurement("offsets must be at most 2^20 in magnitude.");
  }
  if (plan.has_weights && !plan.drops)
    refuse_measurement("weights take rows that are dropped if they have gaps.");
  return d;
}

}  // namespace

void check_row_model(const std::vector<ColumnSpec>& columns, const GlmPlan& plan) {
  glm_budget(plan, checked_coefficients(columns, plan));
}

std::vector<double> release_of_rows(const std::vector<ColumnSpec>& columns,
                                    const GlmPlan& plan,
                                    const std::vector<std::vector<double>>& values,
                                    BitSource& bits) {
  const std::size_t d = checked_coefficients(columns, plan);
  return ObjectivePerturbation(column_rules(columns), plan, d).release_of(values, bits);
}

Measurement make_objective_perturbation(const std::vector<ColumnSpec>& columns,
                                        const GlmPlan& plan) {
  const std::size_t d = checked_coefficients(columns, plan);
  const double epsilon = plan.epsilon.value();
  return Measurement(
      DataFrameDomain{AtomType::string},
      change_one_distance(),
      max_divergence(),
      stage_function<ObjectivePerturbation>(column_rules(columns), plan, d),
      [epsilon](const Distance& d_in) -> Distance {
        return Scalar(mul_up(static_cast<double>(number_in<std::uint32_t>(d_in)), epsilon));
      });
}

}  // namespace dp
