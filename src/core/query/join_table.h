// The table of a public join, indexed by its keys.
//
// The kernel looks rows up in it, the SQL writers write it out, and the privacy map takes from it
// the number of rows that one row can become. Only this file decides which keys are equal. -0
// equals 0, TRUE equals 1 when compared with numbers, and texts are equal if their bytes are.
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

  // The largest number of rows that the join makes of one row. At least 1: a table that matches no
  // row does not make the query free of noise.
  std::uint64_t most_rows_of_one() const;
};

// `fields` are the columns of the private rows. Missing keys match nothing and are dropped. Throws
// as fields_after_step() does.
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
