// What a statement counts in a table in memory: the integers from which all aggregates are made.
//
// One pass. Rows are read in batches, coerced to their declarations (coerce.h), carried through the
// steps, capped for each person (truncate_sink.h) and counted (counters.h). Only rows of one person
// ever meet before they are counted, and what becomes of them hangs on them and the salt alone. So
// where t people with all their rows come or go, kept rows of these t come or go and no others, of
// which there are no more than the caps allow: the triples of queries_v2, 5.1 and 5.4. A person
// whose rows are replaced is one that goes and one that comes, and moves twice as much.
//
// The result is one whatever the number of threads, the size of batches and the order of rows. No
// value makes the kernel fail.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/query/ranks.h"
#include "core/query/rows.h"
#include "core/query/statement.h"
#include "core/query/tally.h"

namespace dp::query {

Tallied tally(const Statement& statement,
              const std::vector<Tally>& tallies,
              const QueryRows& rows,
              const Salt& salt);

// How the work is cut into pieces, on which no result hangs; but for `hash_bits`, of which tests
// keep few, so that hashes meet.
struct Pieces {
  std::size_t batch = 2048;
  std::size_t task = 1 << 16;   // rows that one thread reads at a time
  std::size_t block = 1 << 20;  // rows that are read before people's parts take them
  std::size_t parts = 256;      // of the people, of which the records of one stay in a cache
  int hash_bits = 64;
  std::size_t words = std::size_t{1} << 24;  // of all parts, before the first is compacted
};

Tallied tally_in_pieces(const Statement& statement,
                        const std::vector<Tally>& tallies,
                        const QueryRows& rows,
                        const Salt& salt,
                        const Pieces& pieces);

// Rows that come in chunks, and no value after the last. There is a first one, without rows
// perhaps; all have its columns. Called on the caller's thread; a chunk is done with when it is
// called again.
using NextRows = std::function<std::optional<QueryRows>()>;

// The same integers as of all rows together. Memory follows people, groups and texts, not rows. How
// many rows there are is not known, and a run does not say how far it has come.
Tallied tally_stream(const Statement& statement,
                     const std::vector<Tally>& tallies,
                     const NextRows& next,
                     const Salt& salt,
                     const Pieces& pieces = {});

}  // namespace dp::query
