#include "core/combinators/fully_adaptive_composition.h"

#include <gtest/gtest.h>

#include <cmath>

#include "combinators/compositor_support.h"
#include "core/combinators/adaptive_composition.h"
#include "support/expect_error.h"

namespace dp::test::fully_adaptive_composition_test {
namespace {

const Domain kBool = non_nan_atom(AtomType::boolean);

Odometer odometer(const Measure& measure) {
  return make_fully_adaptive_composition(kNumber, kStep, measure);
}

double spent(OdometerQueryable& queryable, std::int32_t d_in) {
  return number_in<double>(queryable.loss(Scalar(d_in)));
}

TEST(FullyAdaptiveComposition, KeepsCountOfItsLossAtAnyDistance) {
  const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
  EXPECT_EQ(spent(*queryable, 1), 0);
  queryable->ask(query(make_laplace(kNumber, kStep, 2)));
  queryable->ask(query(make_laplace(kNumber, kStep, 1)));
  EXPECT_EQ(spent(*queryable, 0), 0);
  EXPECT_EQ(spent(*queryable, 1), 1.5);
  EXPECT_EQ(spent(*queryable, 4), 6);
  const auto pairs = odometer(approximate(max_divergence())).invoke(Scalar(7));
  EXPECT_EQ(debug(pairs->loss(Scalar(1))), "(0.0, 0.0)");
}

TEST(FullyAdaptiveComposition, KeepsCountOfRandomizedResponse) {
  const auto queryable =
      make_fully_adaptive_composition(kBool, discrete_distance(), max_divergence())
          .invoke(Scalar(true));
  const auto loss = [&] { return number_in<double>(queryable->loss(Scalar(std::uint32_t{1}))); };
  queryable->ask(query(make_randomized_response_bool(0.51)));
  EXPECT_EQ(loss(), 0.040005334613699206);
  queryable->ask(query(make_randomized_response_bool(0.51)));
  EXPECT_EQ(loss(), 0.08001066922739841);
}

TEST(FullyAdaptiveComposition, TellsWhatAQueryWouldCostWithoutAskingIt) {
  const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
  queryable->ask(query(costing(1)));
  EXPECT_EQ(debug(queryable->loss_with(Scalar(1), query(failing(0.5)))), "1.5");
  EXPECT_EQ(spent(*queryable, 1), 1);
  expect_error(ErrorKind::measure_mismatch,
               [&] { queryable->loss_with(Scalar(1), query(make_gaussian(kNumber, kStep, 1))); });
}

TEST(FullyAdaptiveComposition, D_CMP_2_AQueryThatFailsIsChargedAndARefusedOneIsNot) {
  const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
  expect_error(ErrorKind::failed_function, [&] { queryable->ask(query(failing(1))); });
  EXPECT_EQ(spent(*queryable, 1), 1);
  expect_error(ErrorKind::measure_mismatch,
               [&] { queryable->ask(query(make_gaussian(kNumber, kStep, 1))); });
  EXPECT_EQ(spent(*queryable, 1), 1);
}

TEST(FullyAdaptiveComposition, D_CMP_1_AQueryWithoutAValidLossIsRefusedAndNotCharged) {
  for (double wrong : {-1.0, std::nan("")}) {
    const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
    expect_error(ErrorKind::failed_map, [&] { queryable->ask(query(costing(wrong))); });
    expect_error(ErrorKind::failed_map,
                 [&] { queryable->loss_with(Scalar(1), query(costing(wrong))); });
    EXPECT_EQ(spent(*queryable, 1), 0);
    const auto pairs = odometer(approximate(max_divergence())).invoke(Scalar(7));
    expect_error(ErrorKind::failed_map, [&] {
      pairs->ask(query(costing(approximate(max_divergence()), pair_of(1, wrong))));
    });
    EXPECT_EQ(debug(pairs->loss(Scalar(1))), "(0.0, 0.0)");
  }
}

TEST(FullyAdaptiveComposition, D_CMP_1_AMapThatIsNegativeFromOneOnIsRefusedToo) {
  const Measurement falling = make_user_measurement(
      kNumber,
      kStep,
      max_divergence(),
      [](const Value& arg) { return arg; },
      [](const Distance& d_in) -> Distance {
        return Scalar(-1.0 * number_in<std::int32_t>(d_in));
      });
  const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
  expect_error(ErrorKind::failed_map, [&] { queryable->ask(query(falling)); });
}

TEST(FullyAdaptiveComposition, D_CMP_1_ALossThatCannotBeToldOrAddedIsRefusedToo) {
  const auto maps = [](const std::function<Distance()>& loss) {
    return make_user_measurement(
        kNumber,
        kStep,
        max_divergence(),
        [](const Value& arg) { return arg; },
        [loss](const Distance&) { return loss(); });
  };
  const Measurement fails =
      maps([]() -> Distance { throw Error(ErrorKind::failed_function, "no loss"); });
  const Measurement text = maps([]() -> Distance { return Scalar(std::string("a")); });
  const Measurement endless = maps([]() -> Distance { return Scalar(HUGE_VAL); });
  for (const Measurement& wrong : {fails, text, endless}) {
    const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
    EXPECT_THROW(queryable->ask(query(wrong)), Error);
    EXPECT_EQ(spent(*queryable, 1), 0);
    queryable->ask(query(costing(1)));
    EXPECT_EQ(spent(*queryable, 1), 1);
  }
}

TEST(FullyAdaptiveComposition, AChildWithAFixedDistanceHasNoLossBeyondIt) {
  const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
  queryable->ask(query(make_adaptive_composition(
      kNumber, kStep, max_divergence(), Scalar(2), {Scalar(0.5), Scalar(0.25)})));
  EXPECT_EQ(spent(*queryable, 2), 0.75);
  expect_error(ErrorKind::relation_debug, [&] { spent(*queryable, 3); });
}

TEST(FullyAdaptiveComposition, RenyiCurvesAddUp) {
  const auto queryable = odometer(renyi_divergence()).invoke(Scalar(7));
  const Distance::Curve line = [](double alpha) { return alpha; };
  for (int i = 0; i < 3; ++i) queryable->ask(query(costing(renyi_divergence(), line)));
  EXPECT_EQ((*queryable->loss(Scalar(1)).as<Distance::Curve>())(2.5), 7.5);
}

TEST(FullyAdaptiveComposition, D_CMP_1_WhereOrderMattersOnlyTheLastReleaseAnswers) {
  const Measure sequential = approximate(zero_concentrated_divergence());
  const Measurement compositor = make_adaptive_composition(
      kNumber, kStep, sequential, Scalar(1), std::vector<Distance>(3, pair_of(1, 0)));
  const Value free = query(costing(sequential, pair_of(0, 0)));
  const auto parent = odometer(sequential).invoke(Scalar(7));
  const QueryablePtr first = child(*parent, compositor);
  EXPECT_NO_THROW(first->ask(free));
  parent->loss(Scalar(1));  // not a query
  EXPECT_NO_THROW(first->ask(free));
  parent->ask(free);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { first->ask(free); }),
            "sequential odometer has received a new query");
}

TEST(FullyAdaptiveComposition, RefusesWhatItCannotCompose) {
  expect_error(ErrorKind::type, [] { odometer(smoothed_max_divergence()); });
  expect_error(ErrorKind::metric_space, [] {
    make_fully_adaptive_composition(kNumber, symmetric_distance(), max_divergence());
  });
  expect_error(ErrorKind::failed_cast, [] { odometer(max_divergence()).invoke(Scalar(1.0)); });
  const auto queryable = odometer(max_divergence()).invoke(Scalar(7));
  expect_error(ErrorKind::failed_cast, [&] { queryable->ask(Scalar(1)); });
}

}  // namespace
}  // namespace dp::test::fully_adaptive_composition_test
