// Bounds the joint change of the numbers of all groups, from the number of changed rows in each.
//
// Let the number of group g move by at most phi(s_g), where s_g is the number of changed rows
// (contributions.h) and phi(s) = min(unit s, cap). Then it moves by v with v_g <= Vinf = min(unit
// li, cap), sum v_g <= V1 = unit l1, and v_g = 0 except in l0 groups. A norm is convex, so its
// maximum is at an extreme point of this polytope, which has at most one coordinate strictly
// between 0 and Vinf:
//
//   L1 = min(V1, l0 Vinf),   L2^2 = q Vinf^2 + r^2,   q = min(l0, floor(V1 / Vinf)),
//
// where r is the remainder of V1 for one more group, if there is one. All of it is exact.
//
// If the lengths of groups are public, s_g is even and consists of s_g / 2 replacements. The unit
// is then the change by one replacement, and floor(li / 2) and floor(l1 / 2) replace li and l1. All
// groups together have at most floor(l1 / 2) replacements.
// Source for the form of the bound: Dwork and Roth (2014), Section 3.3; the exact maximum is
// checked by exhaustion in the tests.
#pragma once

#include <cstdint>
#include <optional>

#include "core/numeric/integer.h"
#include "core/query/contributions.h"

namespace dp::query {

struct Sensitivity {
  Integer l1 = 0;
  Integer l2_squared = 0;
};

Integer packed2(const Integer& l0, const Integer& total, const Integer& each);

// The effect of one row on the number of its group.
struct Effect {
  Integer unit = 0;            // largest change by one row; 0: none
  std::optional<Integer> cap;  // largest difference between two tables
  bool by_replacement = false;
};

Sensitivity sensitivity(const ContributionBound& bound, const Effect& effect);

// Public facts about the groups, and whether a statistic drops rows with a missing value.
struct GroupFacts {
  bool has_public_lengths = false;
  Amount most_rows;
  bool may_drop = false;
};

// The number of rows.
Effect effect_on_rows(const GroupFacts& facts);

// The number of rows with a value; equals the number of rows if no value can be missing.
Effect effect_on_present(const GroupFacts& facts);

// Missing values, distinct values, people: each row moves the number by 1. So does a replacement,
// in one direction or the other.
Effect effect_on_count(const GroupFacts& facts);
Effect effect_on_people(const GroupFacts& facts);

// Numbers that each person moves by at most `most`, such as their dropped rows.
Effect effect_on_people(const Integer& most, const GroupFacts& facts);

// Sums of values in [least, most]. An added or removed row moves the sum by at most the larger
// magnitude. A replaced row moves it by at most the range, which includes 0 if rows can be dropped.
// With at most n rows, every sum is within n [min(least, 0), max(most, 0)].
Effect effect_on_sum(const Integer& least, const Integer& most, const GroupFacts& facts);

// Several numbers per group, such as the cells of a histogram. A row moves one of them by its
// weight, at most `most`. For any number of cells, they move together by at most most s_g in L1,
// and therefore also in L2.
Effect effect_on_cells(const Integer& most);

// Scores |(den - num) below - num above| of a quantile num / den. A row moves each score by at most
// max(num, den - num), a replacement by den. Both are times `most` if rows have weights.
Effect effect_on_scores(std::uint64_t num,
                        std::uint64_t den,
                        const Integer& most,
                        const GroupFacts& facts);

// The square root, rounded up.
double norm_up(const Integer& squared);

}  // namespace dp::query
