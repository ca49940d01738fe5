#include "core/random/gaussian_ziggurat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/random/neg_log.h"
#include "core/random/uniform.h"
#include "random/chi_square.h"
#include "random/exact_reals.h"
#include "support/recorded_bits.h"

namespace dp::gaussian_ziggurat_test {
namespace {

constexpr double kAlpha = 1e-6 / 40;
constexpr std::size_t kCount = GaussianStrips::kCount;

ExactReal height_of(std::uint64_t height) { return uniform_from(height, 62); }

// exp(-z^2 / 2)
ExactReal curve(const ExactReal& z) { return (ExactReal(-0.5) * z * z).exp(); }

// ---- The strips ----

bool encloses(const RadiusBounds& radius, std::uint64_t height) {
  const ExactReal h = height_of(height);
  return h <= curve(uniform_from(radius.lower, 57)) && curve(uniform_from(radius.upper, 57)) <= h;
}

TEST(GaussianStrips, EncloseTheCurveAtRisingHeights) {
  const GaussianStrips& strips = gaussian_strips();
  for (std::size_t k = 0; k < kCount; ++k) {
    EXPECT_TRUE(encloses(strips.radius[k], strips.height[k])) << k;
    EXPECT_LT(strips.radius[k].upper - strips.radius[k].lower, 64u) << k;
    EXPECT_GT(strips.height[k], strips.floor(k)) << k;
  }
  EXPECT_EQ(strips.height.back(), std::uint64_t{1} << 62);
}

TEST(GaussianStrips, TheCheckRejectsABoundOnTheWrongSide) {
  const GaussianStrips& strips = gaussian_strips();
  RadiusBounds radius = strips.radius[100];
  radius.upper = radius.lower;
  radius.lower -= 1;
  EXPECT_FALSE(encloses(radius, strips.height[100]));
}

TEST(GaussianStrips, HaveEqualAreas) {
  const GaussianStrips& strips = gaussian_strips();
  const auto z = [&](std::size_t k) { return static_cast<double>(strips.radius[k].upper); };
  const double area =
      (z(0) + 2 * static_cast<double>(strips.halving)) * static_cast<double>(strips.rise(0));
  for (std::size_t k = 1; k < kCount; ++k) {
    EXPECT_NEAR(z(k - 1) * static_cast<double>(strips.rise(k)) / area, 1, 1e-9) << k;
  }
}

// ---- The cover contains every integer, and only points under the curve are inside ----

// First fault of the rows at sigma, or "".
std::string fault(const GaussianZiggurat& ziggurat,
                  const Rational& sigma,
                  const GaussianStrips& strips = gaussian_strips()) {
  const auto f = [&](const Integer& x) { return curve(ExactReal(x) / ExactReal(sigma)); };
  for (std::size_t k = 0; k < kCount; ++k) {
    const auto& row = ziggurat.row(k);
    const std::string where = " of strip " + std::to_string(k);
    if (row.inner > row.outer) return "the order" + where;
    if (f(row.inner) < height_of(strips.height[k])) return "the inner bound" + where;
    if (k > 0 && height_of(strips.floor(k)) < f(Integer(row.outer) + 1)) {
      return "the outer bound" + where;
    }
    const std::uint64_t tail = k == 0 ? 4 * ziggurat.tail_block() : 0;
    if (row.places != 2 * row.outer + 1 + tail) return "the places" + where;
  }
  for (int block = 0; block < 200; ++block) {
    const Integer start =
        Integer(ziggurat.row(0).outer) + 1 + Integer(block) * ziggurat.tail_block();
    if (height_of(strips.height[0]).times_power_of_two(-block) < f(start)) return "the tail";
  }
  return "";
}

const std::vector<Rational>& sigmas() {
  static const std::vector<Rational> list{Rational(1, Integer(1) << 1074),
                                          Rational(1, Integer(1) << 70),
                                          Rational(1, 10),
                                          Rational(1, 3),
                                          Rational(1, 2),
                                          Rational(1),
                                          Rational(37, 10),
                                          Rational(10),
                                          Rational(1000, 7),
                                          Rational(1000000),
                                          Rational(5000000),
                                          Rational(Integer(3) << 45),
                                          Rational((Integer(1) << 118) - 1, Integer(1) << 63)};
  return list;
}

GaussianZiggurat ziggurat_at(const Rational& sigma,
                             const GaussianStrips& strips = gaussian_strips()) {
  return GaussianZiggurat(numerator(sigma), denominator(sigma), strips);
}

TEST(GaussianZiggurat, D_SAM_1_EveryStripAndBlockCoversTheCurve) {
  for (const Rational& sigma : sigmas()) EXPECT_EQ(fault(ziggurat_at(sigma), sigma), "") << sigma;
  ReplayedBits bits(31);
  for (int i = 0; i < 30; ++i) {
    const Rational sigma(1 + bits.bits(40), 1 + bits.bits(30));
    EXPECT_EQ(fault(ziggurat_at(sigma), sigma), "") << sigma;
  }
}

TEST(GaussianZiggurat, D_SAM_1_TheCoverRejectsAnotherSigma) {
  EXPECT_NE(fault(ziggurat_at(Rational(999)), Rational(1000)), "");
  EXPECT_NE(fault(ziggurat_at(Rational(1001)), Rational(1000)), "");
}

TEST(GaussianZiggurat, WeightsFitTheirTableAndStripsAreTight) {
  for (const Rational& sigma : sigmas()) {
    Integer total = 0;
    for (const uint128_t weight : ziggurat_at(sigma).weights()) total += weight;
    EXPECT_LT(total * 256, Integer(1) << 128) << sigma;
    const auto s = static_cast<double>(sigma);
    double mass = 1;
    for (int x = 1; x < 40 * s && s < 1000; ++x) mass += 2 * std::exp(-0.5 * x * x / (s * s));
    if (s >= 1000) mass = s * std::sqrt(2 * std::acos(-1.0));
    EXPECT_LT(static_cast<double>(total) / 0x1p62, 1.07 * mass) << sigma;
  }
}

// ---- On identical bits, against MPFR ----

// Reference for fill() in real arithmetic on the words.
class Formula {
 public:
  explicit Formula(const Rational& sigma)
      : sigma_(sigma),
        ziggurat_(ziggurat_at(sigma)),
        choice_(ziggurat_.weights()),
        width_(ziggurat_.row(0).places < std::uint64_t{1} << 24 ? 32 : 64) {}

  std::vector<std::int64_t> fill(std::size_t size, std::uint64_t seed) {
    ReplayedBits bits(seed);
    std::vector<std::int64_t> out;
    while (out.size() < size) {
      const std::size_t part = std::min<std::size_t>(512, size - out.size());
      const auto strips = words_of(32, part, bits);
      const auto places = words_of(width_, part, bits);
      for (std::size_t i = 0; i < part; ++i) out.push_back(draw(strips[i], places[i], bits));
    }
    return out;
  }

 private:
  // Words of 32 or 64 bits. The lower half of a 64-bit word comes first.
  static std::vector<std::uint64_t> words_of(unsigned width, std::size_t count, BitSource& bits) {
    std::vector<std::uint64_t> words(count);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_upper = width == 32 && i % 2 == 1;
      if (!is_upper) word = bits.word();
      words[i] = is_upper ? word >> 32 : cut(word, width);
    }
    return words;
  }

  static std::uint64_t cut(std::uint64_t word, unsigned width) {
    return word & (~std::uint64_t{0} >> (64 - width));
  }

  std::int64_t draw(std::uint64_t strip_word, std::uint64_t place_word, BitSource& bits) {
    for (;; strip_word = bits.word(), place_word = cut(bits.word(), width_)) {
      const std::size_t k = choice_.choose(static_cast<std::uint32_t>(strip_word), bits);
      const auto& row = ziggurat_.row(k);
      // floor(U places). Rejects surplus words, so each place gets equally many.
      const Integer surplus = (Integer(1) << width_) % row.places;
      const Integer ones = (Integer(1) << width_) - 1;
      Integer product = Integer(place_word) * row.places;
      while ((product & ones) < surplus) product = Integer(cut(bits.word(), width_)) * row.places;
      const auto place = static_cast<std::int64_t>(product >> width_);
      const auto outer = static_cast<std::int64_t>(row.outer);
      std::int64_t x = place - outer;
      if (std::abs(x) <= static_cast<std::int64_t>(row.inner)) return x;
      unsigned halvings = 0;
      if (x > outer) {
        const auto block = static_cast<std::int64_t>(ziggurat_.tail_block());
        const std::int64_t tail = x - outer - 1;
        while (!bits_bit(halvings, bits)) ++halvings;
        x = outer + 1 + tail % block + halvings * block;
        if (tail / block % 2 == 1) x = -x;
      }
      const GaussianStrips& strips = gaussian_strips();
      const std::uint64_t height = strips.floor(k) + uniform_below(strips.rise(k), bits);
      const ExactReal point = uniform_from(height, 62 + halvings);
      if (point < curve(ExactReal(Integer(x)) / ExactReal(sigma_))) return x;
    }
  }

  // Coins of one word, starting with its lowest bit.
  bool bits_bit(unsigned index, BitSource& bits) {
    if (index % 64 == 0) coins_ = bits.word();
    return (coins_ >> (index % 64) & 1) != 0;
  }

  Rational sigma_;
  GaussianZiggurat ziggurat_;
  AliasTable choice_;
  unsigned width_;  // of the words for places
  std::uint64_t coins_ = 0;
};

std::vector<std::int64_t> fill(const Rational& sigma,
                               std::size_t size,
                               std::uint64_t seed,
                               const GaussianStrips& strips = gaussian_strips()) {
  ReplayedBits bits(seed);
  std::vector<std::int64_t> out(size);
  ziggurat_at(sigma, strips).fill(out.data(), size, bits);
  return out;
}

TEST(GaussianZiggurat, DrawsAreTheFormulaOnTheSameBits) {
  for (const Rational& sigma : sigmas()) {
    EXPECT_EQ(fill(sigma, 20000, 41), Formula(sigma).fill(20000, 41)) << sigma;
  }
}

TEST(GaussianZiggurat, TheFormulaRejectsAnotherSigma) {
  EXPECT_NE(fill(Rational(1000), 20000, 42), Formula(Rational(1001)).fill(20000, 42));
}

TEST(GaussianZiggurat, TheRareTiersGiveTheSameDraws) {
  for (const Rational& sigma : sigmas()) {
    const auto usual = fill(sigma, 5000, 43);
    for (const unsigned width : {45, 62}) {
      certified_slack = std::uint64_t{1} << width;
      const auto slow = fill(sigma, 5000, 43);
      certified_slack = 0;
      EXPECT_EQ(slow, usual) << sigma << ", " << width;
    }
  }
}

// ---- Loose strips: comparisons and rejections decide nearly everything ----

// Outer bounds that are a tenth too large. Only points at 0 are inside for certain.
GaussianStrips loose_strips() {
  GaussianStrips strips = gaussian_strips();
  for (RadiusBounds& radius : strips.radius) radius = {0, radius.upper + radius.upper / 10 + 9};
  strips.halving *= 2;
  return strips;
}

double fit(const Rational& sigma, const std::vector<std::int64_t>& draws) {
  const auto s = static_cast<double>(sigma);
  Histogram histogram(bin_width(s));
  for (const std::int64_t x : draws) histogram.add(x);
  return histogram.p_value(discrete_gaussian_intervals(s));
}

TEST(GaussianZiggurat, D_SAM_2_DrawsFromLooseStripsFitTheLaw) {
  const GaussianStrips loose = loose_strips();
  for (const Rational& sigma : {Rational(1, 2), Rational(37, 10), Rational(Integer(3) << 45)}) {
    EXPECT_EQ(fault(ziggurat_at(sigma, loose), sigma), "") << sigma;
    EXPECT_GT(fit(sigma, fill(sigma, 300000, 51, loose)), kAlpha) << sigma;
  }
}

TEST(GaussianZiggurat, D_SAM_2_TheFitRejectsStripsTooNarrow) {
  GaussianStrips narrow = gaussian_strips();
  for (RadiusBounds& radius : narrow.radius) radius.upper -= radius.upper / 40;
  EXPECT_LT(fit(Rational(100), fill(Rational(100), 1000000, 52, narrow)), kAlpha);
  EXPECT_NE(fault(ziggurat_at(Rational(100), narrow), Rational(100)), "");
}

// The lowest strips end at 0.19, and many draws come from the tail blocks.
GaussianStrips strips_with_much_tail() {
  const GaussianStrips& usual = gaussian_strips();
  std::size_t lowest = 0;
  while (usual.height[lowest] < std::uint64_t{3} << 58) ++lowest;
  GaussianStrips strips = usual;
  for (std::size_t k = 0; k <= lowest; ++k) {
    strips.height[k] = usual.height[lowest] - (lowest - k);
    strips.radius[k] = {usual.radius[lowest].lower, usual.radius[lowest].upper + 999};
  }
  strips.halving = std::uint64_t{1} << 57;  // ln 2 / z < 1 where z > ln 2
  return strips;
}

TEST(GaussianZiggurat, D_SAM_2_DrawsThroughMuchTailFitTheLaw) {
  const GaussianStrips strips = strips_with_much_tail();
  for (const Rational& sigma : {Rational(1, 2), Rational(37, 10), Rational(Integer(3) << 45)}) {
    EXPECT_EQ(fault(ziggurat_at(sigma, strips), sigma, strips), "") << sigma;
    EXPECT_GT(fit(sigma, fill(sigma, 300000, 53, strips)), kAlpha) << sigma;
  }
}

// ---- The far tail ----

// Words of a draw on the right, in the first place of a tail block, at a height from 0 to all bits.
std::vector<std::uint64_t> words_of_tail_draw(const GaussianZiggurat& ziggurat, unsigned block) {
  const AliasTable choice(ziggurat.weights());
  std::uint32_t strip_word = 0;
  while (choice.pick(strip_word).outcome != 0) ++strip_word;
  const auto& row = ziggurat.row(0);
  // Middle of the words that map to place 2 outer + 1, for places in half words or whole words.
  const unsigned width = row.places < std::uint64_t{1} << 24 ? 32 : 64;
  const Integer place_word = (Integer(4 * row.outer + 3) << (width - 1)) / row.places;
  std::vector<std::uint64_t> words{strip_word, static_cast<std::uint64_t>(place_word)};
  words.insert(words.end(), block / 64, 0);
  words.push_back(std::uint64_t{1} << block % 64);
  words.push_back(256);  // the least height; 0 would be drawn again
  words.insert(words.end(), 1000, 0);
  return words;
}

TEST(GaussianZiggurat, ABlockOfTheTailIsDecidedAtAnyPrecision) {
  const GaussianZiggurat ziggurat = ziggurat_at(Rational(1));
  for (const unsigned block : {0u, 3u, 63u, 64u, 70u}) {
    RecordedBits bits(words_of_tail_draw(ziggurat, block));
    std::int64_t x = 0;
    ziggurat.fill(&x, 1, bits);
    const std::uint64_t start = ziggurat.row(0).outer + 1;
    EXPECT_EQ(x, static_cast<std::int64_t>(start + block * ziggurat.tail_block())) << block;
  }
}

TEST(GaussianZiggurat, ADrawBeyond64BitsIsAnOverflow) {
  const GaussianZiggurat ziggurat = ziggurat_at(Rational((Integer(1) << 55) - 1));
  RecordedBits bits(words_of_tail_draw(ziggurat, 1400));  // each block a fifth of sigma
  std::int64_t x = 0;
  try {
    ziggurat.fill(&x, 1, bits);
    FAIL() << x;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
  }
}

}  // namespace
}  // namespace dp::gaussian_ziggurat_test
