// How far the counts of a grouped query move when rows come and go in some of the groups.
//
// A partition distance is the triple (l0, l1, linf) of how many groups change, by how many rows in
// total, and by how many at most in one. Let s be the vector of rows added or removed per group.
// One such row moves the count of its group by at most one, so the counts move by a vector d with
// |d| <= s entry by entry, which has at most l0 entries other than 0, each at most linf, together
// at most l1. Hence
//
//   published   ||d||_p <= min(||s||_1, ||s||_0^(1/p) ||s||_inf) <= min(l1, l0^(1/p) linf)
//   packed      the largest p-norm of such a vector, which is convex and so attained where as many
//               entries as possible are linf, and one holds the rest: for p = 1 min(l1, l0 linf),
//               for p = 2 sqrt(q linf^2 + r^2) with q = min(l0, floor(l1 / linf)) full entries and
//               r = min(l1 - q linf, linf) in one more if q < l0. Never above the published one.
//
// Public keys change nothing. Public lengths: the number of rows of a group cannot change, so a
// count of all rows does not move. A count of some rows (not null, distinct, after a filter) may:
// each group gains as many rows as it loses, and a pair of these moves its count by at most one, so
// the packed norm is that of (l0, floor(l1 / 2), floor(linf / 2)); the published map does not make
// use of it.
#pragma once

#include <cstdint>
#include <string>

#include "core/transformations/transformation.h"

namespace dp {

// What every possible dataset is known to have in common.
enum class PublicInfo { none, keys, lengths };

// Reads "Keys" and "Lengths"; throws failed_cast for anything else. NULL is PublicInfo::none.
PublicInfo parse_public_info(const std::string& text);

enum class CountedRows { all, some };
enum class PartitionNorm { published, packed };

// From a partition distance in rows, three numbers of type u32, to the L_p distance of the counts,
// an f64 rounded up.
//
// At map time, also where it is built wrong: make_transformation unless p is 1 or 2, but for counts
// of all rows with public lengths, which are 0 whatever p is. Throws failed_cast for a distance
// that is no such triple.
StabilityMap counting_query_stability_map(PublicInfo public_info,
                                          std::uint32_t p,
                                          CountedRows counted = CountedRows::all,
                                          PartitionNorm norm = PartitionNorm::published);

}  // namespace dp
