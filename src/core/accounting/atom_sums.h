// Sums of independent losses with few atoms, each on its own loss.
//
// A grid moves the atoms of a law, so its delta exceeds the truth by more than rounding. Sums of a
// few laws with few atoms have few distinct atoms: k draws of d + 1 equidistant losses have k d +
// 1. They are listed, with masses and losses rounded up.
//
// Two roundings of one loss differ by about 2^-52. Losses within kSameLoss of each other, relative
// to the larger of 1 and the loss, become one atom at the highest of them: more loss, so no less
// delta.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/measures/loss_law.h"

namespace dp {

// a + b - a b, rounded up: the probability that one of two independent things happens.
double either_of(double a, double b);

class AtomSums {
 public:
  static constexpr double kSameLoss = 0x1p-44;
  static constexpr std::size_t kMostAtoms = std::size_t{1} << 15;
  static constexpr std::size_t kMostProducts = std::size_t{1} << 21;

  AtomSums() : atoms_{{1, 0}} {}

  // Adds `times` draws of the law of `atoms`, which may include infinite losses. Returns false, and
  // adds nothing, if there would be too many atoms.
  bool add(const std::vector<LossAtom>& atoms, std::uint64_t times);

  // An upper bound of the delta of the sum at `epsilon`, at most 1.
  double delta(double epsilon) const;

  // All atoms. The mass of infinite losses is the last.
  std::vector<LossAtom> atoms() const;

 private:
  std::vector<LossAtom> atoms_;  // finite, in order
  double infinite_ = 0;
};

}  // namespace dp
