// What the kernel counts in each group: exact integers, from which all aggregates are made. An
// engine that runs elsewhere returns the same ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/expression.h"
#include "core/numeric/int128.h"

namespace dp::query {

// A real or whole value as a point of the lattice 2^exponent, clamped: z = index(x) - offset within
// [least, most]; what is missing is `fill`, or leaves.
struct Quantiser {
  int exponent = 0;
  double lower = 0, upper = 0;
  std::int64_t least = 0, most = 0;
  std::int64_t offset = 0;
  std::optional<std::int64_t> fill;
};

// A row counts as often as the point of its weight says, which is at least 0. Rows without a weight
// leave. Without `of` each row counts once.
struct RowWeights {
  ExpressionPtr of = nullptr;
  Quantiser points = {};
};

struct Tally {
  enum class Kind : std::uint8_t {
    rows,      // kept rows
    ids,       // people with a kept row in the group
    missing,   // kept rows without a value
    present,   // kept rows with one, after the fill
    distinct,  // different values
    sum,       // of z
    squares,   // of z^2
    bins,      // rows below, at and between the points of a grid: 2 m + 1 integers
    dropped  // rows that the last truncate() drops of the people of the group, at most `up_to` each
  };
  Kind kind;
  ExpressionPtr of;
  Quantiser quantiser;
  std::vector<std::int64_t> grid;  // indices z of the points, strictly increasing
  RowWeights weights = {};         // of rows, present, sum and bins
  std::uint32_t up_to = 0;         // dropped
};

// Whether people are counted, so that rows of one person must meet.
inline bool counts_people(Tally::Kind kind) {
  return kind == Tally::Kind::ids || kind == Tally::Kind::dropped;
}

inline bool is_weighted(const Tally& tally) { return tally.weights.of != nullptr; }

// A group's key: for each column of `by` a missing value, a whole number (logical, integer, date,
// place of a level) or a text.
struct KeyPart {
  bool missing = false;
  bool is_text = false;
  std::int64_t whole = 0;
  std::string text;
};
using Key = std::vector<KeyPart>;

// `values[t]` are the integers of tally t, `width` of them for each group, groups in the order of
// `keys`, which are those of all groups with a row, each once, in order.
struct Tallied {
  std::vector<Key> keys;
  std::vector<std::vector<int128_t>> values;
};

}  // namespace dp::query
