// Lowers the aggregates of a statement to measurable parts: a few kinds of integers, each with the
// effect of one row. Aggregates share common parts.
//
//   count, ids, missing, distinct   one number
//   sum         the sum of points of the column's lattice
//   mean        the sum S of points counted from the middle, and the number N of rows with a value,
//               or the number of all rows if none can lack a value
//   variance    both of these on a coarse lattice, and Q, the sum of 2 z^2 - H^2, H the largest |z|
//   quantiles   by scores: for each quantile the candidate with the least noisy score. A score
//               compares the rows below and above the candidate, or the wanted rank with the ranks
//               of the nearest rows. By a tree: noisy counts of the intervals between candidates,
//               and of ever larger intervals
//   histogram   counts of the cells
//   moment      a sum of products of centred columns, of all rows or in each cell (moment.cpp)
//   effect      a residual of a contingency table, for each of its cells (effect.cpp)
//   logit, poisson   the minimum of a perturbed sum over rows (objective_perturbation.h), which
//               reads the points of each row. A part of it has the loss k epsilon for k added or
//               removed rows, in the form of a law of scale 1 / epsilon: see
//               component_sensitivity()
//   capped, dropped   people of the group with more rows than the caps of the last truncate(), and
//               the number of their dropped rows, at most `up_to` per person
//
// With weights w in [w0, w1] each row counts w times. The sum W of w replaces N, the sum of w z
// replaces S, and cells hold sums of w. For the mean of values within half a range h of the middle,
// a row moves W by w <= w1 and S by |w z| <= w1 h. So the pair (W, S) moves by at most w1 (1 + h)
// in L1, and by w1 sqrt(1 + h^2) in L2. A row of weight w1 at an end of the range reaches both. The
// parts charge w1 for W and w1 h for S, and their losses add up. A replaced row moves W by at most
// w1 - w0, and S by the range of products.
//
// Parts divide the weight of their aggregate. A single part has all of it. The two parts of a mean
// have half each, or the sum has all of it if the query also asks for a count of rows. The parts of
// a variance have a third each, or S and Q half each. A part shared by several aggregates has the
// largest of their shares.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/measurements/objective_perturbation.h"
#include "core/query/contributions.h"
#include "core/query/exact_aggregate.h"
#include "core/query/norms.h"
#include "core/query/range.h"
#include "core/query/statement.h"

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
  below,    // the same, and the last without its upper point
  covering  // as between, and the outer ones include all values outside
};

// A sum of tallies with these factors.
using Combination = std::vector<std::pair<Integer, std::size_t>>;

// A model that reads rows: its columns, the response first, and the tallies of their points.
struct RowModel {
  GlmFamily family;
  GlmInference inference;
  std::vector<ColumnSpec> columns;
  std::vector<std::size_t> tallies;

  // The plan whose loss for one added or removed row is epsilon.
  GlmPlan plan(double epsilon) const;
};

struct NoisyComponent {
  enum class Kind : std::uint8_t { number, squares, moments, cells, tree, scores, effect, model };
  Kind kind = Kind::number;
  std::string column;  // the aggregate that asked first
  Aggregate::Kind aggregate = Aggregate::Kind::count;
  std::size_t tally = 0;             // place in QueryComponents::tallies
  std::size_t rows = 0;              // squares: place of the tally of the rows with a value
  Integer square = 0;                // squares: H^2; moments: of squares, the largest
  std::vector<Combination> moments;  // moments: one for each cell
  std::shared_ptr<const RowModel> model = nullptr;  // model
  CellRule cells = CellRule::points;  // cells, tree, scores: `covering` if they are of ranks
  Fraction fraction{1, 2};            // scores
  std::uint32_t layers = 1;           // tree
  std::vector<std::size_t> shape;     // effect: numbers of cells of the columns that are counted
  std::vector<bool> kept;             // effect: which of these columns it has
  // Norms of the change by one row, or by one replacement, of which `effect` counts how many.
  Integer l1_of_row = 1, l2_squared_of_row = 1;
  Effect effect;  // of a row, or of a person
  bool of_people = false;
  int exponent = 0;  // a step is 2^exponent, in the unit of the release
  double weight = 0;
  std::optional<double> scale, accuracy;  // in the unit of the release, if they were given
};

// Whether scores are distances of ranks, of the cells of candidates.
inline bool is_by_rank(const NoisyComponent& part) { return part.cells == CellRule::covering; }

// Number of candidates with a score.
inline std::size_t candidates_of(const NoisyComponent& scores, const ExactAggregate& tally) {
  return tally.grid.size() - (is_by_rank(scores) ? 1 : 0);
}

// Indices of an aggregate's parts.
struct AggregateComponents {
  std::size_t aggregate = 0;      // in Statement::aggregates
  std::vector<std::size_t> main;  // one number; scores in the order of the probabilities
  std::optional<std::size_t> count, squares;
  Quantiser quantiser;       // of means, variances
  std::vector<double> grid;  // candidates, or boundaries of a tree's cells
  std::vector<Range> cells;  // of a tree: the range of values in each cell
  std::vector<bool> coarse;  // of candidates by rank, see coarse_candidates()
  bool is_whole = false;     // quantiles: values are whole numbers
  bool may_drop = false;     // quantiles: a value or weight can be missing
  bool by_tree = false;
  double least_rows = 1;  // of a group that has any: 1, or the least weight
};

struct QueryComponents {
  std::vector<ExactAggregate> tallies;
  std::vector<NoisyComponent> parts;
  std::vector<AggregateComponents> aggregates;
  std::optional<std::size_t> threshold;  // the part that selects keys by threshold
  std::optional<std::size_t> selection;  // the tally that selects keys
  bool keys_by_people = false;
};

// Number of children of a node in a tree of counts.
inline constexpr std::uint32_t kBranches = 16;

// Throws unsupported if the unit or the column does not allow an aggregate, and domain as
// quantiser_of() does.
QueryComponents lower_aggregates(const Statement& statement, const std::vector<Field>& fields);

// Facts about rows and groups of the statement that determine the effect of one row.
GroupFacts group_facts(const Statement& statement, bool may_drop);

// Joint sensitivity of the part, from the bound of rows or people. For a tree, the layers add up.
// For scores, the difference of two candidates matters, so the change of one counts twice
// (selection.h). In the L2 norm that is the same, because (2 s / scale)^2 / 8 = (s / scale)^2 / 2.
// For a model, L1 is the number k of added or removed rows, and L2 is the same. So a law of scale
// 1 / epsilon has the loss k epsilon, and (k epsilon)^2 / 2 under a concentrated measure: k rows of
// an epsilon-private release lose k epsilon, and that is (k epsilon)^2 / 2-concentrated (Bun and
// Steinke, 2016, Proposition 1.4).
Sensitivity component_sensitivity(const NoisyComponent& part, const ContributionBound& bound);

}  // namespace dp::query
