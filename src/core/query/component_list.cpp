#include "core/query/component_list.h"

#include <algorithm>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"
#include "core/query/domains.h"
#include "core/query/grids.h"
#include "core/query/same_expression.h"
#include "core/query/unit_reach.h"

namespace dp::query {
namespace {

// The least and the largest product of a weight and a point.
std::pair<Integer, Integer> range_of_products(const CountedRows& rows, const Quantiser& points) {
  const Integer of_least = points.least < 0 ? rows.most : rows.least;
  const Integer of_most = points.most < 0 ? rows.least : rows.most;
  return {of_least * points.least, of_most * points.most};
}

}  // namespace

ComponentList::ComponentList(const Statement& statement, const std::vector<Field>& fields)
    : statement_(statement), fields_(fields) {
  for (const Aggregate& each : statement.aggregates) {
    if (each.kind == Aggregate::Kind::count) counted_.push_back(each.weights);
  }
}

GroupFacts group_facts(const Statement& statement, bool may_drop) {
  // Promises do not depend on the distance between tables.
  const Contributions known = contributions_after(statement.source, statement.steps, 1);
  const Columns by(statement.by.begin(), statement.by.end());
  return {known.has_public_lengths(by), known.most_rows(by), may_drop};
}

GroupFacts ComponentList::facts(bool may_drop) {
  if (!facts_) facts_ = group_facts(statement_, may_drop);
  facts_->may_drop = may_drop;
  return *facts_;
}

const std::vector<ExpressionPtr>& ComponentList::gaps_of_effects() {
  if (gaps_) return *gaps_;
  std::vector<ExpressionPtr> columns;
  for (const Aggregate& effect : statement_.aggregates) {
    if (effect.kind != Aggregate::Kind::effect) continue;
    for (const ExpressionPtr& column : effect.cells) {
      const auto is_it = [&](const ExpressionPtr& other) { return is_same(other, column); };
      if (std::none_of(columns.begin(), columns.end(), is_it)) columns.push_back(column);
    }
  }
  gaps_.emplace();
  for (const ExpressionPtr& column : columns) {
    if (typed(column).may_be_missing) gaps_->push_back(column);
  }
  return *gaps_;
}

std::size_t ComponentList::tally(ExactAggregate::Kind kind,
                                 const ExpressionPtr& of,
                                 const Quantiser& quantiser,
                                 const std::vector<std::int64_t>& grid,
                                 const RowWeights& weights) {
  return tally({kind, of, quantiser, grid, weights});
}

std::size_t ComponentList::tally(const ExactAggregate& wanted) {
  const std::size_t hash = hash_of(wanted);
  const auto [first, last] = tallies_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (is_same(result_.tallies[known->second], wanted)) return known->second;
  }
  tallies_.emplace(hash, result_.tallies.size());
  result_.tallies.push_back(wanted);
  return result_.tallies.size() - 1;
}

std::size_t ComponentList::share(const Aggregate& aggregate, NoisyComponent part, double weight) {
  part.column = aggregate.name;
  part.aggregate = aggregate.kind;
  part.weight = weight;
  const bool one_number =
      part.kind == NoisyComponent::Kind::number || part.kind == NoisyComponent::Kind::squares;
  if (one_number) {
    const std::size_t next = result_.parts.size();
    const auto [found, is_new] = numbers_.emplace(std::pair(part.kind, part.tally), next);
    if (!is_new) {
      NoisyComponent& known = result_.parts[found->second];
      known.weight = std::max(known.weight, weight);
      if (aggregate.kind == Aggregate::Kind::count) {
        known.column = part.column;
        known.aggregate = part.aggregate;
      }
      return found->second;
    }
  }
  result_.parts.push_back(std::move(part));
  return result_.parts.size() - 1;
}

NoisyComponent ComponentList::number(std::size_t tally, Effect effect) {
  NoisyComponent part;
  part.tally = tally;
  part.effect = std::move(effect);
  return part;
}

std::size_t ComponentList::rows_part(const Aggregate& aggregate, double weight) {
  return share(
      aggregate, number(tally(ExactAggregate::Kind::rows), effect_on_rows(facts(false))), weight);
}

std::size_t ComponentList::ids_part(const Aggregate& aggregate, double weight) {
  if (!has_people()) {
    throw Error(ErrorKind::unsupported,
                "`" + aggregate.name +
                    "` counts people, so it needs a unit with an `id`: `dp_unit(id = )`.");
  }
  NoisyComponent part = number(tally(ExactAggregate::Kind::ids), effect_on_people(facts(false)));
  part.of_people = true;
  return share(aggregate, part, weight);
}

std::size_t ComponentList::dropped_part(const Aggregate& aggregate,
                                        std::uint32_t up_to,
                                        double weight) {
  const auto meets = [](const Step& step) {
    return std::holds_alternative<Truncate>(step) || std::holds_alternative<PerUnit>(step);
  };
  const auto last = std::find_if(statement_.steps.rbegin(), statement_.steps.rend(), meets);
  if (last == statement_.steps.rend() || !std::holds_alternative<Truncate>(*last)) {
    throw Error(ErrorKind::unsupported,
                "`" + aggregate.name +
                    "` counts the rows that `dp_truncate()` drops. Add `dp_truncate()` before it.");
  }
  if (up_to == 0) throw Error(ErrorKind::unsupported, "`up_to` must be at least 1.");
  ExactAggregate wanted{ExactAggregate::Kind::dropped, nullptr, {}, {}};
  wanted.up_to = up_to;
  NoisyComponent part = number(tally(wanted), effect_on_people(up_to, facts(false)));
  part.of_people = true;
  return share(aggregate, part, weight);
}

std::size_t ComponentList::present_part(const Aggregate& aggregate, bool may_drop, double weight) {
  if (!may_drop) return rows_part(aggregate, weight);
  return share(aggregate, number(present_tally(aggregate), effect_on_present(facts(true))), weight);
}

Field ComponentList::field_of(const Aggregate& aggregate) const {
  if (aggregate.of == nullptr) {
    throw Error(ErrorKind::unsupported, "`" + aggregate.name + "` needs a column.");
  }
  return typed(aggregate.of);
}

Field ComponentList::typed(const ExpressionPtr& of) const {
  if (rules() == Rules::first) return type_of(*of, fields_, Language::first_queries);
  return domain_of(of, fields_, {});
}

CountedRows ComponentList::rows_of(const Aggregate& aggregate) const {
  CountedRows rows;
  if (aggregate.weights == nullptr) return rows;
  const Field field = typed(aggregate.weights);
  const std::string name = "the weights of `" + aggregate.name + "`";
  if (field.type == FieldType::date || !is_number(field) || field.type == FieldType::levels) {
    throw Error(ErrorKind::domain, name + " must be numbers, not " + kind_of(field) + ".");
  }
  if (!has_bounds(field)) {
    throw Error(ErrorKind::domain,
                name + " have no bounds. Declare them, as in `dp_num(0, 5000)`.");
  }
  const Quantiser points = quantiser_of(field, {}, Origin::factor, aggregate.name);
  if (points.lower < 0 || points.most <= 0) {
    throw Error(ErrorKind::domain,
                name + " must have a lower bound of at least 0, and an upper bound above 0.");
  }
  return {{aggregate.weights, points}, may_drop(field), points.least, points.most, points.exponent};
}

std::size_t ComponentList::counted_part(const Aggregate& aggregate,
                                        const CountedRows& rows,
                                        bool some_lack_value,
                                        double weight) {
  if (rows.weights.of == nullptr) return present_part(aggregate, some_lack_value, weight);
  const std::size_t of =
      some_lack_value ? tally(ExactAggregate::Kind::present, aggregate.of, {}, {}, rows.weights)
                      : tally(ExactAggregate::Kind::rows, nullptr, {}, {}, rows.weights);
  const bool drops = some_lack_value || rows.may_drop;
  NoisyComponent part = number(of, effect_on_sum(rows.least, rows.most, facts(drops)));
  part.exponent = rows.exponent;
  return share(aggregate, part, weight);
}

NoisyComponent ComponentList::sum_part(const Aggregate& aggregate,
                                       const CountedRows& rows,
                                       const Quantiser& quantiser,
                                       bool drops) {
  const auto [least, most] = range_of_products(rows, quantiser);
  NoisyComponent part =
      number(tally(ExactAggregate::Kind::sum, aggregate.of, quantiser, {}, rows.weights),
             effect_on_sum(least, most, facts(drops || rows.may_drop)));
  part.exponent = quantiser.exponent + rows.exponent;
  return part;
}

double ComponentList::weight_beside_count(const Aggregate& aggregate,
                                          bool drops,
                                          int others) const {
  const auto is_its = [&](const ExpressionPtr& of) { return is_same(of, aggregate.weights); };
  const bool is_shared = !drops && std::any_of(counted_.begin(), counted_.end(), is_its);
  return aggregate.weight / (is_shared ? others : others + 1);
}

}  // namespace dp::query
