// The table of a public join, by its keys.
//
// The kernel looks rows up in it, the writers of SQL write it out, and the map of a query asks it
// how many rows one row can become. Which keys are equal is decided here and nowhere else: -0 is 0,
// TRUE is 1 where numbers meet, and texts are equal if their bytes are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/query/statement.h"
#include "core/query/word_table.h"

namespace dp::query {

struct JoinTable {
  JoinPublic::How how;
  std::vector<BoundPtr> own_keys;
  WordTable keys{1};
  std::vector<std::vector<std::size_t>> rows;  // of each key
  std::vector<Cells> columns;                  // that are joined
  std::vector<bool> real;                      // of each

  // The most rows that the join makes of one row. At least 1: a table that matches no row does not
  // free a query of its noise.
  std::uint64_t most_rows_of_one() const;
};

// `fields` are the columns of the private rows. Missing keys match nothing, and are left out.
// Throws as fields_after_step() does.
JoinTable join_table(const JoinPublic& join, const std::vector<Field>& fields, TextPool& texts);

// The words of keys, row by row.
class KeyWords {
 public:
  KeyWords(const std::vector<BoundPtr>& keys, const RowBatch& batch);

  // Null if a key of the row is missing.
  const std::uint64_t* of(std::size_t row);

 private:
  std::vector<Cells> rooms_;
  std::vector<const std::vector<std::int64_t>*> cells_;
  std::vector<std::uint64_t> words_;
};

}  // namespace dp::query
