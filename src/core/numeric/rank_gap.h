// How far a wanted rank is from the ranks that a candidate of a quantile stands for.
#pragma once

namespace dp {

// The share num / (num + rest) of all rows is wanted below the quantile. Rows that count at the
// candidate can be on either side of it, so it stands for the ranks from `below` to `not_above`.
// Their distance from the wanted rank, times num + rest:
//
//   max(0, rest below - num not_below, num above - rest not_above)
//
// where `not_below` and `not_above` have the rows at the candidate, too. The wanted rank is below
// these ranks, above them or among them, so at most one of both differences is above 0.
//
// Sensitivity. Each difference is a sum over rows: a row adds `rest` or takes `num` in the first,
// and adds `num` or takes `rest` in the second. So a row that comes or goes moves it by max(num,
// rest) at most, and one that is replaced by num + rest. Counts that are cut to a limit, each of
// the four alone, move no further. The largest of several numbers moves no further than one of
// them.
template <class Number>
Number rank_gap(
    Number num, Number rest, Number below, Number not_below, Number above, Number not_above) {
  const Number high = rest * below;
  const Number high_limit = num * not_below;
  if (high > high_limit) return high - high_limit;
  const Number low = num * above;
  const Number low_limit = rest * not_above;
  return low > low_limit ? low - low_limit : Number{0};
}

}  // namespace dp
