#include "core/query/text_values.h"

#include <algorithm>

#include "core/expressions/calendar.h"
#include "core/expressions/row_batch.h"

namespace dp::query {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Parses decimal digits; -1 for anything else.
std::int64_t number_in_digits(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

bool is_part_of_time(std::string_view digits, std::int64_t most) {
  const std::int64_t value = digits.size() == 2 ? number_in_digits(digits) : -1;
  return value >= 0 && value <= most;
}

// " 23:30", "T23:30:15", "T23:30:15.25"
bool is_time(std::string_view text) {
  if (text.size() < 6 || (text[0] != ' ' && text[0] != 'T') || text[3] != ':') return false;
  if (!is_part_of_time(text.substr(1, 2), 23) || !is_part_of_time(text.substr(4, 2), 59)) {
    return false;
  }
  if (text.size() == 6) return true;
  if (text[6] != ':' || text.size() < 9 || !is_part_of_time(text.substr(7, 2), 59)) return false;
  if (text.size() == 9) return true;
  const std::string_view fraction = text.substr(10);
  return text[9] == '.' && !fraction.empty() &&
         std::all_of(fraction.begin(), fraction.end(), is_digit);
}

}  // namespace

std::int64_t day_in(std::string_view text, bool with_time) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return kNone;
  if (text.size() > 10 && !(with_time && is_time(text.substr(10)))) return kNone;
  const CivilDate date{number_in_digits(text.substr(0, 4)),
                       number_in_digits(text.substr(5, 2)),
                       number_in_digits(text.substr(8, 2))};
  if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1) return kNone;
  const std::int64_t days = day_of(date);
  const CivilDate same = civil_date(days);
  const bool exists = same.year == date.year && same.month == date.month && same.day == date.day;
  return exists ? days : kNone;
}

std::string without_leading_zeros(std::string_view text) {
  const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  std::size_t first = sign;
  while (first + 1 < text.size() && text[first] == '0' && is_digit(text[first + 1])) ++first;
  return std::string(text.substr(0, sign)).append(text.substr(first));
}

}  // namespace dp::query
