// Parses days and whole numbers from texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dp::query {

// Parses "2026-11-28" as days since 1970-01-01; kNone for a day that does not exist, and for all
// other texts. `with_time` also accepts "2026-11-28 23:30" and "2026-11-28T23:30:15.5": a space or
// `T`, then hours, minutes and optional seconds. A text with an offset from UTC is kNone, because
// its day depends on the time zone.
std::int64_t day_in(std::string_view text, bool with_time);

// Turns "01" into "1" and "-001" into "-1", because a whole number in decimal digits has no leading
// zeros. Other texts also lose such zeros, and still do not equal a text of a whole number.
std::string without_leading_zeros(std::string_view text);

}  // namespace dp::query
