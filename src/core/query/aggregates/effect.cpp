// An effect of a contingency table (core/tables/effects.h): integers z_A over the cells of a set A
// of columns. Several effects make tables that add up.
//
// Cells are levels, logicals, and whole numbers within bounds. The rows without a value form a cell
// if the column has a group of missing values. Otherwise they count in no effect of the query, so
// all effects are of the same rows. The effect of no columns is the number of these rows.
//
// An effect is computed from the counts of a larger table if the query has an effect of all its
// columns, so each cell of the largest tables is counted once.
//
// Effect of a row: it moves the counts of one cell, and z_A by the norms of effects.h, whichever
// cell it is in. Rows of one group move z_A together by at most as often the norm as there are
// rows, because a norm is convex. If the lengths of groups are public, rows are replaced one by
// one. A row that can be dropped may also be lost or gained by a replacement, which moves z_A by
// the norm of one row; that is shorter than the norm of a replacement.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/numeric/text.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/columns.h"
#include "core/query/same_expression.h"
#include "core/query/table_cells.h"
#include "core/tables/effects.h"

namespace dp::query {
namespace {

ExpressionPtr effect_node(Expression::Node node) {
  return std::make_shared<const Expression>(std::move(node));
}

ExpressionPtr effect_call(const char* op, std::vector<ExpressionPtr> args) {
  return effect_node(Call{op, std::move(args)});
}

ExpressionPtr whole_of_effect(std::int64_t value) { return effect_node(Literal{value}); }

bool has_column(const Aggregate& effect, const ExpressionPtr& column) {
  return std::any_of(effect.cells.begin(), effect.cells.end(), [&](const ExpressionPtr& its) {
    return is_same(its, column);
  });
}

// Whether `larger` has all columns of `one`.
bool is_in_table(const Aggregate& one, const Aggregate& larger) {
  return larger.kind == Aggregate::Kind::effect &&
         std::all_of(one.cells.begin(), one.cells.end(), [&](const ExpressionPtr& column) {
           return has_column(larger, column);
         });
}

class TableEffect final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    const Aggregate& table = counted_table(list, aggregate);
    NoisyComponent part;
    part.kind = NoisyComponent::Kind::effect;
    ExpressionPtr cell = whole_of_effect(0);
    for (const ExpressionPtr& of : table.cells) {
      const Field field = list.typed(of);
      const std::int64_t size = cells_of_column(field, aggregate);
      cell =
          effect_call("+", {effect_call("*", {cell, whole_of_effect(size)}), place_in(field, of)});
      part.shape.push_back(static_cast<std::size_t>(size));
      part.kept.push_back(has_column(aggregate, of));
    }
    bool drops = false;
    for (const ExpressionPtr& column : list.gaps_of_effects()) {
      drops = true;
      if (has_column(table, column)) continue;
      cell = effect_call("if_else", {effect_call("is.na", {column}), effect_node(Literal{}), cell});
    }
    const std::size_t cells = tables::cells_of(part.shape);
    Quantiser places;
    places.most = static_cast<std::int64_t>(cells) - 1;
    places.upper = static_cast<double>(places.most);
    std::vector<std::int64_t> grid;
    for (std::size_t i = 0; i < cells; ++i) grid.push_back(static_cast<std::int64_t>(i));
    part.tally = list.tally(ExactAggregate::Kind::bins, cell, places, grid);
    set_effect(part, list.facts(drops), aggregate);
    AggregateComponents parts;
    parts.main = {list.share(aggregate, part, aggregate.weight)};
    return parts;
  }

  bool makes_lists(const Aggregate& /*aggregate*/) const override { return true; }

 private:
  // The largest table of the query that has the columns.
  static const Aggregate& counted_table(const ComponentList& list, const Aggregate& aggregate) {
    const Aggregate* largest = &aggregate;
    for (const Aggregate& other : list.aggregates()) {
      const bool is_larger = other.cells.size() > largest->cells.size();
      if (is_larger && is_in_table(aggregate, other)) largest = &other;
    }
    return *largest;
  }

  static void set_effect(NoisyComponent& part,
                         const GroupFacts& facts,
                         const Aggregate& aggregate) {
    const tables::Shape shape = tables::kept_shape(part.shape, part.kept);
    if (shape.empty()) {
      part.effect = effect_on_present(facts);
      return;
    }
    const tables::EffectNorms norms = tables::effect_norms(shape);
    if (norms.l2_squared == 0) {
      throw Error(ErrorKind::unsupported,
                  "the columns of `" + aggregate.name + "` must have at least two cells each.");
    }
    part.effect = {1, {}, facts.has_public_lengths};
    part.l1_of_row = facts.has_public_lengths ? Integer(2 * norms.l1) : norms.l1;
    part.l2_squared_of_row =
        facts.has_public_lengths ? norms.replaced_l2_squared : norms.l2_squared;
  }

  static std::int64_t cells_of_column(const Field& field, const Aggregate& aggregate) {
    const std::optional<std::uint64_t> cells = number_of_cells(field);
    if (!cells) {
      throw Error(ErrorKind::domain,
                  "the columns of `" + aggregate.name + "` must have levels or bounds, but `" +
                      shown_name(field.name) + "` is " + kind_of(field) + ".");
    }
    return static_cast<std::int64_t>(std::min(*cells, std::uint64_t{1} << 62));
  }

  // The number of the row's cell, from 0; missing if it has none.
  static ExpressionPtr place_in(const Field& field, const ExpressionPtr& of) {
    if (field.type == FieldType::logical)
      return effect_call("if_else", {of, whole_of_effect(1), whole_of_effect(0)});
    if (field.type != FieldType::levels) {
      return effect_call("-", {of, whole_of_effect(field.wholes->first)});
    }
    return effect_call("level_index", {of});
  }
};

}  // namespace

const AggregateClass& effect_class() {
  static const TableEffect kClass;
  return kClass;
}

}  // namespace dp::query
