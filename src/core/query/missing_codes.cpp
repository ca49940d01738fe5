#include "core/query/missing_codes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dp::query {
namespace {

struct CleanCells {
  std::shared_ptr<const void> labels;
  std::vector<std::int32_t> whole32;
  std::vector<std::int64_t> whole64;
  std::vector<double> reals;
};

template <class T>
const void* clean(const QueryColumn& column,
                  std::size_t begin,
                  std::size_t size,
                  T none,
                  const MissingCodes& codes,
                  std::vector<T>& to) {
  const auto* cells = static_cast<const T*>(column.cells) + begin;
  const bool date = column.kind == QueryColumn::Kind::date;
  to.reserve(size + 1);
  for (std::size_t i = 0; i < size; ++i) {
    const auto number = static_cast<double>(cells[i]);
    to.push_back(is_code(codes, date ? std::floor(number) : number) ? none : cells[i]);
  }
  return to.data();
}

// Labels that are codes lose their index.
const void* clean_labels(const QueryColumn& column,
                         std::size_t begin,
                         std::size_t size,
                         const MissingCodes& codes,
                         std::vector<std::int32_t>& to) {
  const auto* cells = static_cast<const std::int32_t*>(column.cells) + begin;
  std::vector<bool> coded;
  for (const std::string_view label : column.labels) {
    coded.push_back(is_code(codes, label));
  }
  to.reserve(size + 1);
  for (std::size_t i = 0; i < size; ++i) {
    const std::int32_t cell = cells[i];
    const bool inside = cell >= 1 && cell <= static_cast<std::int64_t>(coded.size());
    to.push_back(inside && coded[static_cast<std::size_t>(cell - 1)] ? 0 : cell);
  }
  return to.data();
}

}  // namespace

MissingCodes codes_of(const Field& field, const QueryColumn& column) {
  MissingCodes codes = column.codes;
  codes.numbers.insert(codes.numbers.end(), field.na.begin(), field.na.end());
  codes.texts.insert(codes.texts.end(), field.na_texts.begin(), field.na_texts.end());
  return codes;
}

bool is_code(const MissingCodes& codes, double number) {
  if (codes.range && number >= codes.range->first && number <= codes.range->second) return true;
  return std::find(codes.numbers.begin(), codes.numbers.end(), number) != codes.numbers.end();
}

bool is_code(const MissingCodes& codes, std::string_view text) {
  return std::find(codes.texts.begin(), codes.texts.end(), text) != codes.texts.end();
}

QueryColumn without_codes(const QueryColumn& column,
                          std::size_t begin,
                          std::size_t size,
                          const MissingCodes& codes) {
  using Kind = QueryColumn::Kind;
  const auto made = std::make_shared<CleanCells>();
  made->labels = column.owner;
  QueryColumn same = column;
  switch (column.kind) {
    case Kind::text:
      same.cells = clean_labels(column, begin, size, codes, made->whole32);
      break;
    case Kind::int64:
      same.cells = clean(
          column, begin, size, std::numeric_limits<std::int64_t>::min(), codes, made->whole64);
      break;
    case Kind::real:
    case Kind::date:
      same.cells =
          clean(column, begin, size, std::numeric_limits<double>::quiet_NaN(), codes, made->reals);
      break;
    default:
      same.cells = clean(
          column, begin, size, std::numeric_limits<std::int32_t>::min(), codes, made->whole32);
  }
  same.owner = made;
  return same;
}

}  // namespace dp::query
