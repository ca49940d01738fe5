// The groups of a release: which keys it has, and in which order.
//
// Public keys are released whatever the data hold, and those without rows as empty groups: a table
// of them, or all combinations of declared values. Keys that the owner of the data promises to be
// the same for all neighbours are released as they are. Others pay for themselves (key_threshold.h,
// key_selection.h).
//
// A row without a value in a key leaves the groups, unless a table of keys says that it has one.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/query/contributions.h"
#include "core/query/statement.h"
#include "core/query/tally.h"

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

// Throws keys if the keys are neither public nor paid for, domain if a table of keys has other
// columns or values than the statement, unsupported if groups cannot be made of a column.
QueryKeys keys_of(const Statement& statement,
                  const std::vector<Field>& fields,
                  const Contributions& known);

// What becomes of rows without a value in a grouping column.
struct MissingKeys {
  bool leave;      // some may be in no group
  bool are_group;  // some may be in the group of missing values
};
std::vector<MissingKeys> missing_keys_of(const Statement& statement,
                                         const std::vector<Field>& fields);

// Where in `tallied` each group of the release is; kNoGroup if it has no rows.
inline constexpr std::size_t kNoGroup = SIZE_MAX;
struct Groups {
  std::vector<Key> keys;
  std::vector<std::size_t> places;
};

// All that may be released: the universe, or the groups with rows, in order of their keys.
Groups candidate_groups(const QueryKeys& keys, const Tallied& tallied);

}  // namespace dp::query
