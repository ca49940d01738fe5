#include "core/sql/early_rows.h"

#include <cstddef>

namespace dp::sql {
namespace {

constexpr const char* kNoBranch = "'~'";
// Longer than PostgreSQL's send buffer of 8192 bytes.
constexpr const char* kLongText = "repeat('~', 20000)";

std::string row_of(const std::string& first, std::size_t columns) {
  std::string row = "SELECT " + first;
  for (std::size_t i = 1; i < columns; ++i) row += std::string(", ") + kNoBranch;
  return row;
}

}  // namespace

std::string behind_early_rows(const WrittenStatement& written) {
  const std::size_t columns = 1 + written.layout.by.size() + written.layout.values;
  return row_of(kNoBranch, columns) + "\nUNION ALL\n" + row_of(kLongText, columns) +
         "\nUNION ALL\nSELECT * FROM (\n" + written.sql + "\n) AS counted";
}

}  // namespace dp::sql
