// Where the rows of each person meet: truncate() and per_unit().
//
// Rows become records of words. As records come, compact() drops those that cannot be in the result
// any more: the memory follows what is kept, not what is read. The result hangs on the set of
// records alone, whatever their order, and however often they were compacted in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/expressions/row_batch.h"

namespace dp::query {

// Leaves new words of a vector as the memory was, since all of them are written next.
struct Unfilled : std::allocator<std::uint64_t> {
  template <class>
  struct rebind {
    using other = Unfilled;
  };
  void construct(std::uint64_t*) noexcept {}
  void construct(std::uint64_t* word, std::uint64_t value) noexcept { *word = value; }
};
using Words = std::vector<std::uint64_t, Unfilled>;

// Records of one part of the people, in pieces as they came: so that nobody copies them.
using Records = std::vector<Words>;
std::size_t words_in(const Records& records);

using Record = const std::uint64_t*;

class StageSink {
 public:
  virtual ~StageSink() = default;

  // The words of a record. The first is the hash of the id, then come those of the id.
  virtual std::size_t width() const = 0;

  // Appends a record for each row of the batch that stays to its person's part. People fall into
  // parts by the hashes of their ids.
  virtual void append(const RowBatch& batch, std::vector<Words>& parts) const = 0;

  // Into one piece, in which records of each id stand together. With `last` it is the result.
  virtual Words compact(const Records& records, bool last) const = 0;

  // Records begin, ..., end - 1 of a result as rows.
  virtual void rows(const Words& records,
                    std::size_t begin,
                    std::size_t end,
                    RowBatch& batch) const = 0;
};

// The first words of records as ids of the rows of `batch`.
void put_ids(const Words& records,
             std::size_t width,
             std::size_t begin,
             std::size_t end,
             std::size_t id_width,
             RowBatch& batch);

inline bool same_words(const std::uint64_t* a, const std::uint64_t* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// Of few words, for which a library's function is no use.
inline void copy_words(Record from, std::size_t count, std::uint64_t* to) {
  for (; count >= 4; count -= 4, from += 4, to += 4) std::memcpy(to, from, 4 * sizeof(*to));
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

// Rows of the batch that have a value in each of these columns, which hold wholes.
std::vector<std::uint32_t> rows_with(const RowBatch& batch, const std::vector<std::size_t>& places);

// Records of some rows of a batch at the ends of their people's parts. They begin with the ids; the
// other words are put in column by column.
class NewRecords {
 public:
  NewRecords(const RowBatch& batch,
             std::vector<std::uint32_t> rows,
             std::size_t width,
             std::vector<Words>& parts);

  // f(row) as one word of each record.
  template <class F>
  void put(std::size_t word, F&& f) {
    for (std::size_t i = 0; i < rows_.size(); ++i) records_[i][word] = f(rows_[i]);
  }

  // f(row, record) for each.
  template <class F>
  void each(F&& f) {
    for (std::size_t i = 0; i < rows_.size(); ++i) f(rows_[i], records_[i]);
  }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint64_t*> records_;
};

// Copies of records, those of each person together: of person p from begins[p] to begins[p + 1]
// - 1. Neither people nor the records of one are in an order. They are copied because whoever looks
// at all records of a person then finds them side by side: following pointers to where they came
// takes longer than all else that is done to them.
struct RecordsOfPeople {
  Words words;
  std::size_t width;
  std::vector<std::size_t> begins;

  std::size_t people() const { return begins.size() - 1; }
  Record record(std::size_t i) const { return words.data() + i * width; }
};

// A person is the first `id_words` words of a record.
RecordsOfPeople records_of_people(const Records& records, std::size_t width, std::size_t id_words);

}  // namespace dp::query
