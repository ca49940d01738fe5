#include "core/random/inversion.h"

#include <gtest/gtest.h>

#include <string>

#include "random/enumeration.h"
#include "random/exact_reals.h"
#include "random/laws.h"
#include "support/recorded_bits.h"

namespace dp::inversion_test {
namespace {

using Magnitude = std::function<std::uint64_t(std::uint64_t word, BitSource& bits)>;

// Enumerates the first 20 bits of U. The magnitude falls as U grows, so an outcome at both ends of
// an interval has its whole mass.
Enumeration enumerate_inversion(const Magnitude& magnitude) {
  constexpr unsigned kLength = 20;
  Enumeration result;
  result.length = kLength;
  ReplayedBits bits(101);
  for (std::uint64_t prefix = 0; prefix < std::uint64_t{1} << kLength; ++prefix) {
    const std::uint64_t least = prefix << (64 - kLength);
    const std::uint64_t most = least | ((std::uint64_t{1} << (64 - kLength)) - 1);
    const std::uint64_t at_least = magnitude(most, bits);
    if (prefix != 0 && magnitude(least, bits) == at_least) {
      ++result.mass[at_least];
    } else {
      ++result.unresolved;
    }
  }
  return result;
}

std::string check(const Inversion& inversion, const Law& law) {
  const auto magnitude = [&](std::uint64_t w, BitSource& b) { return inversion.magnitude(w, b); };
  return contradiction(enumerate_inversion(magnitude), law, 0, 20);
}

Law folded_law(double scale) {
  const Law law = discrete_laplace_law(scale);
  return [law](const Integer& x) { return x == 0 ? law(0) : 2 * law(x); };
}

TEST(Inversion, D_SAM_1_EnumeratedMassNeverExceedsTheLaw) {
  for (const auto& [a, b] : {std::pair{1, 3}, {1, 2}, {1, 1}, {3, 2}, {5, 1}, {1000, 7}}) {
    const double s = static_cast<double>(a) / b;
    EXPECT_EQ(check(Inversion(a, b, Inversion::Law::geometric), geometric_law(1 / s)), "") << s;
    EXPECT_EQ(check(Inversion(a, b, Inversion::Law::folded), folded_law(s)), "") << s;
  }
}

TEST(Inversion, D_SAM_1_TheEnumerationRejectsMutants) {
  const Inversion geometric(1, 1, Inversion::Law::geometric);
  EXPECT_NE(check(geometric, folded_law(1)), "");
  EXPECT_NE(check(Inversion(95, 100, Inversion::Law::geometric), geometric_law(1)), "");
  EXPECT_NE(check(Inversion(100001, 100000, Inversion::Law::geometric), geometric_law(1)), "");
}

// If the first word equals the first 63 bits of P[M >= k], the following bits decide.
TEST(Inversion, TheStepToEveryMagnitudeIsWhereTheLawPutsIt) {
  for (const auto& [a, b] : {std::pair{1, 2}, {37, 10}, {100001, 3}}) {
    const ExactReal s = ExactReal(Integer(a)) / ExactReal(Integer(b));
    const ExactReal p = (ExactReal(-1.0) / s).exp();
    for (const Inversion::Law law : {Inversion::Law::geometric, Inversion::Law::folded}) {
      const Inversion inversion(a, b, law);
      for (std::uint64_t k = 1; k <= 20; ++k) {
        ExactReal reached = (ExactReal(0.0) - ExactReal(Integer(k)) / s).exp();
        if (law == Inversion::Law::folded) reached = reached * 2.0 / (ExactReal(1.0) + p);
        const std::uint64_t step = reached.times_power_of_two(63).floor();
        // Lowest and highest of all uniforms that start with these 63 bits.
        const auto lowest = [&](std::uint64_t prefix) {
          RecordedBits zeros{0};
          return inversion.magnitude(prefix << 1, zeros);
        };
        const auto highest = [&](std::uint64_t prefix) {
          RecordedBits ones{~std::uint64_t{0}};
          return inversion.magnitude(prefix << 1, ones);
        };
        EXPECT_GE(highest(step - 1), k);
        EXPECT_GE(lowest(step), k);
        EXPECT_LT(highest(step), k);
        EXPECT_LT(lowest(step + 1), k);
      }
    }
  }
}

TEST(Inversion, ManyLeadingZerosAreReadOn) {
  const Inversion inversion(1, 1, Inversion::Law::geometric);
  // U = 2^-127 (1 + a little): -ln U = 88.03 - a little.
  RecordedBits bits{1, 1};
  EXPECT_EQ(inversion.magnitude(0, bits), 88u);
}

TEST(Inversion, TheLowestBitOfTheWordIsNotPartOfU) {
  const Inversion inversion(1000, 7, Inversion::Law::folded);
  ReplayedBits words(102);
  RecordedBits none({});
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t word = words.word();
    EXPECT_EQ(inversion.magnitude(word, none), inversion.magnitude(word ^ 1, none));
  }
}

}  // namespace
}  // namespace dp::inversion_test
