// Finds the least number that meets a limit.
#pragma once

#include <functional>
#include <optional>

namespace dp {

// Among which numbers is searched: doubles from 0 to the largest, or whole ones from 0 to 2^53.
enum class Values { reals, wholes };

// A value's use of the limit: whether it is within, which decides, and its approximate fraction of
// the limit, which only guides the search; NaN or infinite if unknown.
struct Taken {
  bool within;
  double share;
};

// No search asks more often.
constexpr int kMostJudgements = 77;

// The least value that is within, exactly: it is judged to be, and the one before it not to be.
// Nothing if even the largest is not. Once a value is within, larger ones must be, too.
//
// Both kinds of values are searched by their place in order. A few guesses take the share to be in
// inverse proportion to the value (or to exp(value), for whole ones), and then go on with the slope
// between two of them; from the last one, steps grow until the other side is met, and what lies
// between is halved. A share in inverse proportion needs about four judgements.
std::optional<double> least_value(Values values, const std::function<Taken(double)>& judge);

}  // namespace dp
