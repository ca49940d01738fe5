#include "core/transformations/rows/ordering.h"

#include <gtest/gtest.h>

#include "support/coupling.h"
#include "support/expect_error.h"

namespace dp::test::ordering_test {
namespace {

const std::vector<Row<std::int32_t>> kThree = {1, 2, 3};

Domain ints(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::i32), size);
}

StabilityMap halved() {
  return [](const Distance& d) -> Distance { return Scalar(number_in<std::uint32_t>(d) / 2); };
}

TEST(OrderedRandom, GivesEveryOrderWithTheSameProbability) {
  const auto t = make_ordered_random(ints(), symmetric_distance());
  const auto law = law_of<std::int32_t>(t, {1, 2, 3, 4});
  EXPECT_EQ(law.size(), 24u);
  for (const auto& entry : law) EXPECT_EQ(entry.second, kWhole / 24);
}

TEST(OrderedRandom, TakesFreshBitsEachTime) {
  Dataset<std::int32_t> data(100);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int32_t>(i);
  const auto t = make_ordered_random(ints(), symmetric_distance());
  const auto run = [&] {
    return to_dataset<std::int32_t>(t.invoke(to_value(AtomType::i32, data)));
  };
  const auto first = run();
  EXPECT_NE(first, run());
  EXPECT_EQ(symmetric(first, data), 0u);
}

TEST(OrderedRandom, ShufflesNullsAndText) {
  const Domain options = vector_of(OptionDomain{default_atom(AtomType::string)});
  const auto t = make_ordered_random(options, symmetric_distance());
  const Dataset<std::string> data = {"a", {}, "b", {}};
  const auto out = to_dataset<std::string>(t.invoke(to_value(AtomType::string, data)));
  EXPECT_EQ(symmetric(out, data), 0u);
}

TEST(OrderedRandom, D_SEN_1_IsStableAndMutantsAreRejected) {
  for (const Metric& metric : {symmetric_distance(), change_one_distance()}) {
    const bool bounded = is_bounded(metric);
    const auto t = make_ordered_random(bounded ? ints(3) : ints(), metric);
    EXPECT_EQ(t.output_domain(), t.input_domain());
    EXPECT_EQ(t.output_metric(), bounded ? hamming_distance() : insert_delete_distance());
    const auto report = check_coupling<std::int32_t>(t, kThree, 4);
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_GT(report.tight, 0u);
    EXPECT_TRUE(check_coupling<std::int32_t>(with_map(t, halved()), kThree, 4).is_refuted());
    const auto lazy = with_function(t, Function());  // leaves the order as it is
    EXPECT_TRUE(check_coupling<std::int32_t>(lazy, kThree, 4).is_refuted());
  }
}

TEST(Unordered, D_SEN_1_IsStableAndAMutantIsRejected) {
  for (const Metric& metric : {insert_delete_distance(), hamming_distance()}) {
    const bool bounded = is_bounded(metric);
    const auto t = make_unordered(bounded ? ints(4) : ints(), metric);
    EXPECT_EQ(t.output_metric(), bounded ? change_one_distance() : symmetric_distance());
    StabilityCheck<std::int32_t> check(t);
    fuzz(check, 10, 2000);
    exhaust<std::int32_t>(check, kThree, 4);
    EXPECT_TRUE(check.passed()) << check.report();
    EXPECT_EQ(check.tightness(), 1);
    StabilityCheck<std::int32_t> mutant(with_map(t, halved()));
    fuzz(mutant, 10, 300);
    EXPECT_TRUE(mutant.is_refuted());
  }
}

TEST(Ordering, RefusesWhatItMust) {
  for (const Metric& metric : {insert_delete_distance(),
                               hamming_distance(),
                               absolute_distance(AtomType::i32),
                               discrete_distance()}) {
    expect_error(ErrorKind::type, [&] { make_ordered_random(ints(3), metric); });
  }
  for (const Metric& metric : {symmetric_distance(), change_one_distance()}) {
    expect_error(ErrorKind::type, [&] { make_unordered(ints(3), metric); });
  }
  expect_error(ErrorKind::failed_cast,
               [] { make_ordered_random(default_atom(AtomType::string), symmetric_distance()); });
  expect_error(ErrorKind::metric_space, [] { make_unordered(ints(), hamming_distance()); });
}

}  // namespace
}  // namespace dp::test::ordering_test
