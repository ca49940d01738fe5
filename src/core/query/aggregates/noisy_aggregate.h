// What the estimate of an aggregate reads: its noisy numbers, their laws, and public facts.
#pragma once

#include <cstddef>
#include <optional>

#include "core/numeric/parameters.h"
#include "core/query/combined_noise.h"
#include "core/query/estimates.h"
#include "core/query/noisy_components.h"
#include "core/query/statement.h"

namespace dp::query {

class NoisyAggregate {
 public:
  // `place` is an index in the aggregates of the parts.
  NoisyAggregate(const NoisyComponents& noisy, std::size_t place, Alpha alpha);

  const Aggregate& aggregate() const { return aggregate_; }
  const AggregateComponents& places() const { return places_; }
  std::size_t groups() const { return noisy_.groups; }
  Alpha alpha() const { return alpha_; }
  const CombinedReach& combined() const { return combined_; }

  const NoisyComponent& part(std::size_t at) const { return noisy_.parts.parts[at]; }
  const std::optional<NoiseLaw>& law(std::size_t part) const { return noisy_.laws[part]; }
  const Measured& measured(std::size_t part) const { return noisy_.measured[part]; }
  std::size_t main() const { return places_.main.front(); }

  double number(std::size_t part, std::size_t at) const { return noisy_.number(part, at); }
  Range possible(std::size_t part) const { return noisy_.possible(part); }
  NoiseTerm term(std::size_t part) const { return noisy_.term(part, alpha_); }

  // Reach of a part's noise, in the unit of the release, with probability alpha / parts.
  double reach(std::size_t part, double parts) const;
  Range range(std::size_t part, std::size_t at, double reach) const;

  // The noisy number of rows of a group, and its range. Both are at least one row.
  double rows(std::size_t group) const;
  Range rows_range(std::size_t group, double reach) const;

  // Noisy numbers of rows, of each group: the numbers of a part at group * width. The root of a
  // tree counts the values of its column.
  struct Counted {
    std::size_t part;
    std::size_t width;
  };

  // The counts of rows with the weights of the aggregate, if the query asks for them: of rows with
  // a value, or of all.
  std::optional<Counted> counted(bool values) const;
  double number(const Counted& counted, std::size_t group) const;
  bool may_be_empty(const std::optional<Counted>& counted, std::size_t group) const;

 private:
  const NoisyComponents& noisy_;
  const AggregateComponents& places_;
  const Aggregate& aggregate_;
  Alpha alpha_;
  CombinedReach combined_;
};

// Adds an estimate within bounds, for a group that has rows or could be empty.
void push_bounded(
    Estimates& to, double value, const Range& range, const Range& bounds, bool may_be_empty);

// The part of a range within [least, most].
Range held_within(const Range& range, double least, double most);

}  // namespace dp::query
