#include "core/accounting/tilted_composition.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numeric/approx.h"
#include "core/numeric/decay.h"
#include "core/numeric/directed.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

// Log of the mass of the tilted distribution that may be outside of the window. It is accounted
// for.
constexpr double kLogOutside = -46;
constexpr double kDeviations = 9.6;  // exp(-9.6^2 / 2) = exp(kLogOutside)

double loss_at(const LossGrid& grid, std::int64_t point) {
  return static_cast<double>(point) * grid.step();
}
std::int64_t last(const LossGrid& grid) {
  return grid.first() + static_cast<std::int64_t>(grid.masses().size()) - 1;
}

// Calls visit(index, mass * exp(theta (loss - top)), loss), where `top` is the loss that makes the
// exponent at most 0. Exponentials below exp(-700) count as exp(-700): more, never less. An error
// of 2^-52 in an exponent of at most 700 is less than the slack.
template <class Visit>
double tilt(const LossGrid& grid, double theta, Visit visit) {
  check_interrupt();
  constexpr double kSlack = 1 + 0x1p-40;
  const std::size_t size = grid.masses().size();
  const Decay decay(std::fabs(theta) * grid.step(), size);
  for (std::size_t i = 0; i < size; ++i) {
    const double mass = grid.masses()[i];
    if (mass == 0) continue;
    const double loss = loss_at(grid, grid.first() + static_cast<std::int64_t>(i));
    visit(i, mass * decay.at(theta < 0 ? i : size - 1 - i) * kSlack, loss);
  }
  return loss_at(grid, theta < 0 ? grid.first() : last(grid));
}

// ln of the total of one tilted distribution, rounded up.
double log_total(double sum, double theta, double top) {
  return add_up(ln_up(sum), mul_up(theta, top));
}

struct Window {
  std::int64_t first;
  std::int64_t end;
  double outside;  // tilted mass on either side, at most
  double beyond;   // mass above, untilted
};

// Tail bound on one side of the tilted law: P[sum >= b] <= exp(K(t) - t b) for t > theta, with K(t)
// - K(theta) and t - theta; likewise below, with t < theta. Every t is valid. For a normal law the
// t of kDeviations is the best, and nearer ones suit much wider tails.
struct TailBound {
  double tilt;   // t
  double bound;  // at least K(t)
  double reach;  // where the tail is kLogOutside, as a loss; below, its negative
};

TailBound tail_bound(const std::vector<LossTerm>& terms,
                     double theta,
                     double log_scale,
                     double further) {
  const auto at = [&](double by) {
    const double bound = tilted_moments(terms, theta + by).bound;
    return TailBound{theta + by, bound, (bound - log_scale - kLogOutside) / std::fabs(by)};
  };
  TailBound best = at(further);
  for (int i = 0; i < 10; ++i) {
    further /= 2;
    const TailBound next = at(further);
    if (!(next.reach < best.reach)) break;
    best = next;
  }
  return best;
}

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
  const TailBound high = tail_bound(terms, theta, log_scale, further);
  const TailBound low = tail_bound(terms, theta, log_scale, -further);
  const auto excess_above = [&](double point) {
    return (high.bound - log_scale) - (high.tilt - theta) * point * step;
  };
  const auto excess_below = [&](double point) {
    return (low.bound - log_scale) + (theta - low.tilt) * point * step;
  };
  const double end = std::min(std::ceil(high.reach / step), highest + 1);
  const double first = std::max(std::floor(-low.reach / step), lowest);
  if (!(end - first < std::ldexp(1.0, most_bits))) return std::nullopt;

  Window window{static_cast<std::int64_t>(first), static_cast<std::int64_t>(end), 0, 0};
  const bool open_above = end <= highest;
  const bool open_below = first > lowest;
  // Adds the rounding of the exponents, which can be large and cancel.
  const auto outside = [&](double exponent, double bound) {
    return exp_up(exponent + (std::fabs(bound) + std::fabs(log_scale) + 100) * 0x1p-48);
  };
  if (open_above) window.outside += outside(excess_above(end), high.bound);
  if (open_below) window.outside += outside(excess_below(first - 1), low.bound);
  window.outside = more(window.outside);
  if (open_above) {
    const double exponent = add_up(high.bound, -mul_down(high.tilt, mul_down(end, step)));
    window.beyond = exponent < 0 ? exp_up(exponent) : 1;
  }
  return window;
}

// Turns the masses of a tilted law on the points from `first` on, each with an error of at most
// `error`, into deltas of the original law. They are sums of positive numbers:
//
//   delta one step down = (1 - exp(-step)) * (mass above it) + exp(-step) * delta.
//
// Returns the number of lowest points that add no information.
std::size_t masses_to_deltas(std::vector<double>& masses,
                             double error,
                             double beyond,
                             double first,
                             double step,
                             double theta,
                             double log_scale) {
  constexpr std::size_t kRun = 256;
  constexpr double kProducts = 1 + 0x1p-50;  // two products and a sum
  constexpr double kUnderflow = 0x1p-1000;   // of 2^24 sums of 2^24 masses
  const double gap = exp_gap_near(step) * (1 + 0x1p-46) * kProducts;
  const double shrink = exp_approx(-std::min(step, 700.0)) * (1 + 0x1p-48) * kProducts;
  const Decay decay(theta * step, kRun);
  double above = 0;
  double delta = 0;
  const auto claimed = [&] { return std::min(more(delta + beyond) + kUnderflow, 1.0); };
  std::size_t i = masses.size();
  while (i > 0 && delta < 1) {
    // Undoing the tilt takes one exponential for the lowest point of a run, and then powers of a
    // factor.
    const std::size_t lowest = (i - 1) / kRun * kRun;
    const double tilted = theta * ((first + static_cast<double>(lowest)) * step);
    const double exponent = log_scale - tilted;
    if (exponent > 650) break;
    const double rounding = (std::fabs(log_scale) + std::fabs(tilted) + 700) * 0x1p-50;
    const double weight = exp_approx(exponent) * (1 + 0x1p-46 + 2 * rounding);
    for (; i > lowest && delta < 1; --i) {
      const double mass = masses[i - 1] + error;
      masses[i - 1] = claimed();
      above = more(above + mass * (weight * decay.at(i - 1 - lowest)));
      delta = gap * above + shrink * delta;
    }
  }
  if (i == 0) return 0;
  masses[i - 1] = claimed();
  return i - 1;
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
                                        const TiltedMoments& here,
                                        int most_bits,
                                        SpectralPower& spectral) {
  // Each distribution is scaled by an approximate total; its exact value does not matter.
  std::vector<TiltedTerm> tilted;
  double log_scale = 0;
  for (const LossTerm& term : terms) {
    double total = 0;
    std::vector<double> masses(term.grid.masses().size());
    const double top = tilt(term.grid, theta, [&](std::size_t i, double mass, double) {
      masses[i] = mass;
      total += mass;
    });
    const double share = (1 + 0x1p-50) / total;
    for (double& mass : masses) mass *= share;
    log_scale =
        add_up(log_scale, mul_up(static_cast<double>(term.times), log_total(total, theta, top)));
    tilted.push_back({std::move(masses), term.grid.first(), term.times});
  }
  const std::optional<Window> window = window_of(terms, theta, log_scale, here, most_bits);
  if (!window) return std::nullopt;

  ComposedMasses composed = spectral.compose(tilted, window->first, window->end, window->outside);
  TiltedCurve curve{window->first, std::move(composed.masses), theta, here.bound};
  const std::size_t cut = masses_to_deltas(curve.deltas,
                                           composed.error,
                                           window->beyond,
                                           static_cast<double>(window->first),
                                           terms.front().grid.step(),
                                           theta,
                                           log_scale);
  curve.deltas.erase(curve.deltas.begin(), curve.deltas.begin() + static_cast<std::ptrdiff_t>(cut));
  curve.first += static_cast<std::int64_t>(cut);
  return curve;
}

TiltedCurve untilted_curve(const LossGrid& grid) {
  TiltedCurve curve{grid.first(), grid.masses(), 0, 0};
  const std::size_t cut =
      masses_to_deltas(curve.deltas, 0, 0, static_cast<double>(grid.first()), grid.step(), 0, 0);
  curve.deltas.erase(curve.deltas.begin(), curve.deltas.begin() + static_cast<std::ptrdiff_t>(cut));
  curve.first += static_cast<std::int64_t>(cut);
  return curve;
}

}  // namespace dp
