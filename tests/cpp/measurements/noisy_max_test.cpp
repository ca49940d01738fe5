#include "core/measurements/noisy_max.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "core/random/bit_source.h"
#include "core/random/exponential_race.h"
#include "core/random/neg_log.h"
#include "measurements/noise_support.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::noisy_max_test {
namespace {

const Measure kMax = max_divergence();
const Measure kZcdp = zero_concentrated_divergence();

Metric linf(AtomType type, bool monotonic = false) { return linf_distance(type, monotonic); }

Measurement noisy_max(AtomType type, const Measure& measure, double scale, bool negate = false) {
  return make_noisy_max(vectors(type), linf(type), measure, scale, negate);
}

template <class T>
std::size_t winner(const Measurement& selection, const std::vector<T>& scores) {
  const AtomType type = row_domain(selection.input_domain()).atom.type;
  return static_cast<std::size_t>(element_in<double>(selection.invoke(make_column(type, scores))));
}

template <class T>
std::vector<std::uint64_t> ranking(const Measurement& selection, const std::vector<T>& scores) {
  const AtomType type = row_domain(selection.input_domain()).atom.type;
  const Value out = selection.invoke(make_column(type, scores));
  EXPECT_EQ(rows_in(out)->type(), AtomType::usize);
  BatchBuffer buffer;
  const std::size_t n = rows_in(out)->size();
  const auto* cells = rows_in(out)->read(0, n, buffer).as<std::uint64_t>();
  return {cells, cells + n};
}

TEST(NoisyMax, AgreesWithEveryRowOfTheOracle) {
  const auto expect = [](const OracleRow& row) {
    const Metric metric =
        linf(AtomType::f64, row.arg("metric")->find("monotonic") != std::string::npos);
    const Measure measure = parse_measure(*row.arg("output_measure"));
    const double scale = oracle_number(*row.arg("scale"));
    const Measurement selection =
        row.arg("k")
            ? make_noisy_top_k(
                  vectors(AtomType::f64), metric, measure, std::stoull(*row.arg("k")), scale)
            : make_noisy_max(vectors(AtomType::f64), metric, measure, scale);
    EXPECT_EQ(loss(selection, oracle_number(row.d_in)), oracle_number(row.d_out)) << row.args;
  };
  const auto max_rows = oracle_rows("make_noisy_max");
  const auto top_rows = oracle_rows("make_noisy_top_k");
  ASSERT_EQ(max_rows.size(), 6u);
  ASSERT_EQ(top_rows.size(), 10u);
  for (const OracleRow& row : max_rows) expect(row);
  for (const OracleRow& row : top_rows) expect(row);
}

// Law of the exponential mechanism, by its formula.
FiniteLaw exponential_law(const std::vector<int>& scores, Wide scale) {
  FiniteLaw law;
  Wide total = 0;
  for (int score : scores) total += law.emplace_back(exp(score / scale));
  for (Wide& p : law) p /= total;
  return law;
}

// Law of permute-and-flip, by its definition: all orders, and the coins of each order in turn.
FiniteLaw permute_and_flip_law(const std::vector<int>& scores, Wide scale) {
  const int best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  FiniteLaw law(scores.size());
  int orders = 0;
  do {
    ++orders;
    Wide reached = 1;
    for (std::size_t i : order) {
      const Wide p = exp((scores[i] - best) / scale);
      law[i] += reached * p;
      reached *= 1 - p;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  for (Wide& p : law) p /= orders;
  return law;
}

using LawOf = FiniteLaw (*)(const std::vector<int>&, Wide);

// Every score vector in {-2, ..., 2}^3.
std::vector<std::vector<int>> all_scores() {
  std::vector<std::vector<int>> all;
  for (int a = -2; a <= 2; ++a) {
    for (int b = -2; b <= 2; ++b) {
      for (int c = -2; c <= 2; ++c) all.push_back({a, b, c});
    }
  }
  return all;
}

// Largest loss between score vectors at distance 1 under the law, in the measure's unit.
Wide worst_loss(LawOf law_of, const Measure& measure, bool monotonic, bool negate, double scale) {
  std::vector<FiniteLaw> laws;
  const auto all = all_scores();
  for (std::vector<int> scores : all) {
    if (negate) {
      for (int& score : scores) score = -score;
    }
    laws.push_back(law_of(scores, scale));
  }
  // Moving all scores together does not change the laws, so each pair of laws is compared once.
  std::set<std::array<int, 4>> compared;
  Wide worst = 0;
  for (std::size_t x = 0; x < all.size(); ++x) {
    for (std::size_t y = 0; y < all.size(); ++y) {
      int least = 0, greatest = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        least = std::min(least, all[x][i] - all[y][i]);
        greatest = std::max(greatest, all[x][i] - all[y][i]);
      }
      if (std::max(-least, greatest) > 1 || (monotonic && least < 0 && greatest > 0)) continue;
      const auto &a = all[x], &b = all[y];
      if (!compared.insert({a[1] - a[0], a[2] - a[0], b[1] - b[0], b[2] - b[0]}).second) continue;
      worst = std::max(
          worst,
          measure == kMax ? max_divergence_of(laws[x], laws[y]) : least_rho_of(laws[x], laws[y]));
    }
  }
  return worst;
}

double claim(const Measure& measure, bool monotonic, double scale) {
  return loss(
      make_noisy_max(vectors(AtomType::i32), linf(AtomType::i32, monotonic), measure, scale), 1);
}

TEST(NoisyMax, D_EPS_2_NoPairOfScoreVectorsLosesMoreThanTheClaim) {
  for (double scale : {0.7, 2.0}) {
    for (bool monotonic : {false, true}) {
      const bool negate = monotonic;
      EXPECT_LE(worst_loss(permute_and_flip_law, kMax, monotonic, negate, scale),
                claim(kMax, monotonic, scale) + slack());
      EXPECT_LE(worst_loss(exponential_law, kZcdp, monotonic, negate, scale),
                claim(kZcdp, monotonic, scale) + slack());
    }
  }
}

TEST(NoisyMax, D_EPS_2_TheCheckRejectsLessNoiseAndTheWrongLaw) {
  EXPECT_GT(worst_loss(permute_and_flip_law, kMax, false, false, 0.9), claim(kMax, false, 1));
  EXPECT_GT(worst_loss(permute_and_flip_law, kMax, false, false, 1), claim(kMax, true, 1));
  EXPECT_GT(worst_loss(exponential_law, kZcdp, false, false, 0.6), claim(kZcdp, false, 1));
  // Permute-and-flip loses more than epsilon^2 / 8, because its log-ratios span twice the range.
  EXPECT_GT(worst_loss(permute_and_flip_law, kZcdp, false, false, 1), claim(kZcdp, false, 1));
}

constexpr int kDraws = 30000;
constexpr double kAlpha = 1e-6 / 40;

template <class T>
double winner_fit(const Measurement& selection,
                  const std::vector<T>& scores,
                  const FiniteLaw& law) {
  ReplayedBits bits(23);
  const ScopedBitSource scope(bits);
  std::vector<double> counts(scores.size());
  for (int i = 0; i < kDraws; ++i) counts[winner(selection, scores)] += 1;
  return fit(counts, law);
}

const std::vector<int> kScores[] = {{0, 1, 2}, {2, 2, -1, 2}, {5}, {-3, 0}, {0, 0, 9, 8, 8}};

TEST(NoisyMax, WinnersHaveTheirLaw) {
  for (const auto& scores : kScores) {
    const std::vector<double> doubles(scores.begin(), scores.end());
    std::vector<int> negated(scores);
    for (int& score : negated) score = -score;
    EXPECT_GT(
        winner_fit(noisy_max(AtomType::i32, kMax, 1.7), scores, permute_and_flip_law(scores, 1.7)),
        kAlpha);
    EXPECT_GT(
        winner_fit(noisy_max(AtomType::f64, kZcdp, 1.7), doubles, exponential_law(scores, 1.7)),
        kAlpha);
    EXPECT_GT(
        winner_fit(
            noisy_max(AtomType::f64, kMax, 0.6, true), doubles, permute_and_flip_law(negated, 0.6)),
        kAlpha);
    EXPECT_GT(
        winner_fit(
            noisy_max(AtomType::i32, kZcdp, 0.6, true), scores, exponential_law(negated, 0.6)),
        kAlpha);
  }
}

TEST(NoisyMax, TheFitRejectsTheOtherLawAndAnotherScale) {
  const std::vector<int> scores = {0, 1, 2};
  const Measurement flip = noisy_max(AtomType::i32, kMax, 1.7);
  EXPECT_LT(winner_fit(flip, scores, exponential_law(scores, 1.7)), kAlpha);
  EXPECT_LT(winner_fit(flip, scores, permute_and_flip_law(scores, 1.9)), kAlpha);
}

TEST(NoisyMax, WinnersAreTheSameWhateverTierDecides) {
  const auto winners = [](std::uint64_t slack) {
    certified_slack = slack;
    std::vector<std::size_t> out;
    for (const Measure& measure : {kMax, kZcdp}) {
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        ReplayedBits bits(seed);
        const ScopedBitSource scope(bits);
        out.push_back(winner(noisy_max(AtomType::f64, measure, 2), std::vector<double>{1, 2.5, 3}));
      }
    }
    certified_slack = 0;
    return out;
  };
  // The exact path reads more bits only if 64 bits do not decide, so the streams stay in step.
  const auto fast = winners(0);
  const auto before = close_finishes;
  const auto exact = winners(std::uint64_t{1} << 55);
  EXPECT_GT(close_finishes, before) << "the exact tier has run";
  EXPECT_EQ(fast, exact);
}

TEST(NoisyMax, TopKIsSelectionAfterSelection) {
  const std::vector<int> scores = {0, 1, 2};
  for (const Measure& measure : {kMax, kZcdp}) {
    const LawOf law_of = measure == kMax ? permute_and_flip_law : exponential_law;
    const FiniteLaw first = law_of(scores, 1);
    // P[first i, second j] for all pairs.
    FiniteLaw law(9);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<int> rest = scores;
      rest.erase(rest.begin() + static_cast<long>(i));
      const FiniteLaw second = law_of(rest, 1);
      for (std::size_t j = 0; j < 2; ++j) law[3 * i + j + (j >= i ? 1 : 0)] = first[i] * second[j];
    }
    ReplayedBits bits(29);
    const ScopedBitSource scope(bits);
    const Measurement top =
        make_noisy_top_k(vectors(AtomType::i32), linf(AtomType::i32), measure, 2, 1);
    std::vector<double> counts(9);
    for (int i = 0; i < kDraws; ++i) {
      const auto out = ranking(top, scores);
      counts[3 * out[0] + out[1]] += 1;
    }
    EXPECT_GT(fit(counts, law), kAlpha);
    std::swap(law[5], law[7]);
    EXPECT_LT(fit(counts, law), kAlpha);
  }
}

TEST(NoisyMax, D_EPS_2_ScaleZeroGivesTheOptimumAndTheLastAmongEquals) {
  for (const Measure& measure : {kMax, kZcdp}) {
    const Measurement top =
        make_noisy_top_k(vectors(AtomType::i32), linf(AtomType::i32), measure, 3, 0);
    EXPECT_EQ(ranking<int>(top, {4, 7, 7, 1, 4}), (std::vector<std::uint64_t>{2, 1, 4}));
    const Measurement bottom =
        make_noisy_top_k(vectors(AtomType::i32), linf(AtomType::i32), measure, 3, 0, true);
    EXPECT_EQ(ranking<int>(bottom, {4, 7, 7, 1, 4}), (std::vector<std::uint64_t>{3, 4, 0}));
  }
}

TEST(NoisyMax, OptimizeMeansWhatItSays) {
  const auto best = [](const std::string& optimize) {
    return winner<int>(
        make_report_noisy_max_gumbel(vectors(AtomType::i32), linf(AtomType::i32), 1e-3, optimize),
        {3, 9, -5});
  };
  EXPECT_EQ(best("max"), 1u);
  EXPECT_EQ(best("min"), 2u);
  EXPECT_EQ(expect_error(ErrorKind::make_measurement, [&] { best("most"); }),
            "optimize must be \"min\" or \"max\"");
}

TEST(NoisyMax, ExtremeScoresAndScalesAreExact) {
  using Int = std::numeric_limits<std::int64_t>;
  using Word = std::numeric_limits<std::uint64_t>;
  constexpr double kLargest = std::numeric_limits<double>::max();
  for (const Measure& measure : {kMax, kZcdp}) {
    // At a tiny scale a step of 1 decides, however large the scores.
    EXPECT_EQ(winner(noisy_max(AtomType::i64, measure, 1e-300),
                     std::vector<std::int64_t>{Int::max() - 1, Int::min(), Int::max()}),
              2u);
    EXPECT_EQ(winner(noisy_max(AtomType::u64, measure, 5e-324, true),
                     std::vector<std::uint64_t>{Word::max(), 1, 0, 2}),
              2u);
    EXPECT_EQ(winner(noisy_max(AtomType::f64, measure, 5e-324),
                     std::vector<double>{-kInf, 5e-324 * 2000, 0}),
              1u);
    EXPECT_EQ(winner(noisy_max(AtomType::f64, measure, 1), std::vector<double>{-kInf, kInf, 0}),
              1u);
  }
  // At a scale as large as the gap, both are chosen. The gap exceeds the range of doubles.
  std::set<std::size_t> seen;
  const Measurement wide = noisy_max(AtomType::f64, kZcdp, kLargest);
  for (int i = 0; i < 300; ++i) seen.insert(winner(wide, std::vector<double>{-kLargest, kLargest}));
  EXPECT_EQ(seen.size(), 2u);
  const FiniteLaw law = exponential_law({-1, 1}, 1);
  EXPECT_GT(winner_fit(wide, std::vector<double>{-kLargest, kLargest}, law), kAlpha);
}

TEST(NoisyMax, ShortVectorsGiveShortAnswersAndEmptyOnesNone) {
  const Measurement top = make_noisy_top_k(vectors(AtomType::i32), linf(AtomType::i32), kMax, 5, 1);
  EXPECT_EQ(ranking<int>(top, {1, 2}).size(), 2u);
  EXPECT_TRUE(ranking<int>(top, {}).empty());
  EXPECT_EQ(expect_error(ErrorKind::failed_function,
                         [] { winner<int>(noisy_max(AtomType::i32, kMax, 1), {}); }),
            "candidates set is empty");
}

TEST(NoisyMax, D_DOM_4_ScoresOutsideTheDomainAreRefusedBeforeAnythingIsDrawn) {
  RecordedBits none({});
  const ScopedBitSource scope(none);
  expect_error(ErrorKind::failed_function, [] {
    winner<double>(noisy_max(AtomType::f64, kMax, 1), {1, std::nan(""), 2});
  });
  expect_error(ErrorKind::failed_function, [] {
    winner<int>(make_noisy_max(vectors(AtomType::i32, 3), linf(AtomType::i32), kMax, 1), {1, 2});
  });
}

TEST(NoisyMax, RefusesWhatItCannotPromise) {
  const ErrorKind kind = ErrorKind::make_measurement;
  EXPECT_EQ(
      expect_error(kind,
                   [] {
                     make_noisy_max(
                         vector_of(default_atom(AtomType::f64)), linf(AtomType::f64), kMax, 1);
                   }),
      "input_domain elements must be non-nan");
  EXPECT_EQ(
      expect_error(
          kind,
          [] { make_noisy_top_k(vectors(AtomType::i32, 3), linf(AtomType::i32), kMax, 5, 1); }),
      "k (5) must not exceed the number of candidates (3)");
  for (double scale : {-1.0, HUGE_VAL, std::nan("")}) {
    expect_error(kind, [scale] { noisy_max(AtomType::i32, kMax, scale); });
  }
  expect_error(ErrorKind::type, [] { noisy_max(AtomType::i32, approximate(max_divergence()), 1); });
  expect_error(ErrorKind::type,
               [] { make_noisy_max(vectors(AtomType::i32), l1_distance(AtomType::i32), kMax, 1); });
  expect_error(ErrorKind::metric_space,
               [] { make_noisy_max(vectors(AtomType::i32), linf(AtomType::f64), kMax, 1); });
  expect_error(ErrorKind::failed_cast,
               [] { make_noisy_max(scalars(AtomType::i32), linf(AtomType::i32), kMax, 1); });
}

TEST(NoisyMax, D_FLT_3_TheMapRefusesWhatIsNoDistance) {
  const auto map = [](double d_in, bool monotonic) {
    return loss(make_noisy_max(vectors(AtomType::f64), linf(AtomType::f64, monotonic), kMax, 1),
                d_in);
  };
  expect_error(ErrorKind::invalid_distance, [&] { map(-1, false); });
  EXPECT_THROW(map(std::nan(""), false), Error);
  EXPECT_THROW(map(std::nan(""), true), Error);
  EXPECT_THROW(map(HUGE_VAL, false), Error);
  expect_error(ErrorKind::overflow, [] {
    loss(noisy_max(AtomType::i32, kMax, 1), std::numeric_limits<std::int32_t>::max());
  });
  for (double nothing : {0.0, -0.0}) {
    EXPECT_EQ(map(nothing, false), 0);
    EXPECT_EQ(loss(noisy_max(AtomType::f64, kMax, nothing), 1.0), HUGE_VAL);
  }
  EXPECT_EQ(loss(noisy_max(AtomType::f64, kMax, 0), 0.0), 0);
}

TEST(NoisyMax, D_SAM_3_TenOfAHundredThousandAreFound) {
  std::vector<double> scores(100000);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<double>(i % 1000);
  for (const Measure& measure : {kMax, kZcdp}) {
    for (double scale : {1e-3, 1.0, 1e6}) {
      const auto out =
          ranking(make_noisy_top_k(vectors(AtomType::f64), linf(AtomType::f64), measure, 10, scale),
                  scores);
      EXPECT_EQ(std::set<std::uint64_t>(out.begin(), out.end()).size(), 10u);
    }
  }
}

}  // namespace
}  // namespace dp::test::noisy_max_test
