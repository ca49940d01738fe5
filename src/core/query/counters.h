// The integers of groups, counted row by row.
//
// Whoever counts which rows, merged counters are the same: integers add up in any order. Sums have
// 128 bits: with |z| < 2^62 and fewer than 2^63 rows they stay below 2^125.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/numeric/int128.h"
#include "core/query/row_batch.h"
#include "core/query/tally.h"
#include "core/query/text_pool.h"
#include "core/query/word_table.h"

namespace dp::query {

// What is counted, and of which columns.
struct CountingPlan {
  struct One {
    Tally::Kind kind;
    std::size_t place = 0;  // but of rows and ids
    bool real = false;
    std::vector<std::int64_t> grid;
    // Of a grid: the range from its first to its last point in pieces of 2^shift, and how many
    // points lie before each.
    std::vector<std::uint32_t> pieces = {};
    int shift = 0;
  };
  std::vector<std::size_t> by;
  std::vector<Field> by_fields;
  std::vector<One> tallies;

  // If so many groups at most are possible that each can have a place: their number.
  std::optional<std::size_t> dense;
};

// Fills in `pieces` and `shift`.
void divide_grid(CountingPlan::One& tally);

// Fills in `dense`.
void find_dense_groups(CountingPlan& plan);

class Counters {
 public:
  explicit Counters(const CountingPlan& plan);

  // Rows without a key leave. If ids are counted, rows of one person must come one after the other.
  void add(const RowBatch& batch);

  // `texts` puts keys into order: by their values, column by column, text by its bytes.
  static Tallied merged(const CountingPlan& plan,
                        const std::vector<Counters>& parts,
                        const TextPool& texts);

 private:
  struct State {
    std::vector<std::int64_t> counts;
    std::vector<int128_t> sums;
    std::vector<std::uint64_t> last_person;
    WordTable values{2};
  };

  static std::vector<State> summed(const CountingPlan& plan,
                                   const std::vector<Counters>& parts,
                                   const std::vector<std::vector<std::uint64_t>>& group_of,
                                   std::size_t groups);
  void find_groups(const RowBatch& batch);
  void make_room(std::size_t groups);
  void number_people(const RowBatch& batch);
  void count(const CountingPlan::One& tally, State& state, const RowBatch& batch);
  void count_cells(const CountingPlan::One& tally, State& state, const Cells& cells);
  std::vector<std::uint64_t> key_of(std::size_t group) const;
  void add_to(const std::vector<std::uint64_t>& group_of, std::vector<State>& total) const;

  const CountingPlan* plan_;
  WordTable table_;
  std::size_t groups_ = 0;
  std::vector<std::int64_t> rows_;  // of each group
  std::vector<State> states_;
  std::vector<std::uint64_t> person_;  // the last one
  std::uint64_t people_ = 0;
  // Of the batch: rows with a key, their groups, and the running numbers of their people.
  std::vector<std::uint32_t> counted_;
  std::vector<std::uint64_t> group_;
  std::vector<std::uint64_t> people_of_;
};

// How many integers a tally has for each group.
std::size_t tally_width(const CountingPlan::One& tally);

}  // namespace dp::query
