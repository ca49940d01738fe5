// Dates as days since 1970-01-01, in the proleptic Gregorian calendar.
#pragma once

#include <cstdint>

namespace dp::query {

// 0001-01-01 and 9999-12-31: the range of dates on which all engines agree.
inline constexpr std::int64_t kFirstDay = -719162;
inline constexpr std::int64_t kLastDay = 2932896;

struct CivilDate {
  std::int64_t year, month, day;
};

// Converts a day from kFirstDay to kLastDay. Years begin in March, so the leap day is the last day;
// 400 years have 146097 days.
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

// The inverse of civil_date().
inline std::int64_t day_of(const CivilDate& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t month = date.month > 2 ? date.month - 3 : date.month + 9;  // 0 is March
  const std::int64_t of_year = (153 * month + 2) / 5 + date.day - 1;
  return 365 * year + year / 4 - year / 100 + year / 400 + of_year - 719468;
}

inline std::int64_t day_of_year(std::int64_t day) {
  return day - day_of({civil_date(day).year, 1, 1}) + 1;
}

// Day of the week: 1 on the first day of a week, 7 on its last. Weeks start on day `week_start`: 1
// is Monday, and 7 Sunday. 1970-01-01 was a Thursday.
inline std::int64_t day_of_week(std::int64_t day, std::int64_t week_start) {
  constexpr std::int64_t kWeeks = 7 * 200000;  // makes it positive
  return (day + 4 - week_start + kWeeks) % 7 + 1;
}

// Periods that partition all days: weeks, or a number of months that divides 12. One of both is 0.
struct Period {
  std::int64_t months = 0;
  std::int64_t week_start = 0;

  bool operator==(const Period& other) const {
    return months == other.months && week_start == other.week_start;
  }
  bool operator!=(const Period& other) const { return !(*this == other); }
};

// First day of the period that contains `day`. A week can begin before kFirstDay.
inline std::int64_t first_day(const Period& period, std::int64_t day) {
  if (period.months == 0) return day - day_of_week(day, period.week_start) + 1;
  const CivilDate date = civil_date(day);
  return day_of({date.year, (date.month - 1) / period.months * period.months + 1, 1});
}

// First day of the next period. Adding 31 days per month reaches into the next period, never beyond
// it.
inline std::int64_t next_first_day(const Period& period, std::int64_t first) {
  if (period.months == 0) return first + 7;
  return first_day(period, first + 31 * period.months);
}

}  // namespace dp::query
