// Several positions in a row, chosen jointly by the exponential mechanism.
//
// Positions i = 0, 1, ... have ranks r_0 <= r_1 <= ..., whole numbers. Of all i_1 <= ... <= i_m one
// tuple is drawn with a probability proportional to
//
//   exp(-rate sum over j = 1, ..., m + 1 of |r(i_j) - r(i_(j-1)) - step_j|),
//
// where r(i_0) is 0 and r(i_(m+1)) is the total.
//
// The chain i_1, ..., i_m is a Markov chain. The forward pass sums in f_j(i) the weights of all
// prefixes that end in i_j = i. Because |r - r' - s| is a difference on either side of r' = r - s,
// each term is a product of a factor of i and a sum of factors of i', over a prefix of the
// positions and over a moving window. This takes O(m) operations for each position. The backward
// pass draws i_m, then i_(m-1) given i_m, and so on, each by inversion of one lazily drawn uniform.
//
// Sums are kept as floor numbers, with a known error. If this error leaves a draw open, the draw is
// repeated with the same uniforms and four times the bits. So the result is a function of the
// uniforms in real arithmetic (PROOFS.md, section 14).
//
// Source: Gillenwater, Joseph and Kulesza (2021), "Differentially Private Quantiles", for the law
// and the two passes. The windows, instead of a Fourier transform, are new here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

struct RankedPlaces {
  std::vector<std::uint64_t> ranks;  // not falling, the last at most `total`
  std::uint64_t total;               // at most 2^62, and rate * total at most 2^56
  std::vector<std::uint64_t> steps;  // m + 1 of them, each at most `total`
};

inline constexpr std::uint64_t kMostRank = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kMostRateTotal = std::uint64_t{1} << 56;

class JointChoice {
 public:
  explicit JointChoice(const Rational& rate);  // positive
  ~JointChoice();

  // The positions i_1 <= ... <= i_m. Throws overflow for a total beyond the limit.
  std::vector<std::size_t> draw(const RankedPlaces& places, BitSource& bits) const;

 private:
  struct Tables;
  Rational rate_;
  std::uint64_t most_;
  std::shared_ptr<Tables> tables_;  // of the fast draw, which the first one makes
};

#ifdef DP_TEST_HOOKS
// Number of draws of this thread that needed more bits, and number of bits of the first words that
// count as uncertain in addition to the error. Tests that need the wide path set the latter.
extern thread_local std::uint64_t wide_joint_choices;
extern thread_local std::uint64_t joint_choice_doubt;
#endif

}  // namespace dp
