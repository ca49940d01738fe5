// Privacy-loss distributions: everything that composition needs to know about a mechanism.
//
// Let P and Q be the laws of a release on two datasets. The privacy loss of an outcome y is ln(P[y]
// / Q[y]). With Y drawn from P, the law of the loss says for every epsilon how close P and Q are:
//
//   delta(epsilon) = E max(0, 1 - exp(epsilon - loss)).
//
// Losses of independent releases add up, so laws compose by convolution. A pair that dominates all
// pairs of neighbours (its delta is nowhere below theirs) represents the mechanism, even if later
// releases are chosen after earlier ones.
//
// Source: Sommer, Meiser and Mohammadi (2019), "Privacy Loss Classes: The Central Limit Theorem in
// Differential Privacy"; Zhu, Dong and Wang (2022), "Optimal Accounting of Differential Privacy via
// Characteristic Function", for dominating pairs and adaptivity.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/metrics/distance.h"

namespace dp {

class LossGrid;

// Extent of a law. It only guides the choice of a grid, so a bad guess is harmless.
struct LossExtent {
  double deviation;  // standard deviation
  double reach;      // largest magnitude of a finite loss
};

// A mass and its loss, which may be infinite, or numbers at or above them.
struct LossAtom {
  double mass;
  double loss;
};

class LossLaw {
 public:
  virtual ~LossLaw() = default;
  virtual LossExtent extent() const = 0;

  // At least the largest finite loss.
  virtual double most() const = 0;

  // All of the law, where it consists of few atoms; else nothing.
  virtual std::vector<LossAtom> atoms() const { return {}; }

  // Adds to `grid` masses that are together at or above the law: some outcomes may weigh more, and
  // some lose more, than they really do.
  virtual void add_to(LossGrid& grid) const = 0;

  // Whether `other` is known to be the same on every grid, so that one can replace both.
  virtual bool equals(const LossLaw& other) const { return this == &other; }
};

// Largest number of atoms that counts as "few".
constexpr double kMostLossAtoms = 0x1p11;

// Base of laws that are determined by their parameters().
template <class Law>
bool has_same_parameters(const Law& law, const LossLaw& other) {
  const auto* same = dynamic_cast<const Law*>(&other);
  return same != nullptr && same->parameters() == law.parameters();
}

using LossLawPtr = std::shared_ptr<const LossLaw>;

// The laws of a pair (P, Q) and of (Q, P), which are equal if adding and removing a row have the
// same loss; `times` independent releases of it. If they differ, `forward` is for datasets whose
// first has one more row, `backward` for the others. Pairs of several releases are composed in each
// direction separately. So an operation that can swap directions, such as a transformation, must
// make both equal first: symmetric_pair() (accounting/pld.h).
struct LossPair {
  LossLawPtr forward;
  LossLawPtr backward;
  std::uint64_t times = 1;
};

// d_in to independent pairs that together dominate a measurement on any two datasets at most d_in
// apart. Empty where only the privacy map is known.
using LossMap = std::function<std::vector<LossPair>(const Distance&)>;

}  // namespace dp
