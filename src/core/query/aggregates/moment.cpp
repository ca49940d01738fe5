// A joint moment: the sum of a product of up to two centred columns, over all rows or over the rows
// of each cell. Models are made of them: with u_0 = 1 the moments are sums of u_i u_j.
//
// A column x becomes the point w of a lattice, 0 <= w <= N, clamped to its bounds, and v = 2 w - N
// is its distance from their middle c, in half steps: |v| <= N, and N is reached at both bounds.
// The moment is M = sum v, or M = sum v v'. It is an exact integer, made of sums of points:
//
//   sum v    = 2 sum w - N n
//   sum v v' = 4 sum w w' - 2 N sum w' - 2 N' sum w + N N' n.
//
// A step of w is 2^e, so a step of M is 2^(e - 1), or 2^(e + e' - 2): the release is sum (x - c) or
// sum (x - c)(x' - c').
//
// Rows without a value of x or x' do not count; n is then the number of the others.
//
// With weights, the last column is replaced by the product w (x - c), clamped to the symmetric
// bounds +-w1 h: w1 is the largest weight, h the half-width of x. The middle of these bounds is 0,
// so the same sums give sum w (x - c), or sum w (x - c)(x' - c'). The product is rounded once, to
// the lattice of a column with these bounds. It is a whole number if w, x and c are. A count of
// cells becomes a sum of weights. A row without a weight does not count.
//
// Cells are the combinations of the columns' levels, without the first level of each (treatment
// coding); of a logical, only TRUE. A moment of cells is a vector, of the sums over the rows of
// each cell. Without columns x it counts the rows of cells.
//
// Effect of a row: it moves v v' by at most N N', v by N, a count by 1. A square is from 0 to N^2,
// so a replaced row moves it by N^2, and another product by 2 N N'. A row is in at most one cell,
// so it moves the vector of all cells by no more than the number of one cell, in L1 and in L2. That
// is why a factor of many levels costs as much as a column: with q numeric columns and F factors,
// the response included, one row moves all moments (squares and counts of rows at half weight, no
// squares of indicators) by ((q + F + 1)^2 - F) / 2 in L1.
//   Proof. With Q = q + F there are Q (Q + 1) / 2 products and sums of two different members of
//   (1, columns, factors), each moved by at most 1 in units of its largest value, and q + 1 squares
//   (of columns, and the count of rows), of weight 1/2. The sum is (Q^2 + Q + q + 1) / 2, which is
//   ((Q + 1)^2 - F) / 2. Each part is charged by its own effect (norms.h), and the charges add up
//   to this number, so no joint bound is needed.
//
// With weights each effect is w1 times as large, in the unit of the release: |w (x - c)(x' - c')|
// is at most w1 h h', and a row of weight w1 at the bounds reaches it. So the bound of all moments
// is w1 times the same number. A weighted square can be below 0 by the rounding of one step, so a
// replaced row is charged as for other products.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/numeric/text.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/columns.h"
#include "core/query/component_list.h"
#include "core/query/same_expression.h"

namespace dp::query {
namespace {

// In the SQL of an engine, each cell is a separate sum.
constexpr std::size_t kMostMomentCells = 1000;

ExpressionPtr moment_node(Expression::Node node) {
  return std::make_shared<const Expression>(std::move(node));
}

// Points of a column, from 0 at its lower bound.
struct MomentColumn {
  ExpressionPtr of;
  Quantiser points;
  bool has_gaps;

  Integer span() const { return points.most; }
};

ExpressionPtr both(const ExpressionPtr& a, const ExpressionPtr& b) {
  if (a == nullptr) return b;
  return b == nullptr ? a : moment_node(Call{"&", {a, b}});
}

// The value of a column, or nothing in rows outside of the cell. Without a condition all rows are
// in it.
ExpressionPtr within_cell(const ExpressionPtr& condition, const ExpressionPtr& value) {
  if (condition == nullptr) return value;
  return moment_node(Call{"if_else", {condition, value, moment_node(Literal{})}});
}

class Moment final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    CountedRows rows = list.rows_of(aggregate);
    rows.weights.points.fill = {};
    const bool weighted = rows.weights.of != nullptr;
    std::vector<MomentColumn> columns;
    for (const ExpressionPtr& of : {aggregate.of, aggregate.times}) {
      if (of != nullptr) columns.push_back(column_of_moment(list, aggregate, of));
    }
    if (weighted && !columns.empty()) {
      columns.back() = weighted_column(list, aggregate, rows.weights, columns.back());
    }
    ExpressionPtr present;
    for (const MomentColumn& column : columns) {
      if (!column.has_gaps) continue;
      present = both(present, moment_node(Call{"!", {moment_node(Call{"is.na", {column.of}})}}));
    }
    const std::vector<ExpressionPtr> cells = cells_of_moment(list, aggregate);
    if (columns.empty() && aggregate.cells.empty()) {
      throw Error(ErrorKind::unsupported, "`" + aggregate.name + "` needs a column.");
    }
    NoisyComponent part;
    part.kind = NoisyComponent::Kind::moments;
    for (const ExpressionPtr& cell : cells) {
      part.moments.push_back(sums(list, columns, both(present, cell), rows.weights));
    }
    part.tally = part.moments.front().front().second;
    const Integer most = columns.empty() ? Integer(rows.most) : largest(columns);
    const bool is_square =
        columns.size() == 2 && !weighted && is_same(aggregate.of, aggregate.times);
    if (columns.empty() && weighted && cells.size() == 1) {
      part.effect = effect_on_sum(0, most, list.facts(true));
    } else if (columns.empty() && cells.size() == 1) {
      part.effect = effect_on_count(list.facts(true));
    } else if (!aggregate.cells.empty()) {
      part.effect = effect_on_cells(most);
    } else {
      part.effect = effect_on_sum(
          is_square ? Integer(0) : Integer(-most), most, list.facts(present != nullptr));
    }
    if (is_square) part.square = most;
    if (columns.empty()) part.exponent = rows.exponent;
    for (const MomentColumn& column : columns) part.exponent += column.points.exponent - 1;
    AggregateComponents parts;
    parts.main = {list.share(aggregate, part, aggregate.weight)};
    return parts;
  }

  bool makes_lists(const Aggregate& aggregate) const override { return !aggregate.cells.empty(); }

 private:
  static Integer largest(const std::vector<MomentColumn>& columns) {
    Integer product = 1;
    for (const MomentColumn& column : columns) product *= column.span();
    return product;
  }

  static MomentColumn column_of_moment(const ComponentList& list,
                                       const Aggregate& aggregate,
                                       const ExpressionPtr& of) {
    return column_within(list.typed(of), of, aggregate);
  }

  static MomentColumn column_within(const Field& field,
                                    const ExpressionPtr& of,
                                    const Aggregate& aggregate) {
    Quantiser points = quantiser_of(field, {}, Origin::coarse, aggregate.name);
    points.fill = {};
    points.offset += points.least;
    points.most -= points.least;
    points.least = 0;
    if (points.most == 0) {
      throw Error(ErrorKind::domain,
                  "`" + aggregate.name + "` needs columns whose bounds are apart.");
    }
    return {of, points, field.may_be_missing};
  }

  // The column w (x - c), whose bounds are symmetric.
  static MomentColumn weighted_column(const ComponentList& list,
                                      const Aggregate& aggregate,
                                      const RowWeights& weights,
                                      const MomentColumn& column) {
    const double middle = column.points.lower / 2 + column.points.upper / 2;
    const ExpressionPtr centred = moment_node(Call{"-", {column.of, moment_node(Literal{middle})}});
    const ExpressionPtr product = moment_node(Call{"*", {weights.of, centred}});
    const double most = weights.points.upper * (column.points.upper - middle);
    // Known bounds of the values can be narrower on one side.
    Field field = list.typed(product);
    if (field.type == FieldType::real) {
      field.reals = {-most, most};
    } else {
      const auto whole = static_cast<std::int64_t>(most);
      field.wholes = {-whole, whole};
    }
    return column_within(field, product, aggregate);
  }

  // A condition for each cell; one without a condition if the moment has no cells.
  static std::vector<ExpressionPtr> cells_of_moment(const ComponentList& list,
                                                    const Aggregate& aggregate) {
    std::vector<ExpressionPtr> cells = {nullptr};
    for (const ExpressionPtr& of : aggregate.cells) {
      std::vector<ExpressionPtr> divided;
      const std::vector<ExpressionPtr> levels = conditions_of(list.typed(of), of, aggregate);
      for (const ExpressionPtr& cell : cells) {
        for (const ExpressionPtr& level : levels) {
          divided.push_back(both(cell, level));
        }
      }
      if (divided.size() > kMostMomentCells) {
        throw Error(ErrorKind::unsupported,
                    "`" + aggregate.name + "` must have at most " +
                        std::to_string(kMostMomentCells) + " cells. Use factors of fewer levels.");
      }
      cells = std::move(divided);
    }
    return cells;
  }

  // A condition for each level but the first.
  static std::vector<ExpressionPtr> conditions_of(const Field& field,
                                                  const ExpressionPtr& of,
                                                  const Aggregate& aggregate) {
    if (field.type == FieldType::logical) return {of};
    if (field.type != FieldType::levels) {
      throw Error(ErrorKind::domain,
                  "the cells of `" + aggregate.name + "` must be declared levels, not " +
                      kind_of(field) + ". Declare them with `dp_levels()`.");
    }
    std::vector<ExpressionPtr> conditions;
    for (const std::int64_t place : values_of(field)) {
      const std::string& level = field.levels[static_cast<std::size_t>(place)];
      const Literal literal =
          field.whole_levels ? Literal{*parse_number<std::int64_t>(level)} : Literal{level};
      conditions.push_back(moment_node(Call{"==", {of, moment_node(literal)}}));
    }
    if (conditions.size() < 2) {
      throw Error(ErrorKind::domain,
                  "a factor of `" + aggregate.name + "` needs at least two possible levels.");
    }
    conditions.erase(conditions.begin());
    return conditions;
  }

  // The moment of one cell as a sum of tallies.
  static Combination sums(ComponentList& list,
                          const std::vector<MomentColumn>& columns,
                          const ExpressionPtr& cell,
                          const RowWeights& weights) {
    const auto sum_of = [&](const MomentColumn& column, const RowWeights& factor) {
      return list.tally(
          ExactAggregate::Kind::sum, within_cell(cell, column.of), column.points, {}, factor);
    };
    const RowWeights counted = columns.empty() ? weights : RowWeights{};
    const std::size_t rows =
        cell == nullptr ? list.tally(ExactAggregate::Kind::rows)
                        : list.tally(ExactAggregate::Kind::present,
                                     within_cell(cell, moment_node(Literal{std::int64_t{1}})),
                                     {},
                                     {},
                                     counted);
    if (columns.empty()) return {{1, rows}};
    const MomentColumn& first = columns.front();
    if (columns.size() == 1) return {{2, sum_of(first, {})}, {-first.span(), rows}};
    const MomentColumn& second = columns.back();
    return {{4, sum_of(first, {second.of, second.points})},
            {-2 * second.span(), sum_of(first, {})},
            {-2 * first.span(), sum_of(second, {})},
            {first.span() * second.span(), rows}};
  }
};

}  // namespace

const AggregateClass& moment_class() {
  static const Moment kClass;
  return kClass;
}

}  // namespace dp::query
