#include "random/chi_square.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

namespace dp {

IntervalLaw discrete_laplace_intervals(double scale) {
  const auto tail = [scale](double k) {  // P[X >= k], k >= 1
    return std::exp(-k / scale) / (1 + std::exp(-1 / scale));
  };
  return [tail](double lower, double upper) {
    if (upper < lower) return 0.0;
    if (lower >= 1) return tail(lower) - tail(upper + 1);
    if (upper <= -1) return tail(-upper) - tail(1 - lower);
    return 1 - tail(upper + 1) - tail(1 - lower);
  };
}

IntervalLaw discrete_gaussian_intervals(double sigma) {
  if (sigma >= 16384) {
    return [sigma](double lower, double upper) {
      const double unit = 1 / (sigma * std::sqrt(2.0));
      return 0.5 * (std::erfc((lower - 0.5) * unit) - std::erfc((upper + 0.5) * unit));
    };
  }
  const auto reach = static_cast<int>(40 * sigma + 40);
  std::vector<double> below(2 * reach + 2, 0.0);  // below[i] = sum over x < i - reach
  for (int x = -reach; x <= reach; ++x) {
    below[x + reach + 1] = below[x + reach] + std::exp(-0.5 * x * x / (sigma * sigma));
  }
  return [below, reach](double lower, double upper) {
    const double least = std::clamp<double>(lower, -reach, reach + 1);
    const double most = std::clamp<double>(upper, -reach - 1, reach);
    const double mass = below[static_cast<std::size_t>(most + reach + 1)] -
                        below[static_cast<std::size_t>(least + reach)];
    return mass / below.back();
  };
}

double Histogram::p_value(const IntervalLaw& law) const {
  const auto expected = [&](double first, double last) {
    const auto width = static_cast<double>(width_);
    const double start = std::floor(width / 2);
    return size_ * law(first * width - start, last * width - start + width - 1);
  };
  double reach = 0;
  while (expected(reach + 1, reach + 1) >= 25) ++reach;
  const double infinity = 0x1p62 / static_cast<double>(width_);

  std::map<double, double> observed;
  for (const auto& [bin, count] : count_) {
    observed[std::clamp<double>(static_cast<double>(bin), -reach - 1, reach + 1)] += count;
  }
  double statistic = 0;
  int bins = 0;
  const auto compare = [&](double first, double last, double key) {
    const double wanted = expected(first, last);
    if (wanted <= 0) return;
    const double off = observed[key] - wanted;
    statistic += off * off / wanted;
    ++bins;
  };
  for (double bin = -reach; bin <= reach; ++bin) compare(bin, bin, bin);
  compare(-infinity, -reach - 1, -reach - 1);
  compare(reach + 1, infinity, reach + 1);
  return boost::math::gamma_q(0.5 * (bins - 1), 0.5 * statistic);
}

std::int64_t bin_width(double scale) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(scale / 16));
}

}  // namespace dp
