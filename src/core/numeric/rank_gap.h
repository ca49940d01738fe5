// Distance between a target rank and the ranks of a quantile candidate.
#pragma once

namespace dp {

// The target is num / (num + rest) of all rows below the quantile. Rows that count at the candidate
// can be on either side of it, so its ranks go from `below` to `not_above`. Their distance from the
// target rank, times num + rest, is
//
//   max(0, rest below - num not_below, num above - rest not_above)
//
// where `not_below` and `not_above` include the rows at the candidate. The target rank is below
// these ranks, above them or among them, so at most one of both differences is above 0.
//
// Stability: each difference is a sum over rows: a row adds `rest` or subtracts `num` in the first,
// and adds `num` or subtracts `rest` in the second. So an added or removed row moves it by at most
// max(num, rest), and a replaced one by num + rest. If each of the four counts is capped at a
// limit, they move no further. The largest of several numbers moves no further than one of them.
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
