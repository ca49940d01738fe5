// Dates as days since 1970-01-01, in the calendar that is Gregorian at all times.
#pragma once

#include <cstdint>

namespace dp::query {

// 0001-01-01 and 9999-12-31: the dates that all engines agree on.
inline constexpr std::int64_t kFirstDay = -719162;
inline constexpr std::int64_t kLastDay = 2932896;

struct CivilDate {
  std::int64_t year, month, day;
};

// Of a day from kFirstDay to kLastDay. Years begin in March, so that the odd day is their last; 400
// of them have 146097 days.
inline CivilDate civil_date(std::int64_t days) {
  const std::int64_t since = days + 719468;  // since 0000-03-01; positive
  const std::int64_t era = since / 146097;
  const std::int64_t of_era = since % 146097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;  // 0 is March
  const std::int64_t day = of_year - (153 * month + 2) / 5 + 1;
  const std::int64_t civil_month = month < 10 ? month + 3 : month - 9;
  return {year + 400 * era + (civil_month <= 2 ? 1 : 0), civil_month, day};
}

}  // namespace dp::query
