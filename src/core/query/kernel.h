// Counts a statement's tallies in a table in memory. All aggregates are made from these integers.
//
// One pass: rows are read in batches, coerced to their declarations (coerce.h), and carried through
// the steps. They are then capped per person (truncate_sink.h) and counted (counters.h). Before
// counting, a row interacts only with rows of the same person, and the outcome depends only on
// these rows and the salt. If t people with all their rows come or go, only kept rows of these t
// come or go, and the caps bound their number. This gives the bounds of queries_v2, 5.1 and 5.4. A
// person whose rows are replaced counts as one who goes and one who comes, and moves twice as much.
//
// The result does not depend on the number of threads, the batch size or the order of rows. No cell
// value makes the kernel fail.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/query/exact_aggregate.h"
#include "core/query/ranks.h"
#include "core/query/rows.h"
#include "core/query/statement.h"

namespace dp::query {

ExactAggregates tally(const Statement& statement,
                      const std::vector<ExactAggregate>& tallies,
                      const QueryRows& rows,
                      const Salt& salt);

// Sizes of the pieces of work. They do not affect results, except `hash_bits`, which tests reduce
// to force hash collisions.
struct Pieces {
  std::size_t batch = 2048;
  std::size_t task = 1 << 16;   // rows that one thread reads at a time
  std::size_t block = 1 << 20;  // rows that are read before people's parts take them
  std::size_t parts = 256;      // parts of the people; one part's records fit a cache
  int hash_bits = 64;
  std::size_t words = std::size_t{1} << 24;  // of all parts, before the first is compacted
};

ExactAggregates tally_in_pieces(const Statement& statement,
                                const std::vector<ExactAggregate>& tallies,
                                const QueryRows& rows,
                                const Salt& salt,
                                const Pieces& pieces);

// Returns chunks of rows, and nothing after the last. There is always a first chunk, possibly
// without rows, and all have its columns. Called on the caller's thread; a chunk is no longer used
// once the next call begins.
using NextRows = std::function<std::optional<QueryRows>()>;

// Counts the same integers as for all rows at once. Memory is proportional to people, groups and
// texts, not to rows. The row count is unknown, so a run reports no fraction of progress.
ExactAggregates tally_stream(const Statement& statement,
                             const std::vector<ExactAggregate>& tallies,
                             const NextRows& next,
                             const Salt& salt,
                             const Pieces& pieces = {});

}  // namespace dp::query
