// How far the numbers of all groups may move together, from how many rows of each may change.
//
// Let the number of group g move by at most phi(s_g), s being the rows that change
// (contributions.h), phi(s) = min(unit s, cap). Then it moves by v with v_g <= Vinf = min(unit li,
// cap), sum v_g <= V1 = unit l1, and v_g = 0 but in l0 groups. A norm is convex, so it is largest
// at an extreme point of this polytope, which has at most one coordinate strictly between 0 and
// Vinf:
//
//   L1 = min(V1, l0 Vinf),   L2^2 = q Vinf^2 + r^2,   q = min(l0, floor(V1 / Vinf)),
//
// and r what is left of V1 for one more group, if there is one. All of it is exact.
//
// Where the lengths of groups are public, s_g is even and half of it are replacements: the unit is
// then what a replacement moves, and halves of li and l1 take their places (cut after halving l1,
// of which the halves of all groups are no more).
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

// What one row does to the number of its group.
struct Effect {
  Integer unit = 0;            // moves it by at most so much; 0: it cannot
  std::optional<Integer> cap;  // which no two tables have it further apart
  bool by_replacement = false;
};

Sensitivity sensitivity(const Triple& triple, const Effect& effect);

// What is public of the groups, and whether a row may leave a statistic for want of a value.
struct GroupFacts {
  bool has_public_lengths = false;
  Amount most_rows;
  bool may_drop = false;
};

// The number of rows.
Effect effect_on_rows(const GroupFacts& facts);

// The number of rows with a value: that of rows if none can lack one.
Effect effect_on_present(const GroupFacts& facts);

// Missing values, different values, people: each row moves it by 1, and what replaces it, too, in
// one direction or the other.
Effect effect_on_count(const GroupFacts& facts);
Effect effect_on_people(const GroupFacts& facts);

// Numbers that each person moves by at most `most`, such as their dropped rows.
Effect effect_on_people(const Integer& most, const GroupFacts& facts);

// Sums of values in [least, most]. A row that comes or goes moves it by the larger magnitude, one
// that is replaced by the range, in which 0 counts if rows may leave. Of at most n rows no sum is
// outside of n [min(least, 0), max(most, 0)].
Effect effect_on_sum(const Integer& least, const Integer& most, const GroupFacts& facts);

// Several numbers for each group, of which a row moves one by its weight, at most `most`, such as
// the cells of a histogram: whatever the cells, together they move by no more than most s_g in L1,
// and so in L2.
Effect effect_on_cells(const Integer& most);

// Scores |(den - num) below - num above| of a quantile num / den: a row moves each by at most
// max(num, den - num), a replacement by den. Both times `most` if rows have weights.
Effect effect_on_scores(std::uint64_t num,
                        std::uint64_t den,
                        const Integer& most,
                        const GroupFacts& facts);

// The square root, rounded up.
double norm_up(const Integer& squared);

}  // namespace dp::query
