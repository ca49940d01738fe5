// What is measured for the aggregates of a statement: few kinds of integers, each with what one row
// does to it. Aggregates share what they have in common.
//
//   count, ids, missing, distinct   one number
//   sum         the sum of points of the column's lattice
//   mean        the sum S of points counted from the middle, and the number N of rows that have a
//               value, which is that of all rows if none can lack one
//   variance    these on a coarse lattice, and Q, the sum of 2 z^2 - H^2, H the largest |z|
//   quantiles   by scores: for each one the candidate of the least noisy score, which compares the
//               rows below and above it, or the ranks of the rows nearest to it with the wanted
//               one; by a tree: noisy counts of the intervals between candidates, and of ever
//               larger ones
//   histogram   counts of the cells
//   capped, dropped   people of the group with more rows than the caps of the last truncate(), and
//               the rows that it dropped of them, at most `up_to` of each
//
// With weights w in [w0, w1] each row counts w times: the sum W of w is in the place of N, the sum
// of w z in that of S, and cells hold sums of w. For the mean of values within half a range h of
// the middle, a row moves W by w <= w1 and S by |w z| <= w1 h, so the pair (W, S) by at most w1 (1
// + h) in L1, and by w1 sqrt(1 + h^2) in L2. Both are reached by a row of weight w1 at an end of
// the range. The parts charge w1 for W and w1 h for S, and their losses add up. A row that is
// replaced moves W by at most w1 - w0, and S by the range of products.
//
// The share of an aggregate's weight: all of it to the one thing measured; of a mean, half to each,
// but all to the sum where a count of rows is asked for anyway; of a variance a third each, or a
// half of S and Q. What several aggregates share has the largest share of theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/query/contributions.h"
#include "core/query/norms.h"
#include "core/query/range.h"
#include "core/query/statement.h"
#include "core/query/tally.h"

namespace dp::query {

struct Fraction {
  std::uint64_t num;
  std::uint64_t den;
};

// alpha in millionths, in lowest terms.
Fraction fraction_of(double alpha);

// Which intervals are counted between the m points of a grid.
enum class CellRule : std::uint8_t {
  points,   // none: the points themselves
  between,  // m - 1, each with its lower point, the last with both; nothing outside
  covering  // the same, and the outer ones with all that lies outside
};

struct Part {
  enum class Kind : std::uint8_t { number, squares, cells, tree, scores };
  Kind kind = Kind::number;
  std::string column;  // the aggregate that asked first
  Aggregate::Kind aggregate = Aggregate::Kind::count;
  std::size_t tally = 0;              // place in QueryParts::tallies
  std::size_t rows = 0;               // squares: place of the tally of the rows with a value
  Integer square = 0;                 // squares: H^2
  CellRule cells = CellRule::points;  // cells, tree, scores: `covering` if they are of ranks
  Fraction fraction{1, 2};            // scores
  std::uint32_t layers = 1;           // tree
  Effect effect;                      // of a row, or of a person
  bool of_people = false;
  int exponent = 0;  // a step is 2^exponent, in the unit of the release
  double weight = 0;
  std::optional<double> scale, accuracy;  // in the unit of the release, if they were given
};

// Whether scores are distances of ranks, of the cells of candidates.
inline bool is_by_rank(const Part& part) { return part.cells == CellRule::covering; }

// How many candidates there are scores of.
inline std::size_t candidates_of(const Part& scores, const Tally& tally) {
  return tally.grid.size() - (is_by_rank(scores) ? 1 : 0);
}

// Where the parts of an aggregate are.
struct AggregateParts {
  std::size_t aggregate = 0;      // in Statement::aggregates
  std::vector<std::size_t> main;  // one number; scores in the order of the probabilities
  std::optional<std::size_t> count, squares;
  Quantiser quantiser;       // of means, variances
  std::vector<double> grid;  // candidates, or what parts the cells of a tree
  std::vector<Range> cells;  // of a tree: the least and the greatest value that a row may have
  std::vector<bool> coarse;  // of candidates by rank, see coarse_candidates()
  bool is_whole = false;     // quantiles: values are whole numbers
  bool may_drop = false;     // quantiles: rows may lack a value, or a weight
  bool by_tree = false;
  double least_rows = 1;  // of a group that has any: 1, or the least weight
};

struct QueryParts {
  std::vector<Tally> tallies;
  std::vector<Part> parts;
  std::vector<AggregateParts> aggregates;
  std::optional<std::size_t> threshold;  // the part that keys are released by
  std::optional<std::size_t> selection;  // the tally that they are selected by
  bool keys_by_people = false;
};

// How many children a node of a tree of counts has.
inline constexpr std::uint32_t kBranches = 16;

// Throws unsupported for what the unit or the column has not, domain as quantiser_of() does.
QueryParts parts_of(const Statement& statement, const std::vector<Field>& fields);

// What rows do to the numbers of groups of the statement.
GroupFacts group_facts(const Statement& statement, bool may_drop);

// How far the part moves as one, from the triple of rows or people: of a tree its layers add up; of
// scores two candidates' differences count, so the change of one counts twice (selection.h). With
// the L2 norm that is the same, as (2 s / scale)^2 / 8 = (s / scale)^2 / 2.
Sensitivity part_sensitivity(const Part& part, const Triple& triple);

}  // namespace dp::query
