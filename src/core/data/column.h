// A vector of rows that is read batch by batch, wherever it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/data/batch.h"
#include "core/domains/atom_type.h"

namespace dp {

class CodedText;

class Column {
 public:
  virtual ~Column() = default;

  virtual AtomType type() const = 0;
  virtual std::size_t size() const = 0;

  // Whether threads other than the caller's may read.
  virtual bool concurrent() const { return true; }

  // Whether read() returns the rows where they lie, for any length. If not, it copies, and callers
  // ask for at most kBatchRows at a time.
  virtual bool contiguous() const { return false; }

  // These rows with a code each, if they are coded text, else null; see coded_text.h.
  virtual const CodedText* coded() const { return nullptr; }

  // Rows begin, ..., begin + size - 1. The batch is valid until the next read into `buffer`.
  virtual Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const = 0;
};

// Rows that the core owns.
template <class T>
class OwnedColumn final : public Column {
 public:
  OwnedColumn(AtomType type, std::size_t size)
      : type_(type), size_(size), cells_(new Element<T>[size == 0 ? 1 : size]()) {}

  AtomType type() const override { return type_; }
  std::size_t size() const override { return size_; }
  bool contiguous() const override { return true; }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer&) const override {
    return {cells_.get() + begin, valid_.empty() ? nullptr : valid_.data() + begin, size};
  }

  Element<T>* cells() { return cells_.get(); }
  const Element<T>* cells() const { return cells_.get(); }

  // One byte per row; the first call marks every row as present.
  std::uint8_t* valid() {
    if (valid_.empty()) valid_.assign(size_, 1);
    return valid_.data();
  }

  // Drops all rows after the first `size`; there must be at least that many.
  void keep_first(std::size_t size) {
    size_ = size;
    if (!valid_.empty()) valid_.resize(size);
  }

  // Text that string cells may point to. Not safe for concurrent calls.
  std::string_view keep(std::string text) { return text_.emplace_back(std::move(text)); }

  // Copies `texts` into the first cells, all in one piece of memory.
  void keep_all(const std::vector<std::string_view>& texts) {
    static_assert(std::is_same_v<T, std::string>);
    std::size_t size = 0;
    for (const std::string_view text : texts) size += text.size();
    std::string all;
    all.reserve(size);
    for (const std::string_view text : texts) all.append(text);
    const std::string_view kept = keep(std::move(all));
    std::size_t at = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      cells_[i] = kept.substr(at, texts[i].size());
      at += texts[i].size();
    }
  }

 private:
  AtomType type_;
  std::size_t size_;
  std::unique_ptr<Element<T>[]> cells_;  // not std::vector: vector<bool> has no cells
  std::vector<std::uint8_t> valid_;
  std::deque<std::string> text_;
};

using ColumnPtr = std::shared_ptr<const Column>;

// Owned rows with the given elements, all present. For whole-data stages and tests.
template <class T>
ColumnPtr make_column(AtomType type, const std::vector<T>& elements) {
  auto rows = std::make_shared<OwnedColumn<T>>(type, elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if constexpr (std::is_same_v<T, std::string>) {
      rows->cells()[i] = rows->keep(elements[i]);
    } else {
      rows->cells()[i] = elements[i];
    }
  }
  return rows;
}

}  // namespace dp
