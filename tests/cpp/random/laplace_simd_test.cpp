#include "core/random/laplace_simd.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <vector>

#include "core/numeric/instruction_set.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"
#include "core/random/neg_log.h"
#include "support/recorded_bits.h"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace dp::laplace_simd_test {
namespace {

using Draws = std::vector<std::int64_t>;

template <class Law>
Draws fill(const Rational& scale) {
  ReplayedBits bits(51);
  Draws out(100000);
  Law(scale).fill(out.data(), out.size(), bits);
  return out;
}

const std::vector<Rational>& scales() {
  static const std::vector<Rational> list{
      Rational(1, 10), Rational(1), Rational(37, 10), Rational(100000), Rational(Integer(3) << 45)};
  return list;
}

// Draws of all scales and both laws, concatenated.
Draws all_draws() {
  Draws all;
  for (const Rational& scale : scales()) {
    const Draws laplace = fill<DiscreteLaplace>(scale);
    const Draws gaussian = fill<DiscreteGaussian>(scale);
    all.insert(all.end(), laplace.begin(), laplace.end());
    all.insert(all.end(), gaussian.begin(), gaussian.end());
  }
  return all;
}

class Lanes : public ::testing::Test {
 protected:
  void TearDown() override {
    std::fesetround(FE_TONEAREST);
    certified_slack = 0;
    force_instruction_set(available_instruction_sets().back());
  }
};

TEST_F(Lanes, EveryInstructionSetGivesTheSameDraws) {
  force_instruction_set(InstructionSet::portable);
  const Draws portable = all_draws();
  for (const InstructionSet set : available_instruction_sets()) {
    force_instruction_set(set);
    EXPECT_EQ(all_draws(), portable);
  }
}

TEST_F(Lanes, D_FLT_4_NoRoundingModeChangesADraw) {
  for (const InstructionSet set : available_instruction_sets()) {
    force_instruction_set(set);
    const Draws nearest = all_draws();
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      ASSERT_EQ(std::fesetround(mode), 0);
      const Draws other = all_draws();
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(other, nearest);
    }
  }
}

#ifdef __SSE2__
TEST_F(Lanes, D_FLT_4_FlushingSubnormalsChangesNoDraw) {
  const Draws usual = all_draws();
  const unsigned state = _mm_getcsr();
  _mm_setcsr(state | 0x8040);  // flush to zero, denormals are zero
  const Draws flushed = all_draws();
  _mm_setcsr(state);
  EXPECT_EQ(flushed, usual);
}
#endif

double share_undecided(double scale) {
  constexpr std::size_t kBlocks = 200;
  const LaplaceLanes law{scale, 0.5, 1};
  ReplayedBits bits(52);
  std::vector<std::uint64_t> words(kLaneBlock);
  std::vector<std::int64_t> drawn(kLaneBlock);
  double undecided = 0;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    bits.words(words.data(), words.size());
    laplace_lanes(law, words.data(), drawn.data(), drawn.size());
    for (const std::int64_t x : drawn) undecided += x == kUndecided;
  }
  return undecided / (kBlocks * kLaneBlock);
}

TEST_F(Lanes, LeaveAboutOneDrawInAThousandUndecided) {
  EXPECT_LT(share_undecided(3.7), 0.002);
  EXPECT_GT(share_undecided(3.7), 0.0005);
  EXPECT_LT(share_undecided(0x1p20), 0.002);
}

TEST_F(Lanes, WideMarginsLeaveEverythingUndecided) {
  certified_slack = std::uint64_t{1} << 62;
  EXPECT_EQ(share_undecided(3.7), 1.0);
}

}  // namespace
}  // namespace dp::laplace_simd_test
