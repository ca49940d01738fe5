// Rows for engine tests: computed on reading, never stored in one place.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/data/column.h"

namespace dp::test {

// Row i holds i * 2654435761 modulo 1000003, as i64. Counts its reads, and threads other than the
// one that made it.
class ComputedRows final : public Column {
 public:
  explicit ComputedRows(std::size_t size, bool concurrent = true)
      : size_(size), concurrent_(concurrent) {}

  static std::int64_t at(std::size_t i) {
    return static_cast<std::int64_t>((i * 2654435761u) % 1000003u);
  }

  AtomType type() const override { return AtomType::i64; }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return concurrent_; }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    if (std::this_thread::get_id() != maker_) ++foreign_reads_;
    rows_read_ += size;
    largest_read_ = std::max(largest_read_.load(), size);
    std::int64_t* cells = buffer.cells<std::int64_t>(size);
    for (std::size_t i = 0; i < size; ++i) cells[i] = at(begin + i);
    return {cells, nullptr, size};
  }

  std::size_t rows_read() const { return rows_read_; }
  std::size_t largest_read() const { return largest_read_; }
  std::size_t foreign_reads() const { return foreign_reads_; }

 private:
  std::size_t size_;
  bool concurrent_;
  std::thread::id maker_ = std::this_thread::get_id();
  mutable std::atomic<std::size_t> rows_read_{0};
  mutable std::atomic<std::size_t> largest_read_{0};
  mutable std::atomic<std::size_t> foreign_reads_{0};
};

// The same rows in memory.
inline ColumnPtr stored_rows(std::size_t size) {
  auto rows = std::make_shared<OwnedColumn<std::int64_t>>(AtomType::i64, size);
  for (std::size_t i = 0; i < size; ++i) rows->cells()[i] = ComputedRows::at(i);
  return rows;
}

}  // namespace dp::test
