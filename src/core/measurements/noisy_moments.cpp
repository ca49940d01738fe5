#include "core/measurements/noisy_moments.h"

#include <algorithm>

#include "core/data/frame.h"
#include "core/measurements/noise_loss.h"
#include "core/measurements/refuse.h"
#include "core/measures/measure.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;

// How far one replaced row moves a moment, in steps.
Integer moment_sensitivity(const Moment& moment,
                           const std::vector<ColumnRule>& rules,
                           const Integer& n) {
  const Integer first(rules[moment.first].width());
  return moment.is_mean ? first : Integer((n - 1) * first * rules[moment.second].width());
}

// One integer, with its noise and its factor.
struct NoisyMoment {
  Moment moment;
  DiscreteLaplace noise;
  Rational unit;
  Rational origin;
};

NoisyMoment noisy_moment(const Moment& moment, const std::vector<ColumnRule>& rules, Integer n) {
  const ColumnRule& first = rules[moment.first];
  const ColumnRule& second = rules[moment.second];
  const DiscreteLaplace noise(Rational(moment_sensitivity(moment, rules, n)) /
                              exact_rational(moment.epsilon.value()));
  if (moment.is_mean) {
    return {moment, noise, power_of_two(first.exponent()) / Rational(n), first.lower()};
  }
  return {moment,
          noise,
          power_of_two(first.exponent() + second.exponent()) / Rational(Integer(n * (n - 1))),
          Rational(0)};
}

// Laws of the loss: each integer has independent noise.
LossMap moment_laws(const std::vector<ColumnRule>& rules,
                    const std::vector<Moment>& moments,
                    std::uint64_t n) {
  return [rules, moments, n](const Distance& d_in) {
    const Integer rows(number_in<std::uint32_t>(d_in));
    std::vector<LossPair> pairs;
    for (const Moment& moment : moments) {
      const Rational most(moment_sensitivity(moment, rules, Integer(n)));
      const Rational scale = most / exact_rational(moment.epsilon.value());
      pairs.push_back(laplace_shift_loss(scale, 1)(rows * most));
    }
    return pairs;
  };
}

class NoisyMoments final : public WholeStage {
 public:
  NoisyMoments(std::vector<ColumnRule> rules, const std::vector<Moment>& moments, std::uint64_t n)
      : rules_(std::move(rules)), n_(n) {
    for (const Moment& moment : moments) {
      moments_.push_back(noisy_moment(moment, rules_, Integer(n)));
    }
  }

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const auto columns = integer_columns(rules_, *frame_in(value), n_);
    std::vector<double> released;
    for (const NoisyMoment& each : moments_) {
      const Integer exact = moment_of(each.moment, columns);
      const Integer noisy = exact + each.noise.draw(bits);
      released.push_back(to_double_nearest(each.origin + Rational(noisy) * each.unit));
    }
    return make_column(AtomType::f64, released);
  }

 private:
  Integer moment_of(const Moment& moment,
                    const std::vector<std::vector<std::int64_t>>& columns) const {
    const auto& first = columns[moment.first];
    const auto& second = columns[moment.second];
    const Integer sum = total(first);
    if (moment.is_mean) return sum;
    int128_t products = 0;
    for (std::size_t i = 0; i < first.size(); ++i) products += int128_t{first[i]} * second[i];
    return Integer(n_) * to_integer(products) - sum * total(second);
  }

  static Integer total(const std::vector<std::int64_t>& column) {
    int128_t sum = 0;
    for (const std::int64_t q : column) sum += q;
    return to_integer(sum);
  }

  std::vector<ColumnRule> rules_;
  std::size_t n_;
  std::vector<NoisyMoment> moments_;
};

}  // namespace

Measurement make_noisy_moments(const std::vector<ColumnSpec>& columns,
                               const std::vector<Moment>& moments,
                               std::uint64_t n) {
  if (n < 2 || n >= kMostRows)
    refuse_measurement("the number of rows must be at least 2, and below 2^40.");
  double loss = 0;
  for (const Moment& moment : moments) {
    const double epsilon = moment.epsilon.value();
    if (!(epsilon > 0) || std::isinf(epsilon))
      refuse_measurement("epsilons must be positive and finite.");
    if (std::max(moment.first, moment.second) >= columns.size())
      refuse_measurement("no such column.");
    loss = add_up(loss, epsilon);
  }
  const std::vector<ColumnRule> rules = column_rules(columns);
  return Measurement(
      DataFrameDomain{AtomType::string},
      change_one_distance(),
      max_divergence(),
      stage_function<NoisyMoments>(rules, moments, n),
      [loss](const Distance& d_in) -> Distance {
        return Scalar(mul_up(static_cast<double>(number_in<std::uint32_t>(d_in)), loss));
      },
      moment_laws(rules, moments, n));
}

}  // namespace dp
