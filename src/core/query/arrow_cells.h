// Converts cells of Arrow arrays to the storage of a query, for the types that arrow.h names. Cell
// contents are not trusted: an invalid index becomes a missing value, and an invalid offset throws
// source.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/query/arrow.h"
#include "core/query/rows.h"

namespace dp::query {

inline constexpr std::int64_t kMostArrowRows = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse_arrow(const std::string& what);
[[noreturn]] void refuse_arrow_column(const std::string& name, const std::string& what);

// The storage of a format's cells; none if the format is not supported.
std::optional<QueryColumn::Kind> kind_of_format(std::string_view format);

// "tsu:": a date-time without a zone, which date declarations read as its day. An instant has its
// zone after the colon, and is not supported.
bool is_moment(std::string_view format);

// Cells begin, ..., begin + size - 1 of an array.
struct ArrowCells {
  const std::string& name;
  const ArrowArray& array;
  std::int64_t begin;
  std::int64_t size;

  const void* buffer(std::int64_t i) const {
    const void* found = array.buffers[i];
    if (found == nullptr && size > 0) refuse_arrow_column(name, "lacks a buffer");
    return found;
  }

  bool is_there(std::int64_t i) const {
    const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
    return bits == nullptr || bit_of(bits, begin + i);
  }

  static bool bit_of(const std::uint8_t* bits, std::int64_t i) {
    return (bits[i / 8] >> (i % 8) & 1) != 0;
  }
};

// Storage that a column points to. Each text has one label, and codes are label numbers from 1; 0
// means missing.
struct ArrowOwner {
  std::vector<std::int32_t> codes;
  std::vector<std::int64_t> wholes;
  std::vector<double> reals;
  std::deque<std::string> labels;
  std::unordered_map<std::string_view, std::int32_t> places;  // of the labels

  std::int32_t code_of(std::string_view text);
};

// Appends cells of a supported format. `texts` is the format of a dictionary's labels, and empty
// without a dictionary.
void copy_arrow_cells(std::string_view format,
                      std::string_view texts,
                      const ArrowCells& cells,
                      ArrowOwner& to);

// Address of the cells. Never null, because a column needs an address even without rows.
const void* cells_of_kind(QueryColumn::Kind kind, ArrowOwner& owner);

}  // namespace dp::query
