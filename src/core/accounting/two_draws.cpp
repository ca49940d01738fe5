#include "core/accounting/two_draws.h"

#include <algorithm>
#include <cmath>

#include "core/numeric/approx.h"
#include "core/runtime/parallel.h"

namespace dp {

TwoDraws::TwoDraws(const LossGrid& first, const LossGrid& second)
    : first_(first), second_(untilted_curve(second)) {}

double TwoDraws::at(std::int64_t point) const {
  constexpr double kSum = 1 + 0x1p-28;  // 2^23 sums and products
  const std::vector<double>& masses = first_.masses();
  const std::vector<double>& deltas = second_.deltas;
  const auto size = static_cast<std::int64_t>(masses.size());
  // The second has index `shift` - i if the first has i.
  const std::int64_t shift = point - first_.first() - second_.first;
  const std::int64_t from =
      std::clamp<std::int64_t>(shift - static_cast<std::int64_t>(deltas.size()) + 1, 0, size);
  const std::int64_t to = std::clamp<std::int64_t>(shift + 1, from, size);
  double sum = 0;
  for (std::int64_t i = from; i < to; ++i) {
    sum += masses[static_cast<std::size_t>(i)] * deltas[static_cast<std::size_t>(shift - i)];
  }
  // Below the first point of a curve, the chord to 1 where exp(epsilon) is 0.
  for (std::int64_t i = to; i < size; ++i) {
    const double below = static_cast<double>(i - shift) * first_.step();
    const double delta = exp_gap_near(below) + deltas.front() * exp_approx(-below);
    sum += masses[static_cast<std::size_t>(i)] * delta;
  }
  return std::min(sum * kSum + 0x1p-1000, 1.0);
}

double TwoDraws::delta(double epsilon) const {
  check_interrupt();
  const double step = first_.step();
  const double point = std::floor(epsilon / step);
  const double most = static_cast<double>(LossGrid::kMostPoints) * 2;
  const auto lower = static_cast<std::int64_t>(std::min(point, most));
  const double here = at(lower);
  if (point >= most) return here;
  const double next = at(lower + 1);
  const double share = exp_gap_near((point + 1) * step - epsilon) / exp_gap_near(step);
  return std::min(here, more(next + more(more(here - next) * share * (1 + 0x1p-46))));
}

}  // namespace dp
