// Counts the integers of groups, row by row.
//
// Merged counters do not depend on how rows were divided, because integer addition is associative
// and commutative. Sums have 128 bits: with |z| < 2^62 and fewer than 2^63 rows they stay below
// 2^125.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/numeric/int128.h"
#include "core/query/exact_aggregate.h"
#include "core/query/word_table.h"

namespace dp::query {

// The tallies and the columns that they count.
struct CountingLayout {
  struct One {
    ExactAggregate::Kind kind;
    std::size_t place = 0;  // but of rows and ids
    bool real = false;
    std::vector<std::int64_t> grid;
    std::optional<std::size_t> weights = std::nullopt;  // place of their points
    std::uint32_t up_to = 0;                            // of dropped rows
    // Lookup table of a grid: the range from its first to its last point in pieces of 2^shift, and
    // the number of points before each piece.
    std::vector<std::uint32_t> pieces = {};
    int shift = 0;
  };
  std::vector<std::size_t> by;
  std::vector<Field> by_fields;
  std::vector<One> tallies;

  // Least and greatest value of each key, if few enough groups are possible to index them directly.
  std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> ranges = std::nullopt;
};

// Computes `pieces` and `shift`.
void divide_grid(CountingLayout::One& tally);

// Computes `ranges`. With `all`, `texts` already holds every possible text.
void find_ranges(CountingLayout& plan, const TextPool& texts, bool all);

class Counters {
 public:
  explicit Counters(const CountingLayout& plan);

  // Ignores rows without a key. If ids are counted, rows of one person must be adjacent.
  void add(const RowBatch& batch);

  // `texts` sorts keys by value, column by column; text is compared by bytes.
  static ExactAggregates merged(const CountingLayout& plan,
                                const std::vector<Counters>& parts,
                                const TextPool& texts);

 private:
  struct State {
    std::vector<std::int64_t> counts;  // empty for row counts without weights
    std::vector<int128_t> sums;
    std::vector<std::uint64_t> last_person;
    std::vector<std::int64_t> points;  // of each row
    WordTable values{2};
  };

  static std::vector<State> summed(const CountingLayout& plan,
                                   const std::vector<Counters>& parts,
                                   const std::vector<std::vector<std::uint64_t>>& group_of,
                                   std::size_t groups);
  void find_groups(const RowBatch& batch);
  void find_places(const RowBatch& batch);
  void find_numbers(const RowBatch& batch);
  void make_room(std::size_t groups);
  void number_people(const RowBatch& batch);
  void count(const CountingLayout::One& tally, State& state, const RowBatch& batch);
  template <class T>
  void count_cells(const CountingLayout::One& tally, State& state, const std::vector<T>& cells);
  void count_bins(const CountingLayout::One& tally, State& state, const RowBatch& batch);
  void count_people(const CountingLayout::One& tally, State& state, const RowBatch& batch);
  void add_weights(const CountingLayout::One& tally, State& state, const RowBatch& batch);
  std::vector<std::uint64_t> key_of(std::size_t group) const;
  void add_to(const std::vector<std::uint64_t>& group_of, std::vector<State>& total) const;

  const CountingLayout* plan_;
  WordTable table_;
  std::size_t groups_ = 0;
  // Per group, from 1 on. Index 0 collects rows without a key and is never read.
  std::vector<std::int64_t> rows_;
  std::vector<State> states_;
  std::vector<std::uint64_t> person_;  // the last one
  std::uint64_t people_ = 0;
  // Per row of the batch: its group, and the running number of its person.
  std::vector<std::uint64_t> group_;
  std::vector<std::uint64_t> people_of_;
};

// Number of integers that a tally has for each group.
std::size_t tally_width(const CountingLayout::One& tally);

}  // namespace dp::query
