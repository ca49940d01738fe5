// Numbers distinct cells in order of occurrence. Finding and counting categories use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data/batch.h"
#include "core/transformations/counts/cell_hash.h"

namespace dp {

// A hash table with open addressing, at most half full. Owns the text of its cells. T is hashable
// (hashable.h).
template <class T>
class CellIndex {
 public:
  CellIndex() = default;
  CellIndex(CellIndex&&) noexcept = default;
  CellIndex& operator=(CellIndex&&) noexcept = default;
  CellIndex(const CellIndex&) = delete;  // cells are views of the text of the original
  CellIndex& operator=(const CellIndex&) = delete;

  std::size_t size() const { return cells_.size(); }

  // The cell with this number.
  Element<T> operator[](std::size_t number) const { return cells_[number]; }

  // The number of `cell`, size() if it was never added.
  std::size_t find(Element<T> cell) const {
    if (slots_.empty()) return size();
    const std::size_t slot = slot_of(cell, hash(cell));
    return slots_[slot].used ? slots_[slot].number : size();
  }

  // The number of `cell`: the existing one if it was added before, otherwise the next one.
  std::size_t add(Element<T> cell) {
    if (slots_.size() < 2 * (size() + 1)) grow();
    const std::uint64_t code = hash(cell);
    Slot& slot = slots_[slot_of(cell, code)];
    if (!slot.used) {
      slot = {code, size(), true};
      if constexpr (std::is_same_v<T, std::string>) {
        cells_.push_back(text_.emplace_back(cell));
      } else {
        cells_.push_back(cell);
      }
    }
    return slot.number;
  }

 private:
  struct Slot {
    std::uint64_t code = 0;
    std::size_t number = 0;
    bool used = false;
  };

  std::uint64_t hash(Element<T> cell) const {
    if constexpr (std::is_same_v<T, std::string>) {
      return hash_(cell);
    } else {
      return hash_(static_cast<std::uint64_t>(cell));
    }
  }

  // Where `cell` is, or the free place where it would be.
  std::size_t slot_of(Element<T> cell, std::uint64_t code) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(code) & mask;
    while (slots_[at].used && !(slots_[at].code == code && cells_[slots_[at].number] == cell)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (!slot.used) continue;
      std::size_t at = static_cast<std::size_t>(slot.code) & mask;
      while (slots_[at].used) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  CellHash hash_ = CellHash::of_process();
  std::vector<Slot> slots_;
  std::vector<Element<T>> cells_;
  std::deque<std::string> text_;
};

}  // namespace dp
