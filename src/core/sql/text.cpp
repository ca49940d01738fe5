#include "core/sql/text.h"

#include <cstdio>

#include "core/expressions/calendar.h"

namespace dp::sql {

std::string cast(const std::string& what, const std::string& type) {
  return "CAST(" + what + " AS " + type + ")";
}

std::string hexadecimal(std::string_view bytes, const char* before) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += before;
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

std::string doubled(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

std::string digits(std::int64_t value) { return std::to_string(value); }

std::string whole_literal(std::int64_t value) { return cast(digits(value), "BIGINT"); }

std::string date_literal(std::int64_t days) {
  const query::CivilDate date = query::civil_date(days);
  char text[64];
  std::snprintf(text,
                sizeof text,
                "DATE '%04d-%02d-%02d'",
                static_cast<int>(date.year),
                static_cast<int>(date.month),
                static_cast<int>(date.day));
  return text;
}

std::string day_of_moment(const std::string& moment) { return cast(moment, "DATE"); }

}  // namespace dp::sql
