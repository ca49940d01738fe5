// The tallies and parts that a query needs, without duplicates, and what aggregates share when they
// add theirs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/query/noisy_components.h"
#include "core/query/statement.h"

namespace dp::query {

// How an aggregate counts rows. Without weights each row counts once.
struct CountedRows {
  RowWeights weights;
  bool may_drop = false;  // for want of a weight
  std::int64_t least = 1, most = 1;
  int exponent = 0;
};

class ComponentList {
 public:
  ComponentList(const Statement& statement, const std::vector<Field>& fields);

  QueryComponents& result() { return result_; }
  QueryComponents take() { return std::move(result_); }

  bool has_people() const { return statement_.source.unit.kind == Unit::Kind::id; }
  Rules rules() const { return statement_.source.rules; }
  const std::vector<Aggregate>& aggregates() const { return statement_.aggregates; }
  bool has_groups() const { return !statement_.by.empty(); }

  // The column of an aggregate. Throws unsupported if it has none.
  Field field_of(const Aggregate& aggregate) const;
  Field typed(const ExpressionPtr& of) const;
  // Throws domain if the weights are no numbers with bounds from 0 on.
  CountedRows rows_of(const Aggregate& aggregate) const;
  GroupFacts facts(bool may_drop);
  // The columns of all effects of the query that rows can lack.
  const std::vector<ExpressionPtr>& gaps_of_effects();

  std::size_t tally(ExactAggregate::Kind kind,
                    const ExpressionPtr& of = nullptr,
                    const Quantiser& quantiser = {},
                    const std::vector<std::int64_t>& grid = {},
                    const RowWeights& weights = {});
  std::size_t tally(const ExactAggregate& wanted);

  // The part that measures this tally in this way, new or existing. A separately requested number
  // has the name of its aggregate.
  std::size_t share(const Aggregate& aggregate, NoisyComponent part, double weight);

  static NoisyComponent number(std::size_t tally, Effect effect);

  // Parts for the numbers of rows, of people, and of rows with a value. Throws unsupported for
  // people without an identifier.
  std::size_t rows_part(const Aggregate& aggregate, double weight);
  std::size_t ids_part(const Aggregate& aggregate, double weight);
  // The number of rows that the last truncate() drops, at most `up_to` per person. Throws
  // unsupported unless truncate() is the last step that combines rows of people.
  std::size_t dropped_part(const Aggregate& aggregate, std::uint32_t up_to, double weight);
  std::size_t present_part(const Aggregate& aggregate, bool may_drop, double weight);
  std::size_t present_tally(const Aggregate& aggregate) {
    return tally(ExactAggregate::Kind::present, aggregate.of);
  }
  // The number of rows, or the sum of their weights; only over rows with a value, if a value can be
  // missing.
  std::size_t counted_part(const Aggregate& aggregate,
                           const CountedRows& rows,
                           bool some_lack_value,
                           double weight);
  NoisyComponent sum_part(const Aggregate& aggregate,
                          const CountedRows& rows,
                          const Quantiser& quantiser,
                          bool drops);
  // The share of an aggregate's weight for each of `others`, after the share of its count.
  double weight_beside_count(const Aggregate& aggregate, bool drops, int others) const;

 private:
  const Statement& statement_;
  const std::vector<Field>& fields_;
  std::vector<ExpressionPtr> counted_;  // weights of the counts that are asked for; null for rows
  QueryComponents result_;
  std::unordered_multimap<std::size_t, std::size_t> tallies_;  // places by hash
  std::map<std::pair<NoisyComponent::Kind, std::size_t>, std::size_t>
      numbers_;  // of one number, by tally
  std::optional<GroupFacts> facts_;
  std::optional<std::vector<ExpressionPtr>> gaps_;  // of effects
};

}  // namespace dp::query
