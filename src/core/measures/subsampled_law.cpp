#include "core/measures/subsampled_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/numeric/approx.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kLeastLoss = -40;
constexpr double kMostLoss = 600;

// A product of an exponential of 8 u with two others, and of a sum of such.
constexpr double kMassSlack = 1 + 0x1p-47;

std::vector<LossAtom> atoms_of(const LossLaw& law) {
  std::vector<LossAtom> atoms = law.atoms();
  if (!atoms.empty()) return atoms;
  const LossExtent extent = law.extent();
  int exponent;
  std::frexp(std::max({extent.deviation * 0x1p-13, extent.reach * 0x1p-20, 0x1p-100}), &exponent);
  LossGrid grid(std::ldexp(1.0, exponent - 1), extent.reach);
  law.add_to(grid);
  auto point = static_cast<double>(grid.first());
  for (const double mass : grid.masses()) {
    if (mass > 0) atoms.push_back({mass, point * grid.step()});
    ++point;
  }
  if (grid.infinite() > 0) atoms.push_back({grid.infinite(), kEndless});
  return atoms;
}

// ln(1 - q + q e^l) within `error`, which is at least 45 u of the number added to 1 over the sum,
// and 16 u of the logarithm.
struct Near {
  double value;
  double error;
};

Near mixed_loss(double q, double l) {
  const double excess = l > 0 ? exp_approx(l) * exp_gap_near(l) : -exp_gap_near(-l);
  const double x = q * excess;
  if (!(1 + x > 0x1p-40)) return {0, kEndless};  // bounds stand in
  const double value = ln1p_near(x);
  return {value, 0x1p-46 * (std::fabs(x) / (1 + x) + std::fabs(value)) + 0x1p-1000};
}

// A sum that keeps what each addition rounds away, so that its error is 2 u of it (Kahan).
class KahanSum {
 public:
  void add(double x) {
    const double kept = x - lost_;
    const double next = sum_ + kept;
    lost_ = (next - sum_) - kept;
    sum_ = next;
  }
  double value() const { return sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

// An atom above 0 of the law of ((1 - q) Q + q P, Q).
LossAtom mixed_atom(const LossAtom& atom, double q) {
  if (atom.loss > kMostLoss) return {mul_up(q, atom.mass), kEndless};
  const double other = atom.mass * exp_approx(-atom.loss);
  const Near near = mixed_loss(q, atom.loss);
  return {(q * atom.mass + sub_up(1.0, q) * other) * kMassSlack,
          std::min(near.value + near.error, std::max(atom.loss, 0.0))};
}

// The loss law of removing a row.
LossLawPtr removal_law(const std::vector<LossAtom>& atoms, double q) {
  const double least = ln1p_up(-q);
  const double kept = sub_up(1.0, q);
  std::vector<LossAtom> mixed;
  KahanSum without;
  for (const LossAtom& atom : atoms) {
    const LossAtom held{atom.mass, std::max(atom.loss, kLeastLoss)};
    mixed.push_back(mixed_atom(held, q));
    if (held.loss <= kMostLoss) without.add(held.mass * exp_approx(-held.loss));
  }
  const double missing = sub_up(1.0, without.value() / kMassSlack);
  if (missing > 0) mixed.push_back({mul_up(kept, missing), least});
  return law_of_atoms(mixed);
}

// The loss law of adding a row.
LossLawPtr addition_law(const std::vector<LossAtom>& atoms, double q) {
  const double most = -ln1p_down(-q);
  std::vector<LossAtom> mixed;
  for (const LossAtom& atom : atoms) {
    const double loss = std::max(atom.loss, -kMostLoss);
    if (loss > kMostLoss) {
      mixed.push_back({atom.mass, most});
      continue;
    }
    const Near near = mixed_loss(q, -loss);
    mixed.push_back({atom.mass, std::min(near.error - near.value, most)});
  }
  return law_of_atoms(mixed);
}

// The loss law of replacing a row.
LossLawPtr replacement_law(const std::vector<LossAtom>& atoms, double q) {
  std::vector<LossAtom> mixed;
  KahanSum total;
  for (const LossAtom& atom : atoms) {
    if (!(atom.loss > 0)) continue;
    const LossAtom above = mixed_atom(atom, q);
    mixed.push_back(above);
    total.add(above.mass);
    if (above.loss > kMostLoss) continue;
    const LossAtom image{above.mass * exp_approx(-above.loss) * kMassSlack, -above.loss};
    mixed.push_back(image);
    total.add(image.mass);
  }
  const double missing = sub_up(1.0, total.value() / kMassSlack / kMassSlack);
  if (missing > 0) mixed.push_back({missing, 0});
  return law_of_atoms(mixed);
}

}  // namespace

LossPair subsampled_pair(const LossLaw& inner, double q) {
  const std::vector<LossAtom> atoms = atoms_of(inner);
  return {removal_law(atoms, q), addition_law(atoms, q)};
}

LossPair replaced_pair(const LossLaw& inner, double q) {
  const LossLawPtr law = replacement_law(atoms_of(inner), q);
  return {law, law};
}

}  // namespace dp
