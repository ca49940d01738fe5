// Combines the rows of each person for truncate() and per_unit().
//
// Rows become records of words. As records arrive, compact() drops those that cannot reach the
// result, so memory is proportional to the kept records, not to the rows read. The result depends
// only on the set of records, not on their order or on the number of compactions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/expressions/row_batch.h"

namespace dp::query {

// Leaves new elements of a vector uninitialised, because the caller writes all of them next.
struct Unfilled : std::allocator<std::uint64_t> {
  template <class>
  struct rebind {
    using other = Unfilled;
  };
  void construct(std::uint64_t*) noexcept {}
  void construct(std::uint64_t* word, std::uint64_t value) noexcept { *word = value; }
};
using Words = std::vector<std::uint64_t, Unfilled>;

// Records of one part of the people, in pieces as they arrived, which avoids copies.
using Records = std::vector<Words>;
std::size_t words_in(const Records& records);

using Record = const std::uint64_t*;

class StageSink {
 public:
  virtual ~StageSink() = default;

  // Words per record. The hash of the id is first, then the words of the id.
  virtual std::size_t width() const = 0;

  // Appends a record to the person's part for each row of the batch that stays. The hash of the id
  // determines the part.
  virtual void append(const RowBatch& batch, std::vector<Words>& parts) const = 0;

  // Merges records into one piece, with records of the same id adjacent. With `last`, the piece is
  // the result.
  virtual Words compact(const Records& records, bool last) const = 0;

  // Converts records begin, ..., end - 1 of a result to rows.
  virtual void rows(const Words& records,
                    std::size_t begin,
                    std::size_t end,
                    RowBatch& batch) const = 0;
};

// Writes the first words of records as ids of the rows of `batch`.
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

// Copies a few words; a library call would cost more than the copy.
inline void copy_words(Record from, std::size_t count, std::uint64_t* to) {
  for (; count >= 4; count -= 4, from += 4, to += 4) std::memcpy(to, from, 4 * sizeof(*to));
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

// Rows of the batch that have a value in each of these whole-number columns.
std::vector<std::uint32_t> rows_with(const RowBatch& batch, const std::vector<std::size_t>& places);

// Appends records for some rows of a batch to their people's parts. A record begins with the id;
// the other words are filled column by column.
class NewRecords {
 public:
  NewRecords(const RowBatch& batch,
             std::vector<std::uint32_t> rows,
             std::size_t width,
             std::vector<Words>& parts);

  // Stores f(row) as one word of each record.
  template <class F>
  void put(std::size_t word, F&& f) {
    for (std::size_t i = 0; i < rows_.size(); ++i) records_[i][word] = f(rows_[i]);
  }

  // Calls f(row, record) for each record.
  template <class F>
  void each(F&& f) {
    for (std::size_t i = 0; i < rows_.size(); ++i) f(rows_[i], records_[i]);
  }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint64_t*> records_;
};

// Copies of records, grouped by person: those from begins[p] to begins[p + 1] - 1 belong to person
// p. Neither the people nor the records of one person are sorted. Copies make all records of a
// person contiguous in memory. Following pointers to the original positions would take longer than
// the rest of the work.
struct RecordsOfPeople {
  Words words;
  std::size_t width;
  std::vector<std::size_t> begins;

  std::size_t people() const { return begins.size() - 1; }
  Record record(std::size_t i) const { return words.data() + i * width; }
};

// The first `id_words` words of a record identify the person.
RecordsOfPeople records_of_people(const Records& records, std::size_t width, std::size_t id_words);

}  // namespace dp::query
