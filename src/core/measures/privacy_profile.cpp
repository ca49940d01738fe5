#include "core/measures/privacy_profile.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/domains/scalar.h"
#include "core/error.h"

namespace dp {
namespace {

[[noreturn]] void refuse(const char* name, double value, const char* demand) {
  throw Error(ErrorKind::failed_map,
              std::string(name) + " (" + debug(Scalar(value)) + ") must " + demand);
}

}  // namespace

double PrivacyProfile::delta(double epsilon) const {
  if (std::isnan(epsilon) || std::signbit(epsilon)) {
    refuse("epsilon", epsilon, "not be negative");
  }
  const double delta = curve_(epsilon);
  if (std::isnan(delta)) {
    throw Error(ErrorKind::failed_map,
                "the privacy profile has no number at an epsilon: NaN is not comparable");
  }
  if (delta < 0) throw Error(ErrorKind::failed_map, "a privacy profile must not be negative");
  return delta;
}

double PrivacyProfile::epsilon(double delta) const {
  if (std::signbit(delta)) refuse("delta", delta, "not be negative");
  if (!(delta <= 1)) refuse("delta", delta, "be between zero and one");
  if (delta == 1) return 0;

  double high = 2;
  while (this->delta(high) > delta) {
    high *= high;
    if (std::isinf(high)) return std::numeric_limits<double>::infinity();
  }
  double low = 0;
  double middle = high;
  for (;;) {
    const double next = low + (high - low) / 2;
    if (next == middle) break;
    middle = next;
    (this->delta(middle) > delta ? low : high) = middle;
  }
  return high;
}

}  // namespace dp
