#include "core/accounting/atom_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/measures/loss_grid.h"
#include "core/numeric/approx.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

// Smaller masses are raised to this, so that products of masses do not underflow.
constexpr double kLeastAtom = 0x1p-950;

// Covers a gap of 32 u and a product.
constexpr double kGapSlack = 1 + 0x1p-46;

// A total order, so that equal losses are sorted in the same order by every library: sums of masses
// are rounded.
bool is_lower(const LossAtom& a, const LossAtom& b) {
  return a.loss != b.loss ? a.loss < b.loss : a.mass < b.mass;
}

// Merges atoms whose losses are equal up to rounding. `atoms` are in order.
std::vector<LossAtom> merged(const std::vector<LossAtom>& atoms) {
  std::vector<LossAtom> kept;
  double reach = 0;
  for (const LossAtom& atom : atoms) {
    if (!kept.empty() && atom.loss <= reach) {
      kept.back().mass = more(kept.back().mass + atom.mass);
      kept.back().loss = atom.loss;
    } else {
      kept.push_back(atom);
      reach = atom.loss + AtomSums::kSameLoss * std::max(std::fabs(atom.loss), 1.0);
    }
  }
  return kept;
}

// A law, with its infinite losses kept separately.
struct Sum {
  std::vector<LossAtom> atoms;
  double infinite;
};

std::optional<Sum> sum_of(const Sum& first, const Sum& second) {
  const std::size_t products = first.atoms.size() * second.atoms.size();
  if (products > AtomSums::kMostProducts) return std::nullopt;
  std::vector<LossAtom> all;
  all.reserve(products);
  for (const LossAtom& a : first.atoms) {
    for (const LossAtom& b : second.atoms) {
      all.push_back({std::max(more(a.mass * b.mass), kLeastAtom), add_up(a.loss, b.loss)});
    }
  }
  std::sort(all.begin(), all.end(), is_lower);
  Sum sum{merged(all), either_of(first.infinite, second.infinite)};
  if (sum.atoms.size() > AtomSums::kMostAtoms) return std::nullopt;
  return sum;
}

Sum split(const std::vector<LossAtom>& atoms) {
  Sum sum{{}, 0};
  for (const LossAtom& atom : atoms) {
    if (std::isinf(atom.loss)) {
      sum.infinite = more(sum.infinite + atom.mass);
    } else {
      sum.atoms.push_back(atom);
    }
  }
  sum.infinite = std::min(sum.infinite, 1.0);
  std::sort(sum.atoms.begin(), sum.atoms.end(), is_lower);
  sum.atoms = merged(sum.atoms);
  return sum;
}

}  // namespace

double either_of(double a, double b) {
  return std::min(add_up(a, mul_up(b, std::max(sub_up(1.0, a), 0.0))), 1.0);
}

// Adds by repeated squaring, one sum for each binary digit of `times`.
bool AtomSums::add(const std::vector<LossAtom>& atoms, std::uint64_t times) {
  Sum total{atoms_, infinite_};
  std::optional<Sum> power = split(atoms);
  for (std::uint64_t rest = times; rest > 0; rest /= 2) {
    if (rest % 2 == 1) {
      std::optional<Sum> next = sum_of(total, *power);
      if (!next) return false;
      total = std::move(*next);
    }
    if (rest > 1) power = sum_of(*power, *power);
    if (!power) return false;
  }
  atoms_ = std::move(total.atoms);
  infinite_ = total.infinite;
  return true;
}

// Only positive numbers are added, so no digit cancels.
double AtomSums::delta(double epsilon) const {
  double delta = infinite_;
  for (auto atom = atoms_.rbegin(); atom != atoms_.rend() && atom->loss > epsilon; ++atom) {
    const double gap = exp_gap_near(sub_up(atom->loss, epsilon)) * kGapSlack;
    delta = more(delta + more(atom->mass * gap));
  }
  return std::min(delta, 1.0);
}

std::vector<LossAtom> AtomSums::atoms() const {
  std::vector<LossAtom> all = atoms_;
  if (infinite_ > 0) all.push_back({infinite_, std::numeric_limits<double>::infinity()});
  return all;
}

}  // namespace dp
