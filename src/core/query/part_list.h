// The tallies and parts that a query needs, without duplicates.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/query/parts.h"
#include "core/query/statement.h"

namespace dp::query {

class PartList {
 public:
  explicit PartList(const Statement& statement) : statement_(statement) {}

  QueryParts& result() { return result_; }
  QueryParts take() { return std::move(result_); }

  bool has_people() const { return statement_.source.unit.kind == Unit::Kind::id; }
  GroupFacts facts(bool may_drop);

  std::size_t tally(Tally::Kind kind,
                    const ExpressionPtr& of = nullptr,
                    const Quantiser& quantiser = {},
                    const std::vector<std::int64_t>& grid = {},
                    const RowWeights& weights = {});
  std::size_t tally(const Tally& wanted);

  // The part that measures this tally in this way, new or existing. A separately requested number
  // has the name of its aggregate.
  std::size_t share(const Aggregate& aggregate, Part part, double weight);

  static Part number(std::size_t tally, Effect effect);

  // Parts for the numbers of rows, of people, and of rows with a value. Throws unsupported for
  // people without an identifier.
  std::size_t rows_part(const Aggregate& aggregate, double weight);
  std::size_t ids_part(const Aggregate& aggregate, double weight);
  // The number of rows that the last truncate() drops, at most `up_to` per person. Throws
  // unsupported unless truncate() is the last step that combines rows of people.
  std::size_t dropped_part(const Aggregate& aggregate, std::uint32_t up_to, double weight);
  std::size_t present_part(const Aggregate& aggregate, bool may_drop, double weight);
  std::size_t present_tally(const Aggregate& aggregate) {
    return tally(Tally::Kind::present, aggregate.of);
  }

 private:
  const Statement& statement_;
  QueryParts result_;
  std::unordered_multimap<std::size_t, std::size_t> tallies_;          // places by hash
  std::map<std::pair<Part::Kind, std::size_t>, std::size_t> numbers_;  // of one number, by tally
  std::optional<GroupFacts> facts_;
};

}  // namespace dp::query
