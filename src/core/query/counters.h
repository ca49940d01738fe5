// The integers of groups, counted row by row.
//
// Whoever counts which rows, merged counters are the same: integers add up in any order. Sums have
// 128 bits: with |z| < 2^62 and fewer than 2^63 rows they stay below 2^125.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/numeric/int128.h"
#include "core/query/tally.h"
#include "core/query/word_table.h"

namespace dp::query {

// What is counted, and of which columns.
struct CountingPlan {
  struct One {
    Tally::Kind kind;
    std::size_t place = 0;  // but of rows and ids
    bool real = false;
    std::vector<std::int64_t> grid;
    std::optional<std::size_t> weights = std::nullopt;  // place of their points
    std::uint32_t up_to = 0;                            // of dropped rows
    // Of a grid: the range from its first to its last point in pieces of 2^shift, and how many
    // points lie before each.
    std::vector<std::uint32_t> pieces = {};
    int shift = 0;
  };
  std::vector<std::size_t> by;
  std::vector<Field> by_fields;
  std::vector<One> tallies;

  // If so few groups are possible that each can have a place: the least and most value of each key.
  std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> ranges = std::nullopt;
};

// Fills in `pieces` and `shift`.
void divide_grid(CountingPlan::One& tally);

// Fills in `ranges`; with `all`, `texts` are all that there are.
void find_ranges(CountingPlan& plan, const TextPool& texts, bool all);

class Counters {
 public:
  explicit Counters(const CountingPlan& plan);

  // Rows without a key count nowhere. If ids are counted, rows of one person must come one after
  // the other.
  void add(const RowBatch& batch);

  // `texts` puts keys into order: by their values, column by column, text by its bytes.
  static Tallied merged(const CountingPlan& plan,
                        const std::vector<Counters>& parts,
                        const TextPool& texts);

 private:
  struct State {
    std::vector<std::int64_t> counts;  // none of rows without weights, which are counted anyway
    std::vector<int128_t> sums;
    std::vector<std::uint64_t> last_person;
    WordTable values{2};
  };

  static std::vector<State> summed(const CountingPlan& plan,
                                   const std::vector<Counters>& parts,
                                   const std::vector<std::vector<std::uint64_t>>& group_of,
                                   std::size_t groups);
  void find_groups(const RowBatch& batch);
  void find_places(const RowBatch& batch);
  void find_numbers(const RowBatch& batch);
  void make_room(std::size_t groups);
  void number_people(const RowBatch& batch);
  void count(const CountingPlan::One& tally, State& state, const RowBatch& batch);
  template <class T>
  void count_cells(const CountingPlan::One& tally, State& state, const std::vector<T>& cells);
  void count_bins(const CountingPlan::One& tally, State& state, const RowBatch& batch);
  void count_people(const CountingPlan::One& tally, State& state, const RowBatch& batch);
  void add_weights(const CountingPlan::One& tally, State& state, const RowBatch& batch);
  std::vector<std::uint64_t> key_of(std::size_t group) const;
  void add_to(const std::vector<std::uint64_t>& group_of, std::vector<State>& total) const;

  const CountingPlan* plan_;
  WordTable table_;
  std::size_t groups_ = 0;
  // Of each group, from 1 on; at 0 stand rows without a key, which nobody reads.
  std::vector<std::int64_t> rows_;
  std::vector<State> states_;
  std::vector<std::uint64_t> person_;  // the last one
  std::uint64_t people_ = 0;
  // Of each row of the batch: its group, and the running number of its person.
  std::vector<std::uint64_t> group_;
  std::vector<std::uint64_t> people_of_;
};

// How many integers a tally has for each group.
std::size_t tally_width(const CountingPlan::One& tally);

}  // namespace dp::query
