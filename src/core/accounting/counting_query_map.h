// Distance between the counts of a grouped query when rows are added or removed in some groups.
//
// A partition distance is the triple (l0, l1, linf): the number of changed groups, the number of
// changed rows in total, and the largest number of changed rows in one group. Let s be the vector
// of rows added or removed per group. One such row moves the count of its group by at most one. So
// the counts move by a vector d with |d| <= s entry by entry, which has at most l0 nonzero entries,
// each at most linf, with a sum of at most l1. Hence
//
//   published   ||d||_p <= min(||s||_1, ||s||_0^(1/p) ||s||_inf) <= min(l1, l0^(1/p) linf)
//   packed      the largest p-norm of such a vector. The norm is convex, so its maximum has the
//               largest possible number of entries equal to linf, and one with the rest: for p = 1
//               min(l1, l0 linf), for p = 2 sqrt(q linf^2 + r^2) with q = min(l0, floor(l1 / linf))
//               full entries and r = min(l1 - q linf, linf) in one more if q < l0. Never above the
//               published bound.
//
// Public keys change nothing. With public lengths the number of rows of a group cannot change, so a
// count of all rows does not move. A count of some rows (not null, distinct, after a filter) can
// move: each group gains and loses equally many rows, and one gained and one lost row move its
// count by at most one. So the packed bound uses (l0, floor(l1 / 2), floor(linf / 2)); the
// published map does not.
#pragma once

#include <cstdint>
#include <string>

#include "core/transformations/transformation.h"

namespace dp {

// Facts that all possible datasets are known to share.
enum class PublicInfo { none, keys, lengths };

// Reads "Keys" and "Lengths"; throws failed_cast for anything else. NULL is PublicInfo::none.
PublicInfo parse_public_info(const std::string& text);

enum class CountedRows { all, some };
enum class PartitionNorm { published, packed };

// From a partition distance in rows, three numbers of type u32, to the L_p distance of the counts,
// an f64 rounded up.
//
// The map throws, even if the error is in the arguments of this function. It throws
// make_transformation unless p is 1 or 2, except for counts of all rows with public lengths, which
// have distance 0 for every p. It throws failed_cast unless the distance is such a triple.
StabilityMap counting_query_stability_map(PublicInfo public_info,
                                          std::uint32_t p,
                                          CountedRows counted = CountedRows::all,
                                          PartitionNorm norm = PartitionNorm::published);

}  // namespace dp
