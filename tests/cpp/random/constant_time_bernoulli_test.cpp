#include "core/random/constant_time_bernoulli.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random/enumeration.h"
#include "random/laws.h"
#include "support/expect_error.h"
#include "support/recorded_bits.h"

namespace dp::constant_time_bernoulli_test {
namespace {

TEST(ConstantTimeBernoulli, D_SAM_1_EnumeratedMassIsTheBias) {
  for (int k = 0; k <= 64; ++k) {
    const double p = k / 64.0;
    const ConstantTimeBernoulli coin(p);
    const Enumeration found =
        enumerate(10, [&](BitSource& bits) { return Integer(coin.draw(bits) ? 1 : 0); });
    // An all-zero string selects only bits of p after its last set bit, and those are zero.
    EXPECT_EQ(found.unresolved, 0u) << p;
    EXPECT_EQ(contradiction(found, bernoulli_law(p), 0, 1), "") << p;
  }
}

TEST(ConstantTimeBernoulli, D_SAM_1_TheCheckRejectsANeighbouringBias) {
  const ConstantTimeBernoulli coin(20 / 64.0);
  const Enumeration found =
      enumerate(10, [&](BitSource& bits) { return Integer(coin.draw(bits) ? 1 : 0); });
  EXPECT_NE(contradiction(found, bernoulli_law(21 / 64.0), 0, 1), "");
}

// Serves `zeros` zeros, then ones.
class ZerosThenOnes final : public BitSource {
 public:
  explicit ZerosThenOnes(unsigned zeros) : BitSource(&own_), zeros_(zeros) {}
  std::uint64_t bits(unsigned count) override {
    std::uint64_t out = 0;
    // The first bit of a flip is the highest requested bit.
    for (unsigned i = 0; i < count; ++i) out = out << 1 | (served_++ >= zeros_ ? 1 : 0);
    return out;
  }
  unsigned served() const { return served_; }

 protected:
  std::size_t supply(std::uint64_t*) override { return 0; }

 private:
  Stock own_{};
  unsigned zeros_;
  unsigned served_ = 0;
};

TEST(ConstantTimeBernoulli, ReadsTheBitOfTheBiasAtTheFirstOneOfTheStream) {
  for (double p : {5e-324,
                   0x1p-1073 + 5e-324,
                   0.1,
                   1 / 3.0,
                   0x1p-1000,
                   0x1p-65 + 0x1p-100,
                   0.999,
                   0x1.8p-1022}) {
    const ConstantTimeBernoulli coin(p);
    for (unsigned zeros = 0; zeros < 1080; ++zeros) {
      ZerosThenOnes bits(zeros);
      const double shifted = std::floor(std::ldexp(p, static_cast<int>(zeros) + 1));
      const bool expected = zeros < 1074 && std::fmod(shifted, 2) == 1;
      EXPECT_EQ(coin.draw(bits), expected) << p << ' ' << zeros;
      EXPECT_EQ(bits.served(), coin.cost());
    }
  }
  EXPECT_EQ(ConstantTimeBernoulli(5e-324).cost(), 1074u);
}

TEST(ConstantTimeBernoulli, IsCertainAtTheEnds) {
  ReplayedBits bits(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(ConstantTimeBernoulli(1).draw(bits));
    EXPECT_FALSE(ConstantTimeBernoulli(0).draw(bits));
  }
}

TEST(ConstantTimeBernoulli, RefusesWhatIsNoProbability) {
  for (double p : {-0.1, 1.1, std::nan("")}) {
    test::expect_error(ErrorKind::failed_function, [p] { ConstantTimeBernoulli coin(p); });
  }
}

}  // namespace
}  // namespace dp::constant_time_bernoulli_test
