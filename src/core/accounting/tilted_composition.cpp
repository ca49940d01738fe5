#include "core/accounting/tilted_composition.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/accounting/spectral_power.h"
#include "core/numeric/directed.h"
#include "core/numeric/near.h"

namespace dp {
namespace {

// What may lie outside of the window, of the tilted distribution; it is accounted for.
constexpr double kLogOutside = -46;
constexpr double kDeviations = 9.6;  // exp(-9.6^2 / 2) = exp(kLogOutside)

double loss_at(const LossGrid& grid, std::int64_t point) {
  return static_cast<double>(point) * grid.step();
}
std::int64_t last(const LossGrid& grid) {
  return grid.first() + static_cast<std::int64_t>(grid.masses().size()) - 1;
}

// Calls visit(index, mass * exp(theta (loss - top))) with `top` the loss that makes the exponent at
// most 0. Exponentials below exp(-700) count as that: more, never less. The exponent is within
// 2^-51 of its size, which is at most 700.
template <class Visit>
double tilt(const LossGrid& grid, double theta, Visit visit) {
  constexpr double kSlack = 1 + 0x1p-40;
  const double top = loss_at(grid, theta < 0 ? grid.first() : last(grid));
  for (std::size_t i = 0; i < grid.masses().size(); ++i) {
    const double mass = grid.masses()[i];
    if (mass == 0) continue;
    const double loss = loss_at(grid, grid.first() + static_cast<std::int64_t>(i));
    visit(i, mass * exp_near(theta * (loss - top)) * kSlack, loss);
  }
  return top;
}

// ln of the total of one tilted distribution, from above.
double log_total(double sum, double theta, double top) {
  return add_up(ln_up(sum), mul_up(theta, top));
}

struct Window {
  std::int64_t first;
  std::int64_t end;
  double outside;  // tilted mass on either side, at most
  double beyond;   // mass above, untilted
};

// P[sum >= b] <= exp(K(t) - t b) for t > theta, of the tilted law with K(t) - K(theta) and
// t - theta; likewise below. Any t is right; for a normal law that of kDeviations is the best.
std::optional<Window> window_of(const std::vector<LossTerm>& terms,
                                double theta,
                                double log_scale,
                                const TiltedMoments& here,
                                int most_bits) {
  const double step = terms.front().grid.step();
  double lowest = 0;
  double highest = 0;
  double span = step;
  for (const LossTerm& term : terms) {
    const double times = static_cast<double>(term.times);
    lowest += times * static_cast<double>(term.grid.first());
    highest += times * static_cast<double>(last(term.grid));
    span = std::max(span, static_cast<double>(term.grid.masses().size()) * step);
  }
  const double further = std::min(kDeviations / std::max(here.deviation, 1e-300), 650 / span);
  const double above = theta + further;
  const double below = theta - further;
  const double bound_above = tilted_moments(terms, above).bound;
  const double bound_below = tilted_moments(terms, below).bound;

  const auto excess_above = [&](double point) {
    return (bound_above - log_scale) - further * point * step;
  };
  const auto excess_below = [&](double point) {
    return (bound_below - log_scale) + further * point * step;
  };
  const double end =
      std::min(std::ceil((bound_above - log_scale - kLogOutside) / (further * step)), highest + 1);
  const double first =
      std::max(std::floor(-(bound_below - log_scale - kLogOutside) / (further * step)), lowest);
  if (!(end - first < std::ldexp(1.0, most_bits))) return std::nullopt;

  Window window{static_cast<std::int64_t>(first), static_cast<std::int64_t>(end), 0, 0};
  const bool open_above = end <= highest;
  const bool open_below = first > lowest;
  // Rounding of the exponents, which may be large and cancel, is added.
  const auto outside = [&](double exponent, double bound) {
    return exp_up(exponent + (std::fabs(bound) + std::fabs(log_scale) + 100) * 0x1p-48);
  };
  if (open_above) window.outside += outside(excess_above(end), bound_above);
  if (open_below) window.outside += outside(excess_below(first - 1), bound_below);
  window.outside = more(window.outside);
  if (open_above) {
    const double exponent = add_up(bound_above, -mul_down(above, mul_down(end, step)));
    window.beyond = exponent < 0 ? exp_up(exponent) : 1;
  }
  return window;
}

}  // namespace

TiltedMoments tilted_moments(const std::vector<LossTerm>& terms, double theta) {
  TiltedMoments all{0, 0, 0};
  double variance = 0;
  for (const LossTerm& term : terms) {
    double total = 0;
    double sum = 0;
    double squares = 0;
    const double top = tilt(term.grid, theta, [&](std::size_t, double mass, double loss) {
      total = more(total + mass);
      sum += mass * loss;
      squares += mass * loss * loss;
    });
    const double times = static_cast<double>(term.times);
    const double mean = sum / total;
    const double bound = log_total(total, theta, top);
    all.bound = add_up(all.bound, mul_up(times, bound));
    all.mean += times * mean;
    variance += times * std::max(squares / total - mean * mean, 0.0);
  }
  all.deviation = std::sqrt(variance);
  return all;
}

std::optional<TiltedCurve> tilted_curve(const std::vector<LossTerm>& terms,
                                        double theta,
                                        int most_bits) {
  const double step = terms.front().grid.step();
  const TiltedMoments here = tilted_moments(terms, theta);

  // Each distribution is scaled by some number near its total; which one does not matter.
  std::vector<TiltedTerm> tilted;
  double log_scale = 0;
  for (const LossTerm& term : terms) {
    double total = 0;
    std::vector<double> masses(term.grid.masses().size());
    const double top = tilt(term.grid, theta, [&](std::size_t i, double mass, double) {
      masses[i] = mass;
      total += mass;
    });
    for (double& mass : masses) mass = more(mass / total);
    log_scale =
        add_up(log_scale, mul_up(static_cast<double>(term.times), log_total(total, theta, top)));
    tilted.push_back({std::move(masses), term.grid.first(), term.times});
  }
  const std::optional<Window> window = window_of(terms, theta, log_scale, here, most_bits);
  if (!window) return std::nullopt;

  const ComposedMasses composed =
      compose_tilted(tilted, window->first, window->end, window->outside);

  // delta one step down is (1 - exp(-step)) times the mass above it plus exp(-step) times delta:
  // sums of positive numbers.
  TiltedCurve curve{window->first, {}, theta, here.bound};
  const std::size_t size = composed.masses.size();
  curve.deltas.resize(size);
  const double gap = exp_gap_near(step) * (1 + 0x1p-46);
  const double shrink = exp_near(-std::min(step, 700.0)) * (1 + 0x1p-48);
  double above = 0;
  double delta = 0;
  std::size_t i = size;
  for (; i > 0; --i) {
    const double point = static_cast<double>(window->first) + static_cast<double>(i) - 1;
    const double exponent = log_scale - theta * (point * step);
    const double rounding = (std::fabs(log_scale) + std::fabs(theta * point * step)) * 0x1p-50;
    curve.deltas[i - 1] = std::min(more(delta + window->beyond), 1.0);
    if (delta >= 1 || exponent > 650) break;
    const double mass = composed.masses[i - 1] + composed.error;
    above = more(above + mass * exp_near(exponent) * (1 + 0x1p-48 + 2 * rounding));
    delta = more(more(gap * above) + more(shrink * delta));
  }
  // What lies below has nothing more to tell.
  const std::size_t cut = i == 0 ? 0 : i - 1;
  curve.deltas.erase(curve.deltas.begin(), curve.deltas.begin() + static_cast<std::ptrdiff_t>(cut));
  curve.first += static_cast<std::int64_t>(cut);
  return curve;
}

}  // namespace dp
