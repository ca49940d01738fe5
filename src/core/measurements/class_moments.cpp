#include "core/measurements/class_moments.h"

#include <algorithm>
#include <cmath>

#include "core/data/frame.h"
#include "core/measurements/laplace_path_loss.h"
#include "core/measurements/refuse.h"
#include "core/measures/measure.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"
#include "core/table/sized_columns.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostClassRows = std::uint64_t{1} << 40;
constexpr std::size_t kMostClassColumns = 64;
constexpr std::uint64_t kMostClasses = 1000;
constexpr std::int64_t kMostClassSteps = std::int64_t{1} << 41;

void check_class_plan(const std::vector<ColumnSpec>& columns, const ClassPlan& plan) {
  if (plan.n < 2 || plan.n >= kMostClassRows)
    refuse_measurement("the number of rows must be at least 2, and below 2^40.");
  if (columns.size() > kMostClassColumns) refuse_measurement("there must be at most 64 columns.");
  if (plan.classes < 1 || plan.classes > kMostClasses)
    refuse_measurement("there must be from 1 to 1000 classes.");
  const double epsilon = plan.epsilon.value();
  if (!(epsilon > 0) || std::isinf(epsilon))
    refuse_measurement("epsilon must be positive and finite.");
  const bool is_shared = std::any_of(columns.begin(), columns.end(), [&](const ColumnSpec& each) {
    return each.name == plan.column;
  });
  if (is_shared) refuse_measurement("the column of classes must be none of the others.");
}

// A column with q in steps finer by a power of two, so that the noise of a cell is nearly
// continuous; the square of `width` is one row.
struct ClassColumn {
  ColumnRule rule;
  int finer;
  std::int64_t width;
};

std::vector<ClassColumn> class_columns(const std::vector<ColumnSpec>& columns) {
  std::vector<ClassColumn> all;
  for (ColumnRule& rule : column_rules(columns)) {
    int finer = 0;
    while (rule.width() < kMostClassSteps >> (finer + 1)) ++finer;
    const std::int64_t width = rule.width() << finer;
    all.push_back({std::move(rule), finer, width});
  }
  return all;
}

Rational one_row(const ClassColumn& column) {
  const Integer width(column.width);
  return Rational(Integer(width * width));
}

std::size_t cells_of_class(const ClassPlan& plan) { return plan.gaps == Gaps::dropped ? 4 : 3; }

class ClassMoments final : public WholeStage {
 public:
  ClassMoments(std::vector<ClassColumn> columns, const ClassPlan& plan)
      : columns_(std::move(columns)), plan_(plan) {
    for (const ClassColumn& column : columns_)
      noise_.emplace_back(class_scale(columns_.size(), plan_) * one_row(column));
  }

  Value run(const Value& value) const override {
    const std::vector<ColumnPtr> rows = sized(*frame_in(value));
    const std::vector<std::uint64_t> classes = classes_of(*rows.back());
    BitSource& bits = secure_bits();
    std::vector<double> released;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Rational unit = 1 / one_row(columns_[c]);
      for (const int128_t exact : cells(columns_[c], rows[c], classes)) {
        const Integer noisy = to_integer(exact) + noise_[c].draw(bits);
        released.push_back(product_to_double(noisy, unit));
      }
    }
    return make_column(AtomType::f64, released);
  }

 private:
  // The column of classes last.
  std::vector<ColumnPtr> sized(const Frame& frame) const {
    std::vector<std::string> names;
    for (const ClassColumn& column : columns_) names.push_back(column.rule.preparation().name());
    names.push_back(plan_.column);
    return sized_columns(frame, names, plan_.n, RowOrder::as_given);
  }

  // Class indices from 0. Rows in no class have the number of classes.
  std::vector<std::uint64_t> classes_of(const Column& rows) const {
    std::vector<std::uint64_t> classes(plan_.n, plan_.classes);
    each_cell<double>(rows, [&](double x, std::size_t row) {
      const bool is_class = x >= 1 && x <= static_cast<double>(plan_.classes) && x == std::floor(x);
      if (is_class) classes[row] = static_cast<std::uint64_t>(x) - 1;
    });
    return classes;
  }

  // Fewer than 2^40 shares of at most 82 bits.
  std::vector<int128_t> cells(const ClassColumn& column,
                              const ColumnPtr& rows,
                              const std::vector<std::uint64_t>& classes) const {
    std::vector<int128_t> sums(cells_of_column(plan_));
    const auto add = [&](const std::optional<std::int64_t>& q, std::size_t row) {
      for (const CellShare& each : cell_shares(classes[row], q, column.width, plan_))
        sums[each.cell] += each.share;
    };
    const std::int64_t times = std::int64_t{1} << column.finer;
    if (plan_.gaps == Gaps::imputed) {
      column.rule.preparation().each(
          rows, [&](double x, std::size_t row) { add(column.rule.place(x) * times, row); });
      return sums;
    }
    each_cell<double>(*rows, [&](double x, std::size_t row) {
      std::optional<std::int64_t> q = column.rule.place_if_present(x);
      if (q) *q *= times;
      add(q, row);
    });
    return sums;
  }

  std::vector<ClassColumn> columns_;
  ClassPlan plan_;
  std::vector<DiscreteLaplace> noise_;
};

LossMap class_laws(const std::vector<ClassColumn>& columns, const ClassPlan& plan) {
  Rational step(0);
  for (const ClassColumn& column : columns)
    step = std::max(step, Rational(1 / (class_scale(columns.size(), plan) * one_row(column))));
  return [step, epsilon = exact_rational(plan.epsilon.value())](const Distance& d_in) {
    const Integer rows(number_in<std::uint32_t>(d_in));
    return std::vector<LossPair>{laplace_path_pair(epsilon * rows, step)};
  };
}

}  // namespace

std::size_t cells_of_column(const ClassPlan& plan) {
  return plan.classes * cells_of_class(plan) + 1;
}

std::array<CellShare, 3> cell_shares(std::uint64_t in_class,
                                     const std::optional<std::int64_t>& q,
                                     std::int64_t width,
                                     const ClassPlan& plan) {
  const int128_t whole = int128_t{width} * width;
  if (in_class == plan.classes) return {{{cells_of_column(plan) - 1, whole}}};
  const std::size_t first = in_class * cells_of_class(plan);
  if (!q) return {{{first + 3, whole}}};
  const int128_t above = *q;
  const int128_t below = width - above;
  return {{{first, below * below}, {first + 1, 2 * above * below}, {first + 2, above * above}}};
}

Rational class_scale(std::size_t columns, const ClassPlan& plan) {
  return Rational(Integer(2 * columns)) / exact_rational(plan.epsilon.value());
}

Measurement make_class_moments(const std::vector<ColumnSpec>& columns, const ClassPlan& plan) {
  check_class_plan(columns, plan);
  const std::vector<ClassColumn> prepared = class_columns(columns);
  // The release is a double, and noise seldom exceeds a thousand times its scale.
  if (class_scale(columns.size(), plan) > power_of_two(960))
    refuse_measurement("noise must be well within the range of doubles: epsilon is too small.");
  return Measurement(
      DataFrameDomain{AtomType::string},
      change_one_distance(),
      max_divergence(),
      stage_function<ClassMoments>(prepared, plan),
      [loss = plan.epsilon.value()](const Distance& d_in) -> Distance {
        return Scalar(mul_up(static_cast<double>(number_in<std::uint32_t>(d_in)), loss));
      },
      class_laws(prepared, plan));
}

}  // namespace dp
