#include "core/transformations/trees/quantile_score_candidates.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/stable.h"
#include "support/tier.h"

namespace dp::test::quantile_score_candidates_test {
namespace {

Transformation scores(const std::vector<std::int32_t>& candidates,
                      double alpha,
                      std::optional<std::uint64_t> size = {},
                      const Metric& metric = symmetric_distance()) {
  return make_quantile_score_candidates(vector_of(default_atom(AtomType::i32), size),
                                        metric,
                                        std::vector<Scalar>(candidates.begin(), candidates.end()),
                                        alpha);
}

std::vector<std::uint64_t> invoke(const Transformation& t, const std::vector<std::int32_t>& rows) {
  std::vector<std::uint64_t> out;
  for (const auto& score :
       to_dataset<std::uint64_t>(t.function()(make_column(AtomType::i32, rows)))) {
    out.push_back(*score);
  }
  return out;
}

std::vector<std::int32_t> up_to(std::int32_t last) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(last) + 1);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

using Scores = std::vector<std::uint64_t>;

TEST(QuantileScoreCandidates, GivesTheWorkedScores) {
  EXPECT_EQ(invoke(scores({20, 33, 40, 50, 72, 100}, 0.5), up_to(99)),
            (Scores{59, 33, 19, 1, 45, 100}));
  EXPECT_EQ(invoke(scores({0, 25, 50, 75, 100}, 0.5), up_to(100)), (Scores{100, 50, 0, 50, 100}));
  EXPECT_EQ(invoke(scores({7, 12, 14, 72, 76}, 0.75), up_to(99)), (Scores{269, 249, 241, 9, 7}));
  EXPECT_EQ(invoke(scores({7, 12}, 0.5), {}), (Scores{0, 0}));
  // One row more than the size, so the limit on counts takes effect.
  EXPECT_EQ(invoke(scores({-1, 2, 4, 7, 12, 22}, 0.5, 7), {0, 2, 2, 3, 5, 7, 7, 7}),
            (Scores{7, 4, 0, 5, 7, 7}));
}

// Reference by definition, one candidate and one row at a time.
TEST(QuantileScoreCandidates, AgreesWithCountingRowByRow) {
  TestRandom random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int32_t> candidates;
    for (std::int32_t c = -5; c < 5; ++c) {
      if (random.below(2) == 0) candidates.push_back(2 * c);
    }
    if (candidates.empty()) continue;
    std::vector<std::int32_t> rows(random.below(50));
    for (auto& row : rows) row = static_cast<std::int32_t>(random.below(24)) - 12;
    const auto out = invoke(scores(candidates, 0.75), rows);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::int64_t score = 0;
      for (const auto row : rows) score += row < candidates[i] ? 1 : row > candidates[i] ? -3 : 0;
      ASSERT_EQ(out[i], static_cast<std::uint64_t>(std::abs(score)));
    }
  }
}

TEST(QuantileScoreCandidates, DoesNotDependOnThreadsOrCopies) {
  std::vector<std::int32_t> rows(600000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i % 1000);
  const auto t = scores({10, 500, 990}, 0.5);
  const Scores first = invoke(t, rows);
  for (const std::size_t threads : {2, 3}) {
    const ScopedThreads scoped(threads);
    EXPECT_EQ(invoke(t, rows), first);
  }
}

TEST(QuantileScoreCandidates, HasOneScorePerCandidate) {
  const auto t = scores({7, 12, 14}, 0.5);
  EXPECT_EQ(t.output_domain(), vector_of(non_nan_atom(AtomType::u64), 3));
  EXPECT_EQ(t.output_metric(), linf_distance(AtomType::u64, false));
}

TEST(QuantileScoreCandidates, TakesFloatsAtTheEndsOfTheLine) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto t = make_quantile_score_candidates(vector_of(non_nan_atom(AtomType::f64)),
                                                symmetric_distance(),
                                                {Scalar(-inf), Scalar(-0.0), Scalar(inf)},
                                                0.5);
  const Value out = t.invoke(make_column<double>(AtomType::f64, {-inf, 0.0, 1.0, inf, inf}));
  EXPECT_EQ(to_dataset<std::uint64_t>(out), (Dataset<std::uint64_t>{4, 2, 3}));
}

TEST(QuantileScoreCandidates, RefusesWhatItMust) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double alpha : {-0.1, 1.5, nan}) {
    expect_error(ErrorKind::make_transformation, [&] { scores({1}, alpha); });
  }
  expect_error(ErrorKind::make_transformation, [] { scores({}, 0.5); });
  expect_error(ErrorKind::make_transformation, [] { scores({1, 1}, 0.5); });
  expect_error(ErrorKind::overflow, [] { scores({1}, 0.5, 0); });
  expect_error(ErrorKind::type, [] { scores({1}, 0.5, 5, change_one_distance()); });
  const auto floats = [&](const Domain& domain, double candidate) {
    make_quantile_score_candidates(domain, symmetric_distance(), {Scalar(candidate)}, 0.5);
  };
  expect_error(ErrorKind::make_transformation,
               [&] { floats(vector_of(default_atom(AtomType::f64)), 1); });
  expect_error(ErrorKind::make_transformation,
               [&] { floats(vector_of(non_nan_atom(AtomType::f64)), nan); });
  expect_error(ErrorKind::failed_cast, [&] { floats(vector_of(default_atom(AtomType::i32)), 1); });
  expect_error(ErrorKind::overflow,
               [] { scores({1}, 0.1, 1).map(Distance(Scalar(std::uint32_t{4000000000}))); });
}

TEST(QuantileScoreCandidates, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const std::vector<Row<std::int32_t>> values = {1, 2, 3};
  for (const Metric& metric : {symmetric_distance(), insert_delete_distance()}) {
    for (const double alpha :
         in_tier<std::vector<double>>({0.0, 0.5, 0.57}, {0.0, 0.1, 0.5, 0.57, 0.75, 1.0})) {
      for (const auto& size : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{4}}) {
        const auto t = scores({1, 2, 3}, alpha, size, metric);
        expect_stable(t, values);
        // Mutant: counts rows equal to a candidate as above it and as below it.
        if (size && alpha == 0.5) {
          expect_rejected(t,
                          whole_function([t](const Value& rows) -> Value {
                            auto out = to_dataset<std::uint64_t>(t.function()(rows));
                            for (auto& score : out) *score *= 2;
                            return to_value(AtomType::u64, out);
                          }),
                          values);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dp::test::quantile_score_candidates_test
