// The unit of privacy: in whose data neighbouring tables differ.
//
// A unit is a number of rows or of people. A person is all rows with the same values in some
// columns. Of neighbours with the relation
//
//   add_remove   one has the units of the other and at most `count` more. How many units a table
//                has is protected, too.
//   replace      both have the same number of units, and at most `count` of them have other
//                content. The number of units is public.
//
// Replacing one unit is to remove it and to add another. So tables that differ by k replaced units
// are at most 2k steps of add_remove apart, and for k units of other content not less. Conversely,
// tables that differ by an added unit have different numbers of units: no number of replacements
// leads from one to the other. Rows say nothing of people, who may have any number of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dp {

struct PrivacyUnit {
  enum class What { rows, people };
  enum class Relation { add_remove, replace };

  What what = What::rows;
  std::vector<std::string> columns;  // that name people, in the order of their bytes; none of rows
  std::uint32_t count = 1;
  Relation relation = Relation::add_remove;
};

// The largest number of units of `released` between neighbouring tables of `owed`: the loss of a
// release at this distance is its loss for `owed`. Empty if no number suffices; the count of
// `released` does not matter.
std::optional<std::uint64_t> distance_of_neighbours(const PrivacyUnit& owed,
                                                    const PrivacyUnit& released);

}  // namespace dp
