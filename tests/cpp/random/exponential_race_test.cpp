#include "core/random/exponential_race.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/measurements/score_gap.h"
#include "core/numeric/rational.h"
#include "support/exact_laws.h"
#include "support/finite_laws.h"
#include "support/recorded_bits.h"

namespace dp::test::exponential_race_test {
namespace {

// Winner among runners with x = -score / scale, best first or not.
std::size_t winner(const std::vector<double>& scores, double scale, BitSource& bits) {
  const double best = *std::max_element(scores.begin(), scores.end());
  ExponentialRace race(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    race.run(i, fixed_exponent(best, scores[i], scale), bits);
  }
  return race.first([&](std::size_t i) { return exact_exponent(best, scores[i], scale); }, bits);
}

class Slack {
 public:
  explicit Slack(std::uint64_t units) { certified_slack = units; }
  ~Slack() { certified_slack = 0; }
};

// Winner in 100 digits, for uniforms with a known first word and zeros after it.
std::size_t exact_winner(const std::vector<double>& scores,
                         double scale,
                         const std::vector<std::uint64_t>& words) {
  std::vector<Wide> arrivals;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Wide u = ldexp(Wide(words[i]), -64);
    arrivals.push_back(log(Wide(-log(u))) - Wide(scores[i]) / Wide(scale));
  }
  return static_cast<std::size_t>(std::min_element(arrivals.begin(), arrivals.end()) -
                                  arrivals.begin());
}

std::vector<std::uint64_t> with_zeros(std::vector<std::uint64_t> words) {
  words.resize(words.size() + 200);
  return words;
}

const std::vector<std::vector<double>>& score_vectors() {
  static const std::vector<std::vector<double>> all = {{0, 0},
                                                       {0, 1},
                                                       {3, 0},
                                                       {1e300, -1e300},
                                                       {0, 5e-324},
                                                       {0, 45},
                                                       {70, 0},
                                                       {0, 63, 64},
                                                       {0, 0, 0, 1}};
  return all;
}

// Every combination of words in the middle of 2^6 cells. Each gives the same winner as real
// arithmetic. Together they follow the law of the exponential mechanism up to the cell size.
TEST(ExponentialRace, D_SAM_1_EnumeratedWordsGiveTheWinnerOfRealArithmetic) {
  constexpr unsigned kBits = 6;
  for (const auto& scores : {std::vector<double>{0, 0}, {0, 1}, {2, -1}}) {
    std::vector<double> wins(2);
    for (unsigned a = 0; a < 1u << kBits; ++a) {
      for (unsigned b = 0; b < 1u << kBits; ++b) {
        const std::vector<std::uint64_t> words = {(2 * std::uint64_t{a} + 1) << (63 - kBits),
                                                  (2 * std::uint64_t{b} + 1) << (63 - kBits)};
        if (scores[0] == scores[1] && a == b) {
          wins[0] += 0.5;
          wins[1] += 0.5;
          continue;
        }
        RecordedBits bits(with_zeros(words));
        const std::size_t first = winner(scores, 1, bits);
        ASSERT_EQ(first, exact_winner(scores, 1, words)) << a << " " << b;
        wins[first] += 1;
      }
    }
    const double share = 1 / (1 + std::exp(scores[1] - scores[0]));
    EXPECT_NEAR(wins[0] * std::ldexp(1.0, -2 * static_cast<int>(kBits)), share, 0.02);
  }
}

TEST(ExponentialRace, D_SAM_1_WideIntervalsGiveTheSameWinner) {
  for (const auto& scores : score_vectors()) {
    for (double scale : {1.0, 0.01, 1e300}) {
      for (std::uint64_t slack :
           {std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{1} << 55}) {
        const Slack wide(slack);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          ReplayedBits source(seed);
          std::vector<std::uint64_t> words(scores.size());
          source.words(words.data(), words.size());
          RecordedBits bits(with_zeros(words));
          EXPECT_EQ(winner(scores, scale, bits), exact_winner(scores, scale, words));
        }
      }
    }
  }
}

// Words that reveal almost nothing about the time: 0 and the largest.
TEST(ExponentialRace, D_SAM_1_ExtremeWordsAreExtended) {
  const std::uint64_t most = ~std::uint64_t{0};
  const std::vector<std::uint64_t> rest(60, std::uint64_t{1} << 63);
  const auto first = [&](const std::vector<double>& scores, std::vector<std::uint64_t> words) {
    words.insert(words.end(), rest.begin(), rest.end());
    RecordedBits bits(std::move(words));
    return winner(scores, 1, bits);
  };
  EXPECT_EQ(first({0, 0}, {0, std::uint64_t{1} << 63}), 1u);     // the first is very late
  EXPECT_EQ(first({0, 0}, {most, std::uint64_t{1} << 63}), 0u);  // and here very early
  EXPECT_EQ(first({0, 1e6}, {most, std::uint64_t{1} << 63}), 1u);
  EXPECT_EQ(first({0, 1e6}, {std::uint64_t{1} << 63, 0}), 1u);  // late, but not by so much
  EXPECT_EQ(first({0, 30}, {most, std::uint64_t{1} << 63}), 0u);
}

double race_fit(const std::vector<double>& scores, double scale, double law_scale) {
  ReplayedBits bits(31);
  std::vector<double> counts(scores.size());
  for (int i = 0; i < 60000; ++i) counts[winner(scores, scale, bits)] += 1;
  FiniteLaw law;
  Wide total = 0;
  for (double score : scores) total += law.emplace_back(exp(Wide(score) / law_scale));
  for (Wide& p : law) p /= total;
  return fit(counts, law);
}

TEST(ExponentialRace, D_SAM_2_WinnersHaveTheirLaw) {
  constexpr double kAlpha = 1e-6 / 6;
  EXPECT_GT(race_fit({0, 0, 0, 0}, 1, 1), kAlpha);
  EXPECT_GT(race_fit({3, 1, 0, 2.5, 3}, 1.5, 1.5), kAlpha);
  EXPECT_GT(race_fit({-5, 0, -1e6}, 4, 4), kAlpha);
  EXPECT_LT(race_fit({3, 1, 0, 2.5, 3}, 1.5, 1.6), kAlpha);
  const Slack wide(std::uint64_t{1} << 49);  // a hundredth of all races are close
  EXPECT_GT(race_fit({3, 1, 3}, 1.5, 1.5), kAlpha);
  EXPECT_LT(race_fit({3, 1, 3}, 1.5, 1.6), kAlpha);
}

TEST(ExponentialRace, D_CTL_4_TakesOneWordEachWhateverTheScoresAre) {
  const std::size_t n = 2000;
  std::vector<std::vector<double>> shapes(5, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    shapes[1][i] = i == 0 ? 1e6 : 0;
    shapes[2][i] = static_cast<double>(i);
    shapes[3][i] = -static_cast<double>(i);
    shapes[4][i] = i % 2 == 0 ? 0 : -1e300;
  }
  const std::uint64_t before = close_finishes;
  for (const auto& scores : shapes) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      ReplayedBits source(seed);
      std::vector<std::uint64_t> words(n);
      source.words(words.data(), n);
      RecordedBits bits(words);
      winner(scores, 1, bits);
      EXPECT_EQ(bits.used(), n);
    }
  }
  EXPECT_EQ(close_finishes, before);  // of 500000 draws none was close
}

}  // namespace
}  // namespace dp::test::exponential_race_test
