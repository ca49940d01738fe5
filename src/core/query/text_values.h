// Days and whole numbers that texts say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dp::query {

// The day of "2026-11-28", as days since 1970-01-01; kNone for a day that no calendar has, and for
// all other texts. `with_time`: also of "2026-11-28 23:30", "2026-11-28T23:30:15.5", that is, a
// space or `T`, and the hours, minutes and perhaps seconds of a day. A time with an offset from UTC
// names another day in each time zone, so such a text says none.
std::int64_t day_in(std::string_view text, bool with_time);

// "1" of "01", and "-1" of "-001": a whole number in decimal digits has no zeros before it. Other
// texts lose such zeros, too, and are still not one of a whole number's texts.
std::string without_leading_zeros(std::string_view text);

}  // namespace dp::query
