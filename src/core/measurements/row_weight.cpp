#include "core/measurements/row_weight.h"

#include <cmath>

#include "core/measurements/refuse.h"
#include "core/numeric/int128.h"

namespace dp {

std::int32_t weight_of(double rho) {
  if (!(rho > 0)) return 0;
  if (rho >= 1) return kWholeRho;
  return static_cast<std::int32_t>(std::nearbyint(std::ldexp(rho, kRhoBits)));
}

void check_weights(const ColumnRule& rule) {
  if (rule.lowest() < 0) refuse_measurement("weights must not be negative.");
}

std::int32_t share_of_largest(const ColumnRule& rule, std::int64_t place) {
  const std::int64_t largest = rule.lowest() + rule.width();
  const int128_t shares = int128_t{rule.lowest() + place} * kWholeRho;
  return static_cast<std::int32_t>((shares + largest / 2) / largest);
}

}  // namespace dp
