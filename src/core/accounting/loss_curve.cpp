#include "core/accounting/loss_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/measures/finite_loss_law.h"
#include "core/numeric/approx.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

constexpr int kMostBits = 24;  // points of a transform, as a power of two

double power_of_two_below(double x) {
  int exponent;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

double chernoff(const TiltedCurve& curve, double epsilon) {
  const double exponent = sub_up(curve.bound, mul_down(curve.theta, epsilon));
  return exponent < 0 ? exp_up(exponent) : 1;
}

// A delta is convex in exp(epsilon), and 1 where that is 0: below the first point of a curve the
// chord to there is an upper bound.
double chord_to_one(const TiltedCurve& curve, double step, double epsilon) {
  if (curve.deltas.empty()) return 1;
  const double first = static_cast<double>(curve.first) * step;
  const double kept = mul_down(sub_down(1.0, curve.deltas.front()), exp_down(epsilon - first));
  return std::min(sub_up(1.0, mul_down(kept, 1 - 0x1p-40)), 1.0);
}

double delta_of(const TiltedCurve& curve, double step, double epsilon) {
  const double point = std::floor(epsilon / step);
  const double index = point - static_cast<double>(curve.first);
  if (index < 0) return chord_to_one(curve, step, epsilon);
  const auto last = static_cast<double>(curve.deltas.size()) - 1;
  if (index >= last) {
    const double bound = chernoff(curve, epsilon);
    return index == last ? std::min(bound, curve.deltas.back()) : bound;
  }
  // The chord in exp(epsilon).
  const auto i = static_cast<std::size_t>(index);
  const double rest = (point + 1) * step - epsilon;
  const double share = exp_gap_near(rest) / exp_gap_near(step) * (1 + 0x1p-46);
  const double drop = curve.deltas[i] - curve.deltas[i + 1];
  return std::min(curve.deltas[i], more(curve.deltas[i + 1] + more(more(drop) * share)));
}

// Grid dimensions.
struct Resolution {
  double step;   // for the middle of the loss
  double reach;  // of one release
};

Resolution resolution_of(const std::vector<RepeatedLaw>& laws) {
  // The chord between grid points adds at most step^2 / 6 to the variance of a release and half of
  // that to its mean. The added part should be a negligible fraction of the sum's variance and
  // deviation, with enough grid points for a single release.
  constexpr double kPartOfEach = 2e-3;
  constexpr double kPartOfSum = 6e-4;
  double variance = 0;
  double releases = 0;
  double reach = 0;
  for (const RepeatedLaw& repeated : laws) {
    const LossExtent extent = repeated.law->extent();
    const auto times = static_cast<double>(repeated.times);
    variance += times * extent.deviation * extent.deviation;
    releases += times;
    reach = std::max(reach, extent.reach);
  }
  const double deviation = std::sqrt(variance);
  const double each = kPartOfEach / std::sqrt((1 + deviation / 4) * std::max(releases, 1.0));
  const double step = std::max({std::min(each, kPartOfSum) * deviation,
                                deviation * 20 * 0x1p-22,
                                reach * 0x1p-40,
                                0x1p-100});
  return {step, reach};
}

// Probability that at least one of many independent events of equal probability happens, rounded
// up.
double any_of_draws(double each, double times) {
  if (each == 0 || each >= 1) return each == 0 ? 0 : 1;
  return std::min(-expm1_down(mul_down(times, ln1p_down(-each))), 1.0);
}

// Merges equal laws and adds up their repetitions.
std::vector<RepeatedLaw> distinct(const std::vector<RepeatedLaw>& laws) {
  std::vector<RepeatedLaw> kept;
  for (const RepeatedLaw& repeated : laws) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const RepeatedLaw& other) {
      return other.law->equals(*repeated.law);
    });
    if (same == kept.end()) {
      kept.push_back(repeated);
    } else {
      same->times = add_up(same->times, repeated.times);
    }
  }
  return kept;
}

// Removes laws with few atoms from `laws` and returns their sum: the smallest laws first, while the
// sum has few atoms, too.
AtomSums take_atoms(std::vector<RepeatedLaw>& laws) {
  struct Candidate {
    RepeatedLaw repeated;
    std::vector<LossAtom> atoms;
  };
  std::vector<Candidate> candidates;
  for (const RepeatedLaw& repeated : laws) candidates.push_back({repeated, repeated.law->atoms()});
  std::stable_sort(
      candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.atoms.size() < b.atoms.size();
      });
  AtomSums sums;
  laws.clear();
  for (const Candidate& candidate : candidates) {
    const bool taken =
        !candidate.atoms.empty() && sums.add(candidate.atoms, candidate.repeated.times);
    if (!taken) laws.push_back(candidate.repeated);
  }
  return sums;
}

double draws_of(const std::vector<LossTerm>& terms) {
  double draws = 0;
  for (const LossTerm& term : terms) draws += static_cast<double>(term.times);
  return draws;
}

// Distance between tilts, in standard deviations, such that the errors of the transform, about
// 2^-46 of the highest mass for each release, are some 1e-6 of the masses halfway between two
// tilts: exp(-(stride / 2)^2 / 2) of the highest. The bound is valid for any stride.
double stride_of(const std::vector<LossTerm>& terms) {
  const double room = ln_down(1e-6 * 0x1p46 / std::max(draws_of(terms), 1.0));
  return std::clamp(std::sqrt(8 * std::max(room, 0.0)), 4.0, 7.5);
}

}  // namespace

double GridCurve::delta(double epsilon) const {
  double delta = two ? two->delta(epsilon) : 1;
  for (const TiltedCurve& curve : curves) delta = std::min(delta, delta_of(curve, step, epsilon));
  return delta;
}

double LossCurve::delta(double epsilon) const {
  if (atoms_) return atoms_->delta(epsilon);
  double least = 1;
  for (const GridCurve& grid : grids_) {
    const double delta = epsilon >= highest_ ? 0 : grid.delta(epsilon);
    least = std::min(least, more(delta + grid.infinite));
  }
  return least;
}

std::optional<GridCurve> compose_on_grid(const std::vector<RepeatedLaw>& laws,
                                         double step,
                                         double reach) {
  constexpr double kLeastLogDelta = -140;  // 1e-60
  constexpr double kMostExponent = 600;    // of one tilt across a law
  constexpr double kMostWidening = 1.25;
  constexpr int kMostTilts = 32;

  GridCurve loss;
  loss.step = step;
  std::vector<LossTerm> terms;
  double span = step;
  double highest = 0;
  for (const RepeatedLaw& repeated : laws) {
    if (repeated.times == 0) continue;
    LossGrid grid(step, std::min(repeated.law->extent().reach, reach));
    repeated.law->add_to(grid);
    grid.trim();
    const auto times = cast_up<double>(repeated.times);
    loss.infinite = either_of(loss.infinite, any_of_draws(grid.infinite(), times));
    if (grid.masses().empty()) continue;
    highest = std::max(highest, repeated.law->most());
    const double points = static_cast<double>(grid.masses().size());
    span = std::max(span, points * step);
    terms.push_back({std::move(grid), repeated.times});
  }
  if (terms.empty() || loss.infinite >= 1 || highest == 0) return loss;

  if (draws_of(terms) == 1) {
    loss.curves.push_back(untilted_curve(terms.front().grid));
    return loss;
  }
  if (draws_of(terms) == 2) {
    loss.two.emplace(terms.front().grid, terms.back().grid);
    return loss;
  }
  const double stride = stride_of(terms);
  SpectralPower spectral;
  double theta = 0;
  TiltedMoments moments = tilted_moments(terms, theta);
  for (int i = 0; i < kMostTilts; ++i) {
    auto curve = tilted_curve(terms, theta, moments, kMostBits, spectral);
    if (!curve) {
      if (loss.curves.empty()) return std::nullopt;
      break;
    }
    loss.curves.push_back(std::move(*curve));
    // Beyond this point a further tilt is better.
    const double far = moments.mean + stride / 2 * moments.deviation;
    if (moments.bound - theta * far < kLeastLogDelta) break;
    const double most = kMostExponent / span;
    if (!(moments.deviation > 0) || theta >= most) break;
    // Losses far out can spread widely. As they start to dominate, the tilts have to be closer.
    double further = std::min(stride / moments.deviation, most - theta);
    TiltedMoments next = tilted_moments(terms, theta + further);
    while (further * next.deviation > kMostWidening * stride) {
      further /= 2;
      next = tilted_moments(terms, theta + further);
    }
    theta += further;
    moments = next;
  }
  return loss;
}

namespace {

double highest_of(const std::vector<RepeatedLaw>& laws) {
  double highest = 0;
  for (const RepeatedLaw& repeated : laws) {
    highest = add_up(highest, mul_up(cast_up<double>(repeated.times), repeated.law->most()));
  }
  return std::max(highest, 0.0);
}

// Composes on a grid with a step of at least `step` that reaches all losses.
GridCurve compose_on_whole_grid(const std::vector<RepeatedLaw>& laws, double step, double reach) {
  for (;;) {
    std::optional<GridCurve> loss = compose_on_grid(laws, step, reach);
    if (loss) return std::move(*loss);
    step *= 2;
  }
}

// Grids for all parts of the loss, the finest first.
std::vector<GridCurve> compose_on_grids(const std::vector<RepeatedLaw>& laws) {
  constexpr double kMostPoints = 0x1p20;  // on either side of zero
  constexpr double kFewPoints = 0x1p17;
  const auto [wanted, reach] = resolution_of(laws);
  std::vector<GridCurve> grids;
  double step = power_of_two_below(wanted);
  if (reach > step * kMostPoints) {
    for (; reach > step * kFewPoints; step *= 4) {
      auto near = compose_on_grid(laws, step, step * kFewPoints);
      if (near) grids.push_back(std::move(*near));
    }
  }
  grids.push_back(compose_on_whole_grid(laws, step, reach));
  return grids;
}

}  // namespace

LossCurve compose_losses(const std::vector<RepeatedLaw>& listed, std::optional<double> step) {
  constexpr double kMostStep = 0x1p20;
  if (step && !(*step > 0 && *step <= kMostStep)) {
    throw Error(ErrorKind::invalid_distance, "`step` must be positive, and at most 2^20.");
  }
  std::vector<RepeatedLaw> laws = distinct(listed);
  if (!step) {
    LossCurve exact;
    const std::size_t all = laws.size();
    exact.atoms_ = take_atoms(laws);
    if (laws.empty()) return exact;
    if (laws.size() < all) laws.push_back({law_of_atoms(exact.atoms_->atoms()), 1});
  }
  LossCurve loss;
  loss.highest_ = highest_of(laws);
  if (!step) {
    loss.grids_ = compose_on_grids(laws);
    return loss;
  }
  auto grid = compose_on_grid(laws, power_of_two_below(*step), resolution_of(laws).reach);
  if (!grid) {
    throw Error(ErrorKind::invalid_distance,
                "`step` is so small that more than 2^24 points were needed.");
  }
  loss.grids_.push_back(std::move(*grid));
  return loss;
}

}  // namespace dp
