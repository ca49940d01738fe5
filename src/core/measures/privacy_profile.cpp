#include "core/measures/privacy_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/domains/scalar.h"
#include "core/error.h"
#include "core/numeric/approx.h"

namespace dp {
namespace {

[[noreturn]] void refuse(const char* name, double value, const char* demand) {
  throw Error(ErrorKind::failed_map,
              std::string(name) + " (" + debug(Scalar(value)) + ") must " + demand);
}

// Difference between `delta` and the target, in logarithms, which fall almost linearly: positive if
// `delta` is larger, and infinite if one of them has no logarithm.
double excess(double delta, double wanted) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool above = delta > wanted;
  if (delta == 0 || wanted == 0 || std::isinf(delta)) return above ? kInfinity : -kInfinity;
  const double apart = ln_near(delta) - ln_near(wanted);
  return above ? std::max(apart, std::numeric_limits<double>::min()) : std::min(apart, 0.0);
}

// Where an excess that falls becomes none: after `low`, at `high` at the latest. It looks where the
// line through both ends crosses zero, with the Illinois rule, which halves an end that stays; and
// in the middle, if that has not halved the bracket in a few looks. A bisection of doubles takes 60
// of them, and each may compose many releases.
struct Bracket {
  double low, high;
  double over, under;
  int kept = 0;  // so many looks in a row have kept the low end, or, if negative, the high end
  int looks = 0;
  double width = std::numeric_limits<double>::infinity();

  double middle() const { return low + (high - low) / 2; }
  bool is_tight() const { return middle() == low || middle() == high; }

  // The crossing, a few units in the last place away from the ends, and 16 times further each time
  // that one end stays. It is then beyond the other end, despite rounding of the curve. So the last
  // evaluation comes from the other side.
  double crossing() const {
    const double away = std::ldexp(high, 4 * std::abs(kept) - 50);
    const double found = low + (high - low) * (over / (over - under));
    return away < (high - low) / 2 ? std::clamp(found, low + away, high - away) : middle();
  }

  template <class Excess>
  void look(const Excess& excess_at) {
    constexpr int kPatience = 3;
    if (high - low <= width / 2) {
      width = high - low;
      looks = 0;
    }
    const bool lines = std::isfinite(over) && std::isfinite(under) && looks++ < kPatience;
    const double next = lines ? crossing() : middle();
    const double found = excess_at(next);
    if (found > 0) {
      low = next;
      over = found;
      kept = std::min(kept, 0) - 1;
      if (kept < -1) under /= 2;
    } else {
      high = next;
      under = found;
      kept = std::max(kept, 0) + 1;
      if (kept > 1) over /= 2;
    }
  }
};

}  // namespace

double PrivacyProfile::delta(double epsilon) const {
  if (!(epsilon >= 0)) refuse("epsilon", epsilon, "not be negative");
  const double delta = curve_(epsilon + 0.0);  // never at -0
  if (std::isnan(delta)) {
    throw Error(ErrorKind::failed_map,
                "the privacy profile has no number at an epsilon: NaN is not comparable");
  }
  if (delta < 0) throw Error(ErrorKind::failed_map, "a privacy profile must not be negative");
  return delta;
}

double PrivacyProfile::epsilon(double delta) const {
  if (delta < 0) refuse("delta", delta, "not be negative");
  if (!(delta <= 1)) refuse("delta", delta, "be between zero and one");
  if (delta == 1) return 0;
  const auto excess_at = [&](double epsilon) { return excess(this->delta(epsilon), delta); };

  Bracket bracket{0, 2, excess_at(0), 0};
  if (bracket.over <= 0) return 0;
  while ((bracket.under = excess_at(bracket.high)) > 0) {
    bracket = {bracket.high, bracket.high * bracket.high, bracket.under, 0};
    if (std::isinf(bracket.high)) return bracket.high;
  }
  while (!bracket.is_tight()) bracket.look(excess_at);
  return bracket.high;
}

}  // namespace dp
