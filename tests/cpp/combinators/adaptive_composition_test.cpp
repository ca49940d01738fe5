#include "core/combinators/adaptive_composition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "combinators/compositor_support.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/transformations/counts/count.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"
#include "support/scripted_bits.h"

namespace dp::test::adaptive_composition_test {
namespace {

Measurement compositor(const std::vector<double>& shares, std::int32_t d_in = 1) {
  std::vector<Distance> d_mids;
  for (double share : shares) d_mids.push_back(Scalar(share));
  return make_adaptive_composition(kNumber, kStep, max_divergence(), Scalar(d_in), d_mids);
}

TEST(AdaptiveComposition, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_adaptive_composition");
  ASSERT_EQ(rows.size(), 3u);
  for (const OracleRow& row : rows) {
    std::vector<double> shares;
    std::string list = row.args.substr(row.args.find('[') + 1);
    for (std::size_t at = 0; at < list.size() && list[at] != '}';) {
      std::size_t used = 0;
      shares.push_back(std::stod(list.substr(at), &used));
      at += used + 1;
      if (list[at - 1] == ']') break;
    }
    const Measurement measurement = compositor(shares);
    const auto d_in = static_cast<std::int32_t>(std::stol(row.d_in));
    if (row.is_error()) {
      try {
        measurement.map(Scalar(d_in));
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_TRUE(matches(row, error)) << error.what();
      }
    } else {
      EXPECT_EQ(loss(measurement, d_in), oracle_number(row.d_out)) << row.args;
    }
  }
  EXPECT_EQ(loss(compositor({2, 1}), 0), 3);
}

TEST(AdaptiveComposition, D_CMP_1_AQueryWithoutAValidLossIsRefusedAndNotCharged) {
  for (double wrong : {-1.0, std::nan("")}) {
    const QueryablePtr queryable = start(compositor({1}), 7);
    expect_error(ErrorKind::failed_map, [&] { queryable->ask(query(costing(wrong))); });
    EXPECT_NO_THROW(queryable->ask(query(costing(1))));
  }
}

TEST(AdaptiveComposition, AnswersAsManyQueriesAsThereAreShares) {
  const QueryablePtr queryable = start(compositor({2, 1}), 7);
  EXPECT_EQ(element_in<std::int32_t>(queryable->ask(query(costing(2)))), 7);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(1.5))); }),
            "insufficient budget for query: 1.5 > 1.0");
  EXPECT_EQ(element_in<std::int32_t>(queryable->ask(query(costing(0.25)))), 7);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(0))); }),
            "out of queries");
}

TEST(AdaptiveComposition, IsAskedMeasurements) {
  EXPECT_EQ(start(compositor({1}), 7)->query_type(), "AnyMeasurement");
}

TEST(AdaptiveComposition, LossesAreThoseAtTheDistanceOfTheCompositor) {
  const QueryablePtr queryable = start(compositor({2}, 5), 7);
  const auto laplace = [](double scale) { return query(make_laplace(kNumber, kStep, scale)); };
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(laplace(2.4)); });
  EXPECT_NO_THROW(queryable->ask(laplace(2.5)));
}

TEST(AdaptiveComposition, D_CMP_2_AQueryThatFailsIsChargedAndARefusedOneIsNot) {
  const QueryablePtr queryable = start(compositor({1, 1}), 7);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(failing(1))); }),
            "failed on the data");
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(2))); });
  EXPECT_NO_THROW(queryable->ask(query(costing(1))));
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(1))); }),
            "out of queries");
}

TEST(AdaptiveComposition, D_CMP_1_RefusesQueriesOfAnotherSpaceOrUnit) {
  const QueryablePtr queryable = start(compositor({1}), 7);
  const auto refuses = [&](ErrorKind kind, const Measurement& measurement) {
    return expect_error(kind, [&] { queryable->ask(query(measurement)); });
  };
  refuses(ErrorKind::domain_mismatch,
          make_laplace(scalars(AtomType::i64), absolute_distance(AtomType::i32), 1));
  refuses(ErrorKind::metric_mismatch, make_laplace(kNumber, absolute_distance(AtomType::f64), 1));
  EXPECT_NE(refuses(ErrorKind::measure_mismatch, make_gaussian(kNumber, kStep, 1))
                .find("Intermediate measures don't match"),
            std::string::npos);
  expect_error(ErrorKind::failed_cast, [&] { queryable->ask(Scalar(1)); });
  EXPECT_NO_THROW(queryable->ask(query(costing(1))));
}

TEST(AdaptiveComposition, PairsAreWithinTheirShareIfBothPartsAre) {
  const Measure measure = approximate(max_divergence());
  const Measurement pairs = make_adaptive_composition(
      kNumber, kStep, measure, Scalar(1), {pair_of(1, 1e-6), pair_of(2, 0)});
  EXPECT_EQ(debug(pairs.map(Scalar(1))), "(3.0, 1e-6)");
  const QueryablePtr queryable = start(pairs, 7);
  EXPECT_EQ(expect_error(ErrorKind::failed_function,
                         [&] { queryable->ask(query(costing(measure, pair_of(0.5, 5e-6)))); }),
            "insufficient budget for query: (0.5, 5e-6) > (1.0, 1e-6)");
  EXPECT_NO_THROW(queryable->ask(query(costing(measure, pair_of(1, 1e-6)))));
}

TEST(AdaptiveComposition, NestsAndChildrenMayBeUsedAlternately) {
  const QueryablePtr parent = start(compositor({1, 1, 1}), 7);
  const QueryablePtr first = child(*parent, compositor({0.5, 0.5}));
  const QueryablePtr second = child(*parent, compositor({0.5, 0.5}));
  for (const QueryablePtr& turn : {first, second, first, second}) {
    EXPECT_EQ(element_in<std::int32_t>(turn->ask(query(costing(0.5)))), 7);
  }
  expect_error(ErrorKind::failed_function, [&] { child(*parent, compositor({0.5, 0.75})); });
}

const Measure kSequential = approximate(zero_concentrated_divergence());

Measurement sequential(int shares) {
  return make_adaptive_composition(
      kNumber,
      kStep,
      kSequential,
      Scalar(1),
      std::vector<Distance>(static_cast<std::size_t>(shares), pair_of(1, 1e-6)));
}

TEST(AdaptiveComposition, D_CMP_1_WhereOrderMattersOnlyTheLastReleaseAnswers) {
  const Value free = query(costing(kSequential, pair_of(0, 0)));
  const QueryablePtr parent =
      start(make_adaptive_composition(kNumber,
                                      kStep,
                                      kSequential,
                                      Scalar(1),
                                      {pair_of(9, 1e-3), pair_of(9, 1e-3), pair_of(0, 0)}),
            7);
  const QueryablePtr first = child(*parent, sequential(3));
  const QueryablePtr grandchild = child(*first, sequential(1));
  EXPECT_NO_THROW(grandchild->ask(free));
  const QueryablePtr second = child(*parent, sequential(3));
  for (const QueryablePtr& silent : {first, grandchild}) {
    EXPECT_NE(expect_error(ErrorKind::failed_function, [&] { silent->ask(free); })
                  .find("Adaptive compositor has received a new query"),
              std::string::npos);
  }
  EXPECT_NO_THROW(second->ask(free));
  EXPECT_NO_THROW(parent->ask(free));
  expect_error(ErrorKind::failed_function, [&] { second->ask(free); });
}

TEST(AdaptiveComposition, AReleaseMayTalkToItsOwnQueryableWhileItIsMade) {
  const Value free = query(costing(kSequential, pair_of(0, 0)));
  const Measurement talkative = make_chain_pm(
      whole_function([free](const Value& value) { return queryable_in(value).ask(free); }),
      sequential(1));
  EXPECT_EQ(element_in<std::int32_t>(start(sequential(1), 7)->ask(query(talkative))), 7);
}

TEST(AdaptiveComposition, CompositionSilencesEarlierMembersToo) {
  const Value free = query(costing(kSequential, pair_of(0, 0)));
  const Value out = make_composition({sequential(2), sequential(2)}).invoke(Scalar(7));
  const auto& members = *out.as<Value::Tuple>();
  EXPECT_NE(expect_error(ErrorKind::failed_function, [&] { queryable_in(members[0]).ask(free); })
                .find("Compositor has received a new query"),
            std::string::npos);
  EXPECT_NO_THROW(queryable_in(members[1]).ask(free));
  const Value concurrent = make_composition({compositor({1}), compositor({1})}).invoke(Scalar(7));
  EXPECT_NO_THROW(queryable_in((*concurrent.as<Value::Tuple>())[0]).ask(query(costing(1))));
}

TEST(AdaptiveComposition, IsNotReentered) {
  QueryablePtr self;
  const Measurement greedy = make_user_measurement(
      kNumber,
      kStep,
      max_divergence(),
      [&self](const Value&) { return self->ask(query(costing(1))); },
      [](const Distance&) -> Distance { return Scalar(1.0); });
  self = start(compositor({1, 1}), 7);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { self->ask(query(greedy)); }),
            "a queryable may only execute one query at a time");
}

TEST(AdaptiveComposition, AnswersAboutWhatATransformationMakesOfTheData) {
  const Transformation count =
      make_count(vectors(AtomType::i32), symmetric_distance(), AtomType::i32);
  const Measurement chained = make_chain_mt(compositor({0.2, 0.09}), count);
  EXPECT_EQ(loss(chained, std::uint32_t{1}), 0.29000000000000004);
  const Value out = chained.invoke(make_column(AtomType::i32, std::vector<std::int32_t>(12)));
  EXPECT_EQ(element_in<std::int32_t>(queryable_in(out).ask(query(costing(0.2)))), 12);
}

TEST(AdaptiveComposition, D_CMP_1_AcceptedLossesNeverExceedTheClaimExactly) {
  SplitMix random(41);
  int used_up = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> shares(1 + random() % 4);
    for (double& share : shares) share = static_cast<double>(random() >> 11) * 0x1p-53;
    const Measurement measurement = compositor(shares);
    const QueryablePtr queryable = start(measurement, 7);
    Rational spent = 0;
    // Every second trial first asks for the shares in order.
    for (std::size_t i = 0; i < 8; ++i) {
      const double any = static_cast<double>(random() >> 11) * 0x1p-53;
      const double asked = trial % 2 == 0 && i < shares.size() ? shares[i] : any;
      try {
        queryable->ask(query(costing(asked)));
        spent += exact_rational(asked);
      } catch (const Error&) {
      }
    }
    ASSERT_LE(spent, exact_rational(loss(measurement, 1)));
    Rational shared = 0;
    for (const double share : shares) shared += exact_rational(share);
    used_up += spent == shared;
  }
  EXPECT_GE(used_up, 1000);
}

TEST(AdaptiveComposition, RefusesSharesThatAreNone) {
  EXPECT_EQ(expect_error(ErrorKind::make_measurement, [] { compositor({}); }),
            "d_mids must have at least one element");
  expect_error(ErrorKind::failed_map, [] { compositor({1, -1}); });
  expect_error(ErrorKind::type, [] {
    make_adaptive_composition(kNumber, kStep, smoothed_max_divergence(), Scalar(1), {Scalar(1.0)});
  });
  expect_error(ErrorKind::metric_space, [] {
    make_adaptive_composition(
        kNumber, symmetric_distance(), max_divergence(), Scalar(1), {Scalar(1.0)});
  });
}

}  // namespace
}  // namespace dp::test::adaptive_composition_test
