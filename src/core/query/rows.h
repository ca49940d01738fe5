// The private columns of a table, read in place.
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

// The label of cells without a value, which is not valid text in any encoding.
inline constexpr std::string_view kNoLabel("\0\xff", 2);

// Codes for missing values.
struct MissingCodes {
  std::vector<double> numbers;  // of dates days since 1970-01-01
  std::vector<std::string> texts;
  std::optional<std::pair<double, double>> range;  // of numbers, with both ends

  bool empty() const { return numbers.empty() && texts.empty() && !range; }
};

// One column: cells in contiguous memory, which any thread can read and no thread changes. The
// storage and the name are public; the contents are private.
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
  // Labels as given: unordered, possibly with duplicates, and possibly not UTF-8.
  std::vector<std::string_view> labels;
  MissingCodes codes;  // that the column itself declares
  // Not 0 for cells with a value of a different type, which are missing here; null if there are
  // none.
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
