// Numbers tuples of words in the order of their first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dp::query {

// All tuples have `width` words. The numbers depend on the order of the tuples.
class WordTable {
 public:
  explicit WordTable(std::size_t width) : width_(width) {}

  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

  std::size_t size() const { return size_; }
  const std::uint64_t* tuple(std::size_t number) const { return tuples_.data() + number * width_; }

  // The number of the tuple, which is added if it is new.
  std::uint64_t number(const std::uint64_t* tuple) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slots_[slot_of(tuple)];
    if (slot == 0) {
      tuples_.insert(tuples_.end(), tuple, tuple + width_);
      slot = ++size_;
    }
    return slot - 1;
  }

  // kAbsent if the tuple is not in the table.
  std::uint64_t find(const std::uint64_t* tuple) const {
    return slots_.empty() ? kAbsent : slots_[slot_of(tuple)] - 1;
  }

 private:
  // The slot of the tuple, or a free slot for it. There are free slots.
  std::size_t slot_of(const std::uint64_t* tuple) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t mixed = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      mixed = (mixed ^ tuple[i]) * 0x9e3779b97f4a7c15;
      mixed ^= mixed >> 29;
    }
    std::size_t at = mixed & mask;
    while (slots_[at] != 0 && !same(slots_[at] - 1, tuple)) at = (at + 1) & mask;
    return at;
  }

  bool same(std::uint64_t number, const std::uint64_t* tuple) const {
    const std::uint64_t* known = tuples_.data() + number * width_;
    for (std::size_t i = 0; i < width_; ++i) {
      if (known[i] != tuple[i]) return false;
    }
    return true;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
    for (std::uint64_t i = 0; i < size_; ++i) slots_[slot_of(tuples_.data() + i * width_)] = i + 1;
  }

  std::size_t width_;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> tuples_;
  std::vector<std::uint64_t> slots_;  // a number and 1, or 0; a power of two of them
};

}  // namespace dp::query
