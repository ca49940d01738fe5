// A run of consecutive rows: what row operators and reducers work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/domains/atom_type.h"

namespace dp {

// Rows per batch when operators run. Small enough that two buffers stay in the first-level cache
// and that memory keeps streaming while the operators compute.
inline constexpr std::size_t kBatchRows = 1024;

// Storage of a row of carrier type T in a batch: strings are views of text kept elsewhere.
template <class T>
using Element = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;

// A read-only run of rows. `valid` is null if all rows are present, else one byte per row, 0 for a
// null row; the cell of a null row is unspecified.
struct Batch {
  const void* cells = nullptr;
  const std::uint8_t* valid = nullptr;
  std::size_t size = 0;

  template <class T>
  const Element<T>* as() const {
    return static_cast<const Element<T>*>(cells);
  }
};

// Room for one batch of any carrier type, and for the text that string rows point to. Reused from
// batch to batch; each thread has its own.
class BatchBuffer {
 public:
  // Room for `size` rows of type T, valid until the next call.
  template <class T>
  Element<T>* cells(std::size_t size) {
    return static_cast<Element<T>*>(room(size * sizeof(Element<T>)));
  }

  std::uint8_t* valid(std::size_t size) {
    if (valid_.size() < size) valid_.resize(size);
    return valid_.data();
  }

  // A view that stays valid until clear_text().
  std::string_view keep(std::string text) { return text_.emplace_back(std::move(text)); }
  void clear_text() { text_.clear(); }

 private:
  void* room(std::size_t bytes);

  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  std::vector<Line> lines_;
  std::vector<std::uint8_t> valid_;
  std::deque<std::string> text_;
};

}  // namespace dp
