// The private columns of a table, read where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dp::query {

// The label of cells without a value: no text in any encoding.
inline constexpr std::string_view kNoLabel("\0\xff", 2);

// Values that stand for a missing one.
struct MissingCodes {
  std::vector<double> numbers;  // of dates days since 1970-01-01
  std::vector<std::string> texts;
  std::optional<std::pair<double, double>> range;  // of numbers, with both ends

  bool empty() const { return numbers.empty() && texts.empty() && !range; }
};

// One column: cells in one piece of memory, which any thread may read and nobody changes. How cells
// are kept is public, as is the name; what they hold is not.
struct QueryColumn {
  enum class Kind : std::uint8_t {
    logical,  // int32: 0 is false; the least is missing; all others are true
    int32,    // the least is missing
    int64,    // the least is missing
    real,     // NaN is missing
    date,     // days since 1970-01-01, real
    date32,   // the same, int32
    text      // int32: places among `labels`, from 1; all others are missing
  };
  std::string name;
  Kind kind = Kind::int32;
  const void* cells = nullptr;
  // As they came: in no order, equal ones perhaps, and perhaps no UTF-8.
  std::vector<std::string_view> labels;
  MissingCodes codes;  // that the column itself declares
  // Not 0 for cells that have a value of another kind, which the cells lack; null if none is known.
  std::shared_ptr<const std::int32_t> unread;
  std::shared_ptr<const void> owner;  // of cells and labels; may be null if they live on anyway
};

class QueryRows {
 public:
  QueryRows(std::size_t size, std::vector<QueryColumn> columns)
      : size_(size), columns_(std::move(columns)) {}

  std::size_t size() const { return size_; }
  const std::vector<QueryColumn>& columns() const { return columns_; }

  // Null if there is none of this name.
  const QueryColumn* find(const std::string& name) const {
    for (const QueryColumn& column : columns_) {
      if (column.name == name) return &column;
    }
    return nullptr;
  }

 private:
  std::size_t size_;
  std::vector<QueryColumn> columns_;
};

}  // namespace dp::query
