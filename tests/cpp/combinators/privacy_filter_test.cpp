#include "core/combinators/privacy_filter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "combinators/compositor_support.h"
#include "core/combinators/adaptive_composition.h"
#include "core/combinators/fully_adaptive_composition.h"
#include "core/numeric/rational.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"
#include "support/scripted_bits.h"

namespace dp::test::privacy_filter_test {
namespace {

Measurement filter(double budget, std::int32_t d_in = 1) {
  return make_privacy_filter(make_fully_adaptive_composition(kNumber, kStep, max_divergence()),
                             Scalar(d_in),
                             Scalar(budget));
}

OdometerQueryable& odometer_in(const QueryablePtr& queryable) {
  return dynamic_cast<OdometerQueryable&>(*queryable);
}

TEST(PrivacyFilter, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_privacy_filter");
  ASSERT_EQ(rows.size(), 2u);
  for (const OracleRow& row : rows) {
    const Measurement measurement = filter(2);
    const Scalar d_in = static_cast<std::int32_t>(std::stol(row.d_in));
    if (row.is_error()) {
      try {
        measurement.map(d_in);
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_TRUE(matches(row, error)) << error.what();
      }
    } else {
      EXPECT_EQ(loss(measurement, d_in), oracle_number(row.d_out));
    }
  }
}

TEST(PrivacyFilter, AnswersUntilAQueryWouldExceedTheBudget) {
  const QueryablePtr queryable =
      *make_privacy_filter(
           make_fully_adaptive_composition(
               non_nan_atom(AtomType::boolean), discrete_distance(), max_divergence()),
           Scalar(std::uint32_t{1}),
           Scalar(1.0))
           .invoke(Scalar(true))
           .as<QueryablePtr>();
  const auto spent = [&] {
    return number_in<double>(odometer_in(queryable).loss(Scalar(std::uint32_t{1})));
  };
  queryable->ask(query(make_randomized_response_bool(0.51)));
  EXPECT_EQ(spent(), 0.040005334613699206);
  queryable->ask(query(make_randomized_response_bool(0.51)));
  EXPECT_EQ(spent(), 0.08001066922739841);
  EXPECT_NE(expect_error(ErrorKind::failed_function,
                         [&] { queryable->ask(query(make_randomized_response_bool(0.75))); })
                .find("filter is now exhausted: pending privacy loss (1.178"),
            std::string::npos);
  const char* exhausted = "filter is exhausted: no more queries can be answered";
  EXPECT_EQ(expect_error(ErrorKind::failed_function,
                         [&] { queryable->ask(query(make_randomized_response_bool(0.51))); }),
            exhausted);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, spent), exhausted);
}

TEST(PrivacyFilter, AnInfiniteBudgetIsAnOdometer) {
  const Measurement unlimited = filter(HUGE_VAL);
  EXPECT_EQ(loss(unlimited, 1), HUGE_VAL);
  const QueryablePtr queryable = start(unlimited, 7);
  for (double epsilon : {1.0, 100.0, 0.5}) queryable->ask(query(costing(epsilon)));
  EXPECT_EQ(number_in<double>(odometer_in(queryable).loss(Scalar(1))), 101.5);
  expect_error(ErrorKind::overflow, [&] { queryable->ask(query(costing(HUGE_VAL))); });
  EXPECT_NO_THROW(queryable->ask(query(costing(1))));  // only losses without a sum are rejected
  for (double wrong : {-1.0, std::nan("")}) {
    expect_error(ErrorKind::failed_map, [&] { filter(wrong); });
  }
}

TEST(PrivacyFilter, TellsWhatItMayBeAskedAlsoWhenItIsExhausted) {
  const QueryablePtr queryable = start(filter(1), 7);
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(2))); });
  EXPECT_EQ(queryable->query_type(), "AnyMeasurement");
  EXPECT_EQ(odometer_in(queryable).input_metric(), kStep);
}

TEST(PrivacyFilter, TheQueryThatIsTooMuchNeverSeesTheData) {
  bool seen = false;
  const Measurement spy = make_user_measurement(
      kNumber,
      kStep,
      max_divergence(),
      [&seen](const Value& arg) {
        seen = true;
        return arg;
      },
      [](const Distance&) -> Distance { return Scalar(3.0); });
  const QueryablePtr queryable = start(filter(2), 7);
  EXPECT_EQ(
      expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(spy)); }),
      "filter is now exhausted: pending privacy loss (3.0) would exceed privacy budget (2.0)");
  EXPECT_FALSE(seen);
}

TEST(PrivacyFilter, D_CMP_2_FailuresAreChargedAndMismatchesAreNot) {
  const QueryablePtr queryable = start(filter(2), 7);
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(failing(1.5))); });
  expect_error(ErrorKind::measure_mismatch,
               [&] { queryable->ask(query(make_gaussian(kNumber, kStep, 1))); });
  EXPECT_NO_THROW(queryable->ask(query(costing(0.5))));
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(0.1))); });
}

TEST(PrivacyFilter, APairThatIsMoreInOnePartExceeds) {
  const Measure measure = approximate(max_divergence());
  const QueryablePtr queryable = start(
      make_privacy_filter(
          make_fully_adaptive_composition(kNumber, kStep, measure), Scalar(1), pair_of(1, 1e-6)),
      7);
  EXPECT_NO_THROW(queryable->ask(query(costing(measure, pair_of(0.25, 1e-7)))));
  EXPECT_NE(expect_error(ErrorKind::failed_function,
                         [&] { queryable->ask(query(costing(measure, pair_of(0.25, 1e-5)))); })
                .find("filter is now exhausted"),
            std::string::npos);
}

TEST(PrivacyFilter, D_CMP_1_AcceptedLossesNeverExceedTheBudgetExactly) {
  SplitMix random(43);
  int full = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double budget = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
    const QueryablePtr queryable = start(filter(budget), 7);
    Rational spent = 0;
    for (int i = 0; i < 8; ++i) {
      // Many sums end within an ulp of the budget.
      const double rest = budget - static_cast<double>(spent);
      const double asked = i > 2 ? rest : rest * static_cast<double>(random() >> 11) * 0x1p-53;
      try {
        queryable->ask(query(costing(asked)));
        spent += exact_rational(asked);
      } catch (const Error&) {
      }
    }
    ASSERT_LE(spent, exact_rational(budget));
    full += spent > exact_rational(budget) - Rational(1, Integer(1) << 40);
  }
  EXPECT_GT(full, 500);  // the budget is often nearly full
}

TEST(PrivacyFilter, ChildrenAreChargedWhole) {
  const QueryablePtr queryable = start(filter(2), 7);
  const QueryablePtr inner =
      child(*queryable,
            make_adaptive_composition(kNumber, kStep, max_divergence(), Scalar(1), {Scalar(1.5)}));
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(costing(1))); });
  // Granted budget stays granted.
  EXPECT_NO_THROW(inner->ask(query(costing(1.5))));
}

TEST(PrivacyFilter, RefusesABudgetThatIsNone) {
  expect_error(ErrorKind::failed_map, [] { filter(-1); });
  expect_error(ErrorKind::type, [] {
    make_privacy_filter(make_fully_adaptive_composition(kNumber, kStep, renyi_divergence()),
                        Scalar(1),
                        Distance::Curve([](double) { return 1.0; }));
  });
}

}  // namespace
}  // namespace dp::test::privacy_filter_test
