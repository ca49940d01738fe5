// How often each distinct row comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/engine/stage.h"
#include "core/transformations/cell_index.h"

namespace dp {

// The distinct rows of a range, and their counts. T is hashable (hashable.h).
template <class T>
class Tally final : public Partial {
 public:
  void update(const Block& block) override {
    const Cell<T>* rows = block.as<T>();
    for (std::size_t i = 0; i < block.size; ++i) add(rows[i], 1);
  }

  void merge(Partial&& later) override {
    const auto& other = static_cast<const Tally&>(later);
    for (std::size_t i = 0; i < other.counts_.size(); ++i) add(other.rows_[i], other.counts_[i]);
  }

  const CellIndex<T>& rows() const { return rows_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  void add(Cell<T> row, std::uint64_t count) {
    const std::size_t number = rows_.add(row);
    if (number == counts_.size()) counts_.push_back(0);
    counts_[number] += count;
  }

  CellIndex<T> rows_;
  std::vector<std::uint64_t> counts_;
};

// Tallies few ranges, since each of them may come to hold every distinct row.
template <class T>
class TallyReducer : public Reducer {
 public:
  std::vector<std::size_t> cuts(std::size_t size) const override {
    constexpr std::size_t kRanges = 16;
    constexpr std::size_t kLeastRows = std::size_t{1} << 17;
    const std::size_t range = std::max(kLeastRows, size / kRanges + 1);
    std::vector<std::size_t> ends;
    for (std::size_t begin = 0; begin < size; begin += range) {
      ends.push_back(std::min(begin + range, size));
    }
    return ends;
  }

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<Tally<T>>();
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const final {
    const auto all = merged(std::move(parts));
    return result(static_cast<const Tally<T>&>(*all));
  }

 private:
  virtual Value result(const Tally<T>& all) const = 0;
};

}  // namespace dp
