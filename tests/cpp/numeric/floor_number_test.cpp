#include "core/numeric/floor_number.h"

#include <gtest/gtest.h>

#include "core/numeric/rational.h"
#include "support/scripted_bits.h"

namespace dp::test::floor_number_test {
namespace {

template <class Word>
FloorNumber<Word> random_number(SplitMix& random) {
  constexpr unsigned kBits = FloorNumber<Word>::kBits;
  if (random() % 16 == 0) return {};
  Integer mantissa = 0;
  for (unsigned i = 0; i < kBits; i += 64) mantissa = (mantissa << 64) | Integer(random());
  // Includes values that round and carry most.
  if (random() % 4 == 0) mantissa = (Integer(1) << kBits) - 1 - random() % 3;
  mantissa |= Integer(1) << (kBits - 1);
  const auto exponent = static_cast<std::int64_t>(random() % (3 * kBits));
  return {static_cast<Word>(mantissa), exponent - static_cast<std::int64_t>(2 * kBits)};
}

template <class Word>
Rational exact(const FloorNumber<Word>& x) {
  return Rational(Integer(x.mantissa)) * power_of_two(static_cast<int>(x.exponent));
}

template <class Word>
void expect_floor_of(const Rational& real, const FloorNumber<Word>& found) {
  constexpr int kBits = static_cast<int>(FloorNumber<Word>::kBits);
  EXPECT_LE(exact(found), real);
  EXPECT_GE(exact(found), real * (1 - power_of_two(2 - kBits)));
  if (real > 0) {
    EXPECT_EQ(msb(Integer(found.mantissa)), static_cast<unsigned>(kBits - 1));
  }
}

template <class Word>
void check_operations(int times) {
  SplitMix random(7);
  for (int i = 0; i < times; ++i) {
    const auto a = random_number<Word>(random);
    const auto b = random_number<Word>(random);
    expect_floor_of(exact(a) * exact(b), a * b);
    expect_floor_of(exact(a) + exact(b), a + b);
    EXPECT_EQ(a < b, exact(a) < exact(b));
  }
}

TEST(FloorNumber, OperationsRoundDownByOneUnitAtMost) {
  check_operations<std::uint64_t>(4000);
  check_operations<FixedWord<256>>(1000);
}

TEST(FloorNumber, SpansMoreThanADouble) {
  const FloorNumber<std::uint64_t> tiny{std::uint64_t{1} << 63, -4000000000000000000};
  const FloorNumber<std::uint64_t> large{std::uint64_t{3} << 62, 4000000000000000000};
  EXPECT_EQ((tiny * large).exponent, 63);
  EXPECT_EQ((tiny + large).mantissa, large.mantissa);
  EXPECT_TRUE(tiny < large);
}

}  // namespace
}  // namespace dp::test::floor_number_test
