#include "core/combinators/select_private_candidate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/combinators/composition.h"
#include "core/measurements/randomized_response.h"
#include "core/measurements/user_measurement.h"
#include "core/random/bernoulli.h"
#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/interrupt_check.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::select_private_candidate_test {
namespace {

// Releases a candidate with the score that `next` returns.
Measurement scoring(std::function<Value()> next, double epsilon = 1) {
  return make_user_measurement(
      scalars(AtomType::i32),
      absolute_distance(AtomType::i32),
      max_divergence(),
      [next = std::move(next)](const Value&) -> Value {
        return Value::Tuple{next(), Scalar(std::string("candidate"))};
      },
      [epsilon](const Distance&) -> Distance { return Scalar(epsilon); });
}

TEST(SelectPrivateCandidate, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_select_private_candidate");
  ASSERT_EQ(rows.size(), 1u);
  const Measurement selection =
      make_select_private_candidate(scoring([] { return Scalar(0.0); }, 1), 0.01, 12);
  EXPECT_EQ(loss(selection, 1), oracle_number(rows[0].d_out));
  expect_error(ErrorKind::overflow, [] {
    loss(make_select_private_candidate(scoring([] { return Scalar(0.0); }, HUGE_VAL), 0.5, 1), 1);
  });
}

TEST(SelectPrivateCandidate, RunsUntilAScoreIsGoodEnough) {
  int runs = 0;
  const Measurement selection =
      make_select_private_candidate(scoring([&] { return Scalar(++runs); }), 0, 5);
  const Value out = selection.invoke(Scalar(1));
  const auto& pair = *out.as<Value::Tuple>();
  EXPECT_EQ(runs, 5);
  EXPECT_EQ(element_in<std::int32_t>(pair[0]), 5);
  EXPECT_EQ(element_in<std::string>(pair[1]), "candidate");
}

// Fit to the law of the number of runs when every run falls short.
double runs_fit(double g, double law_g) {
  ReplayedBits bits(47);
  const ScopedBitSource scope(bits);
  int runs = 0;
  const Measurement selection = make_select_private_candidate(scoring([&] {
                                                                ++runs;
                                                                return Scalar(0.0);
                                                              }),
                                                              g,
                                                              1);
  constexpr int kMost = 400;
  std::vector<double> counts(kMost + 1);
  for (int i = 0; i < 4000; ++i) {
    runs = 0;
    EXPECT_TRUE(selection.invoke(Scalar(1)).as<Value::Null>() != nullptr);
    counts[static_cast<std::size_t>(std::min(runs, kMost))] += 1;
  }
  FiniteLaw law(kMost + 1);
  Wide left = 1;
  for (std::size_t j = 1; j < kMost; ++j) {
    law[j] = left * law_g;
    left *= 1 - Wide(law_g);
  }
  law[kMost] = left;
  return fit(counts, law);
}

TEST(SelectPrivateCandidate, RunsOneOverTheStopProbabilityTimesOnAverage) {
  EXPECT_GT(runs_fit(0.5, 0.5), 1e-6 / 3);
  EXPECT_GT(runs_fit(0.02, 0.02), 1e-6 / 3);
  EXPECT_LT(runs_fit(0.5, 0.75), 1e-6 / 3);
  EXPECT_LT(runs_fit(0.5, 0.57), 1e-6 / 3);
}

// Outcomes: Null, then the values of randomized response on {0, 1, 2}. Values from 1 up are good.
FiniteLaw selection_law(int truth, double prob, double g) {
  Wide p[3];
  for (int v = 0; v < 3; ++v) p[v] = v == truth ? Wide(prob) : Wide((1 - Wide(prob)) / 2);
  const Wide a = p[1] + p[2];
  const Wide end = g + (1 - Wide(g)) * a;
  return {g * (1 - a) / end, 0, p[1] / end, p[2] / end};
}

Measurement response_pairs(double prob) {
  const Measurement response =
      make_randomized_response({Scalar(0), Scalar(1), Scalar(2)}, AtomType::i32, prob);
  return Measurement(response.input_domain(),
                     response.input_metric(),
                     response.output_measure(),
                     response.function().then(whole_function([](const Value& v) -> Value {
                       return Value::Tuple{v, v};
                     })),
                     response.privacy_map());
}

TEST(SelectPrivateCandidate, D_EPS_2_NoPairOfInputsLosesMoreThanTwice) {
  for (double prob : {0.4, 0.7, 0.95}) {
    for (double g : {0.0, 0.01, 0.5, 0.9}) {
      const double claim =
          loss(make_select_private_candidate(response_pairs(prob), g, 1), std::uint32_t{1});
      Wide worst = 0;
      for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
          worst = std::max(worst,
                           max_divergence_of(selection_law(x, prob, g), selection_law(y, prob, g)));
        }
      }
      EXPECT_LE(worst, claim + slack());
      // The loss of one run does not cover this.
      if (g == 0.01) {
        EXPECT_GT(worst, claim / 2 + 0.01);
      }
    }
  }
}

TEST(SelectPrivateCandidate, ReleasesHaveTheirLaw) {
  const auto release_fit = [](int truth, double prob) {
    ReplayedBits bits(53);
    const ScopedBitSource scope(bits);
    const Measurement selection = make_select_private_candidate(response_pairs(prob), 0.25, 1);
    std::vector<double> counts(4);
    for (int i = 0; i < 20000; ++i) {
      const Value out = selection.invoke(Scalar(truth));
      const auto* pair = out.as<Value::Tuple>();
      counts[pair == nullptr
                 ? 0
                 : 1 + static_cast<std::size_t>(element_in<std::int32_t>((*pair)[1]))] += 1;
    }
    return fit(counts, selection_law(truth, 0.7, 0.25));
  };
  for (int truth : {0, 1, 2}) EXPECT_GT(release_fit(truth, 0.7), 1e-6 / 4) << truth;
  EXPECT_LT(release_fit(1, 0.66), 1e-6 / 4);
}

TEST(SelectPrivateCandidate, WhatHasNoScoreFallsShort) {
  for (const Value& release : {Value(Scalar(std::nan(""))),
                               Value(Scalar(std::string("9"))),
                               Value(Scalar(true)),
                               Value(Value::Null{})}) {
    const Measurement selection =
        make_select_private_candidate(scoring([&] { return release; }), 0.9, -1e300);
    EXPECT_TRUE(selection.invoke(Scalar(1)).as<Value::Null>() != nullptr);
  }
  EXPECT_FALSE(score_of_pair(Scalar(1.0)));
  EXPECT_FALSE(score_of_pair(Value::Tuple{Scalar(1.0)}));
  EXPECT_EQ(score_of_pair(Value::Tuple{Scalar(std::uint64_t{3}), Scalar(1.0)}), 3);
}

TEST(SelectPrivateCandidate, NanIsTheLowestScoreSoThatTheLowestThresholdEndsTheRuns) {
  for (const double score : {std::nan(""), -HUGE_VAL, std::numeric_limits<double>::lowest()}) {
    const auto scored = scoring([&] { return Value(Scalar(score)); });
    const double lowest = std::numeric_limits<double>::lowest();
    EXPECT_NE(make_select_private_candidate(scored, 0, lowest).invoke(Scalar(1)).as<Value::Tuple>(),
              nullptr);
    EXPECT_NE(
        make_select_private_candidate(scored, 0.9, lowest / 2).invoke(Scalar(1)).as<Value::Null>(),
        nullptr);
  }
}

TEST(SelectPrivateCandidate, TakesPairsFromACompositionAndFromAHook) {
  const auto exact = make_laplace(scalars(AtomType::i32), absolute_distance(AtomType::i32), 0);
  const Measurement members = make_composition({exact, exact});
  const Value out = make_select_private_candidate(members, 0, 7).invoke(Scalar(9));
  EXPECT_EQ(element_in<std::int32_t>(out.as<Value::Tuple>()->at(1)), 9);
  const ScoreOf doubled = [](const Value& v) -> std::optional<double> {
    return 2 * element_in<std::int32_t>(v);
  };
  EXPECT_EQ(element_in<std::int32_t>(
                make_select_private_candidate(exact, 0, 7, doubled).invoke(Scalar(4))),
            4);
}

TEST(SelectPrivateCandidate, D_SAM_3_CanBeInterrupted) {
  int runs = 0;
  const Measurement endless = make_select_private_candidate(scoring([&] {
                                                              ++runs;
                                                              return Scalar(0.0);
                                                            }),
                                                            0,
                                                            1);
  const InterruptCheck check([&] { return runs >= 100; });
  expect_error(ErrorKind::interrupted, [&] { endless.invoke(Scalar(1)); });
}

TEST(SelectPrivateCandidate, RefusesWhatItCannotPromise) {
  const auto make = [](double g, double threshold) {
    return
        [=] { make_select_private_candidate(scoring([] { return Scalar(0.0); }), g, threshold); };
  };
  for (double g : {-0.1, 1.0, std::nan("")}) {
    EXPECT_EQ(expect_error(ErrorKind::make_measurement, make(g, 1)),
              "stop_probability must be in [0, 1)");
  }
  for (double threshold : {HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(expect_error(ErrorKind::make_measurement, make(0.5, threshold)),
              "threshold must be finite");
  }
  expect_error(ErrorKind::type, [] {
    make_select_private_candidate(
        make_gaussian(scalars(AtomType::i32), absolute_distance(AtomType::i32), 1), 0.5, 1);
  });
}

}  // namespace
}  // namespace dp::test::select_private_candidate_test
