// The groups of a release: their keys, and their order.
//
// Public keys come from a table, or are all combinations of declared values. They are released for
// any data, and groups without rows as empty groups. Keys that the data owner promises to be the
// same for all neighbours are released unchanged. Other keys spend part of the loss
// (key_threshold.h, key_selection.h).
//
// A row with a missing key belongs to no group, unless a table of keys lists the missing value.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/query/contributions.h"
#include "core/query/exact_aggregate.h"
#include "core/query/statement.h"

namespace dp::query {

struct KeyLess {
  bool operator()(const Key& a, const Key& b) const;
};

enum class KeySource : std::uint8_t { universe, promised, threshold, selection };

struct QueryKeys {
  KeySource source = KeySource::universe;
  std::vector<Field> fields;  // of `by`
  std::vector<Key> universe;  // where that is the source: each once
};

inline constexpr std::uint64_t kMostDeclaredKeys = 1000000;

// Throws keys if the keys are neither public nor covered by the loss. Throws domain if a table of
// keys has different columns or values than the statement, and unsupported if a column cannot form
// groups.
QueryKeys keys_of(const Statement& statement,
                  const std::vector<Field>& fields,
                  const Contributions& known);

// Treatment of rows without a value in a grouping column.
struct MissingKeys {
  bool leave;      // some may be in no group
  bool are_group;  // some may be in the group of missing values
};
std::vector<MissingKeys> missing_keys_of(const Statement& statement,
                                         const std::vector<Field>& fields);

// Index in `tallied` of each released group; kNoGroup for a group without rows.
inline constexpr std::size_t kNoGroup = SIZE_MAX;
struct Groups {
  std::vector<Key> keys;
  std::vector<std::size_t> places;
};

// All groups that could be released: the universe, or the groups with rows, in order of their keys.
Groups candidate_groups(const QueryKeys& keys, const ExactAggregates& tallied);

}  // namespace dp::query
