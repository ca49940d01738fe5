#include "core/measurements/noisy_moments.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/engine/frame.h"
#include "core/measures/measure.h"
#include "core/numeric/directed.h"
#include "core/numeric/lattice.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"
#include "core/random/uniform.h"
#include "core/transformations/arrange.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;

// The finest lattice has 51 bits; sums of 2^40 products of 40 bits fit 128.
constexpr int kDroppedBits = 11;

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(ErrorKind::make_measurement, sentence);
}

// How the cells of one column become integers from 0 on.
class ColumnRule {
 public:
  explicit ColumnRule(const MomentColumn& column) : column_(column) {
    lattice_ = {lattice_for(column.lower, column.upper).exponent + kDroppedBits};
    if (column.whole) lattice_.exponent = std::max(lattice_.exponent, 0);
    lowest_ = lattice_.index(column.lower);
    width_ = lattice_.index(column.upper) - lowest_;
    impute_from_ = draw_place(column.impute_lower);
    impute_count_ = static_cast<std::uint64_t>(draw_place(column.impute_upper) - impute_from_) + 1;
    if (width_ <= 0 || lattice_.exponent < -500 || lattice_.exponent > 450) {
      refuse(
          "bounds must have room for different values, of a magnitude whose square is a double.");
    }
  }

  const std::string& name() const { return column_.name; }
  std::int64_t width() const { return width_; }
  int exponent() const { return lattice_.exponent; }
  Rational lower() const { return lattice_.exact_value(int128_t{lowest_}); }

  std::int64_t operator()(double x, BitSource& bits) const {
    if (std::isnan(x) || (column_.whole && std::isinf(x))) return place(draw(bits));
    return place(column_.whole ? std::trunc(x) : x);
  }

 private:
  std::int64_t place(double x) const {
    return lattice_.index(std::clamp(x, column_.lower, column_.upper)) - lowest_;
  }

  // Imputed values lie on the lattice, or among the whole numbers where that is coarser than they.
  std::int64_t draw_place(double x) const {
    return column_.whole ? static_cast<std::int64_t>(x) : lattice_.index(x);
  }
  double draw(BitSource& bits) const {
    const auto drawn = impute_from_ + static_cast<std::int64_t>(uniform_below(impute_count_, bits));
    return column_.whole ? static_cast<double>(drawn) : lattice_.value(int128_t{drawn});
  }

  MomentColumn column_;
  Lattice lattice_{0};
  std::int64_t lowest_ = 0;
  std::int64_t width_ = 0;
  std::int64_t impute_from_ = 0;
  std::uint64_t impute_count_ = 0;
};

std::vector<std::int64_t> read_column(const ColumnRule& rule, const Rows& rows, BitSource& bits) {
  std::vector<std::int64_t> integers;
  integers.reserve(rows.size());
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    const std::size_t size = std::min(kBlockRows, rows.size() - begin);
    const Block block = rows.read(begin, size, buffer);
    for (std::size_t i = 0; i < size; ++i) integers.push_back(rule(block.as<double>()[i], bits));
  }
  return integers;
}

// One integer, and what it is noised and multiplied with.
struct NoisyMoment {
  Moment moment;
  DiscreteLaplace noise;
  Rational unit;
  Rational origin;
};

NoisyMoment noisy_moment(const Moment& moment, const std::vector<ColumnRule>& rules, Integer n) {
  const ColumnRule& first = rules[moment.first];
  const ColumnRule& second = rules[moment.second];
  const Rational epsilon = exact_rational(moment.epsilon.value());
  if (moment.is_mean) {
    return {moment,
            DiscreteLaplace(Rational(Integer(first.width())) / epsilon),
            power_of_two(first.exponent()) / Rational(n),
            first.lower()};
  }
  const Integer most = Integer(n - 1) * first.width() * second.width();
  return {moment,
          DiscreteLaplace(Rational(most) / epsilon),
          power_of_two(first.exponent() + second.exponent()) / Rational(Integer(n * (n - 1))),
          Rational(0)};
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
    const auto columns = integers_of(*frame_in(value), bits);
    std::vector<double> released;
    for (const NoisyMoment& each : moments_) {
      const Integer exact = moment_of(each.moment, columns);
      const Integer noisy = exact + each.noise.draw(bits);
      released.push_back(to_double_nearest(each.origin + Rational(noisy) * each.unit));
    }
    return make_rows(AtomType::f64, released);
  }

 private:
  std::vector<std::vector<std::int64_t>> integers_of(const Frame& frame, BitSource& bits) const {
    std::vector<std::vector<std::int64_t>> columns;
    std::vector<std::size_t> places;
    const double missing = std::numeric_limits<double>::quiet_NaN();
    for (const ColumnRule& rule : rules_) {
      RowsPtr rows = frame.column(Scalar(rule.name()), AtomType::f64);
      if (rows->size() != n_) {
        if (places.empty()) places = places_at_random(std::max<std::size_t>(rows->size(), n_));
        rows = arrange(*rows, places, n_, Scalar(missing));
      }
      columns.push_back(read_column(rule, *rows, bits));
    }
    return columns;
  }

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

std::vector<ColumnRule> rules_of(const std::vector<MomentColumn>& columns) {
  std::vector<ColumnRule> rules;
  std::set<std::string> names;
  for (const MomentColumn& column : columns) {
    if (!names.insert(column.name).second) refuse("columns must have different names.");
    const bool ordered = column.lower <= column.impute_lower &&
                         column.impute_lower <= column.impute_upper &&
                         column.impute_upper <= column.upper;
    if (!ordered || !(column.lower < column.upper)) refuse("bounds must be in order.");
    if (column.whole && std::max(std::fabs(column.lower), std::fabs(column.upper)) >= 0x1p53) {
      refuse("bounds of whole numbers must be below 2^53.");
    }
    rules.emplace_back(column);
  }
  return rules;
}

}  // namespace

Measurement make_noisy_moments(const std::vector<MomentColumn>& columns,
                               const std::vector<Moment>& moments,
                               std::uint64_t n) {
  if (n < 2 || n >= kMostRows) refuse("the number of rows must be at least 2, and below 2^40.");
  double loss = 0;
  for (const Moment& moment : moments) {
    const double epsilon = moment.epsilon.value();
    if (!(epsilon > 0) || std::isinf(epsilon)) refuse("epsilons must be positive and finite.");
    if (std::max(moment.first, moment.second) >= columns.size()) refuse("no such column.");
    loss = add_up(loss, epsilon);
  }
  return Measurement(
      DataFrameDomain{AtomType::string},
      change_one_distance(),
      max_divergence(),
      stage_function<NoisyMoments>(rules_of(columns), moments, n),
      [loss](const Distance& d_in) -> Distance {
        return Scalar(mul_up(static_cast<double>(number_in<std::uint32_t>(d_in)), loss));
      });
}

}  // namespace dp
