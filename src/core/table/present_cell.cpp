#include "core/table/present_cell.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/numeric/cast.h"

namespace dp {

std::optional<double> PresentCell::operator()(double x) const {
  if (whole_) {
    const std::optional<std::int64_t> number = round_cast<std::int64_t>(x);
    if (!number) return std::nullopt;
    x = static_cast<double>(*number);
  }
  if (std::isnan(x)) return std::nullopt;
  return std::clamp(x, lower_, upper_);
}

}  // namespace dp
