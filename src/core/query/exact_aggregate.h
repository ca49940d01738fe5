// Tallies that the kernel counts in each group: exact integers, the source of all aggregates.
// External engines return the same integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/expression.h"
#include "core/numeric/int128.h"

namespace dp::query {

// Maps a real or whole value to a point of the lattice 2^exponent, clamped: z = index(x) - offset
// within [least, most]. A missing value becomes `fill`, or its row is dropped.
struct Quantiser {
  int exponent = 0;
  double lower = 0, upper = 0;
  std::int64_t least = 0, most = 0;
  std::int64_t offset = 0;
  std::optional<std::int64_t> fill;
};

// Counts a row as often as the point of its weight, which is at least 0. Rows without a weight are
// dropped. Without `of` each row counts once.
struct RowWeights {
  ExpressionPtr of = nullptr;
  Quantiser points = {};
};

struct ExactAggregate {
  enum class Kind : std::uint8_t {
    rows,      // kept rows
    ids,       // people with a kept row in the group
    missing,   // kept rows without a value
    present,   // kept rows with one, after the fill
    distinct,  // different values
    sum,       // of z
    squares,   // of z^2
    bins,      // rows below, at and between the points of a grid: 2 m + 1 integers
    dropped,   // rows that the last truncate() drops of the people of the group, at most `up_to`
               // each
    points     // z of each row, or kNone: see ExactAggregates
  };
  Kind kind;
  ExpressionPtr of;
  Quantiser quantiser;
  std::vector<std::int64_t> grid;  // indices z of the points, strictly increasing
  RowWeights weights = {};         // of rows, present, sum and bins
  std::uint32_t up_to = 0;         // dropped
};

// Whether the tally counts people, which requires that rows of one person are combined.
inline bool counts_people(ExactAggregate::Kind kind) {
  return kind == ExactAggregate::Kind::ids || kind == ExactAggregate::Kind::dropped;
}

inline bool is_weighted(const ExactAggregate& tally) { return tally.weights.of != nullptr; }

// NoisyComponent of a group's key, one for each column of `by`: missing, a whole number (logical,
// integer, date, level index) or a text.
struct KeyPart {
  bool missing = false;
  bool is_text = false;
  std::int64_t whole = 0;
  std::string text;
};
using Key = std::vector<KeyPart>;

// `values[t]` holds the integers of tally t, `width` per group, in the order of `keys`. `keys` has
// each group with a row once, in order.
//
// Points are not numbers of groups but one for each row, in an order that depends on threads; all
// tallies of points have the same order of rows. Only models that read rows use them, without
// groups and in R's memory, so engines refuse them.
struct ExactAggregates {
  std::vector<Key> keys;
  std::vector<std::vector<int128_t>> values;
};

}  // namespace dp::query
