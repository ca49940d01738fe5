#include "core/transformations/rows/resize.h"

#include <gtest/gtest.h>

#include "core/transformations/rows/gather.h"
#include "support/coupling.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::resize_test {
namespace {

const std::vector<Row<std::int32_t>> kThree = {1, 2, 3};

Domain ints(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::i32), size);
}

Dataset<std::int32_t> run(const Transformation& t, const Dataset<std::int32_t>& data) {
  return to_dataset<std::int32_t>(t.invoke(to_value(AtomType::i32, data)));
}

Distance rows(std::uint32_t d_in) { return Scalar(d_in); }

StabilityMap times(std::uint32_t factor) {
  return [factor](const Distance& d) -> Distance {
    return Scalar(number_in<std::uint32_t>(d) * factor);
  };
}

TEST(Resize, PadsWithTheConstantAndDropsRows) {
  const auto t = make_resize(vector_of(default_atom(AtomType::string)),
                             symmetric_distance(),
                             3,
                             Scalar(std::string("x")),
                             symmetric_distance());
  const auto resized = [&](const Dataset<std::string>& data) {
    return to_dataset<std::string>(t.invoke(to_value(AtomType::string, data)));
  };
  EXPECT_EQ(resized({"A", "A"}), (Dataset<std::string>{"A", "A", "x"}));
  EXPECT_EQ(resized({"A", "A", "A", "A"}), (Dataset<std::string>{"A", "A", "A"}));
  EXPECT_EQ(resized({}), (Dataset<std::string>{"x", "x", "x"}));
}

TEST(Resize, KeepsTheElementDomainAndReplacesTheSize) {
  const AtomDomain bounded = closed_atom(AtomType::i32, Scalar(0), Scalar(10));
  const auto t = make_resize(
      vector_of(bounded, 9), symmetric_distance(), 4, Scalar(0), insert_delete_distance());
  EXPECT_EQ(t.output_domain(), vector_of(bounded, 4));
  EXPECT_EQ(t.output_metric(), insert_delete_distance());
}

TEST(Resize, KeepsTheOrderUnlessItMustHideIt) {
  const Dataset<std::int32_t> data = {5, 1, 4, 2};
  for (const Metric& output : {symmetric_distance(), insert_delete_distance()}) {
    const auto ordered = make_resize(ints(), insert_delete_distance(), 3, Scalar(0), output);
    EXPECT_EQ(run(ordered, data), (Dataset<std::int32_t>{5, 1, 4}));
    EXPECT_EQ(run(ordered, {5, 1}), (Dataset<std::int32_t>{5, 1, 0}));
  }
}

TEST(Resize, IsNoStepOfItsOwnWhenNothingIsToBeDone) {
  const auto passes = [](const Metric& input, const Metric& output, std::size_t n) {
    const auto domain = is_bounded(input) ? ints(3) : ints();
    const auto t = make_resize(domain, input, 3, Scalar(0), output);
    return std::get<std::shared_ptr<const WholeStage>>(t.function().stages().at(0))->passes(n);
  };
  EXPECT_TRUE(passes(symmetric_distance(), symmetric_distance(), 3));
  EXPECT_FALSE(passes(symmetric_distance(), symmetric_distance(), 2));
  EXPECT_FALSE(passes(symmetric_distance(), symmetric_distance(), 4));
  EXPECT_FALSE(passes(symmetric_distance(), insert_delete_distance(), 3));
  EXPECT_TRUE(passes(insert_delete_distance(), insert_delete_distance(), 3));
  EXPECT_TRUE(passes(change_one_distance(), change_one_distance(), 3));
}

TEST(Resize, EveryChoiceOfRowsIsEquallyLikely) {
  const auto t = make_resize(ints(), symmetric_distance(), 2, Scalar(0), insert_delete_distance());
  const auto law = law_of<std::int32_t>(t, {1, 2, 3});
  EXPECT_EQ(law.size(), 6u);
  for (const auto& entry : law) EXPECT_EQ(entry.second, kWhole / 6);
}

TEST(Resize, RowsThatMayBeNullArePaddedWithNullsOrAConstant) {
  const Domain options = vector_of(OptionDomain{default_atom(AtomType::i32)});
  const Metric metric = insert_delete_distance();
  const auto nulls = make_resize(options, metric, 3, std::nullopt, metric);
  EXPECT_EQ(run(nulls, {{}, 7}), (Dataset<std::int32_t>{{}, 7, {}}));
  EXPECT_EQ(run(nulls, {7, {}, 8, 9}), (Dataset<std::int32_t>{7, {}, 8}));
  const auto sevens = make_resize(options, metric, 4, Scalar(7), metric);
  EXPECT_EQ(run(sevens, {1, {}}), (Dataset<std::int32_t>{1, {}, 7, 7}));
  const auto full = make_resize(options, metric, 2, std::nullopt, metric);
  EXPECT_EQ(run(full, {1, 2, 3}), (Dataset<std::int32_t>{1, 2}));
}

TEST(Resize, MapsMatchTheOracle) {
  const AtomDomain bounded = closed_atom(AtomType::i32, Scalar(0), Scalar(10));
  const Metric symmetric = symmetric_distance();
  const auto first = make_resize(vector_of(bounded), symmetric, 4, Scalar(0), symmetric);
  EXPECT_TRUE(first.check(rows(1), rows(2)));
  EXPECT_FALSE(first.check(rows(1), rows(1)));
  const Metric ordered = insert_delete_distance();
  EXPECT_EQ(debug(make_resize(ints(), ordered, 4, Scalar(0), ordered).map(rows(3))), "6");
  expect_error(ErrorKind::overflow, [&] { first.map(rows(2147483648)); });
  const auto changed =
      make_resize(ints(9), change_one_distance(), 4, Scalar(0), change_one_distance());
  EXPECT_EQ(debug(changed.map(rows(3))), "3");
}

TEST(Resize, RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  const Domain bounded = vector_of(closed_atom(AtomType::f64, Scalar(0.0), Scalar(10.0)));
  const Domain floats = vector_of(non_nan_atom(AtomType::f64));
  const Scalar nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](ErrorKind kind, const Domain& domain, std::optional<Scalar> constant) {
    expect_error(kind, [&] { make_resize(domain, metric, 4, constant, metric); });
  };
  refused(ErrorKind::make_transformation, bounded, Scalar(11.0));
  refused(ErrorKind::failed_function, bounded, nan);
  refused(ErrorKind::make_transformation, floats, nan);
  refused(ErrorKind::make_transformation, floats, std::nullopt);
  refused(ErrorKind::failed_cast, floats, Scalar(1));
  refused(ErrorKind::failed_cast, default_atom(AtomType::f64), Scalar(1.0));
  expect_error(ErrorKind::make_transformation,
               [&] { make_resize(ints(), metric, 0, Scalar(0), metric); });
  expect_error(ErrorKind::type,
               [&] { make_resize(ints(9), change_one_distance(), 4, Scalar(0), metric); });
  expect_error(ErrorKind::type,
               [&] { make_resize(ints(9), metric, 4, Scalar(0), change_one_distance()); });
  expect_error(ErrorKind::metric_space, [&] {
    make_resize(ints(), change_one_distance(), 4, Scalar(0), change_one_distance());
  });
}

TEST(Resize, ANanConstantIsARowWhereNanIs) {
  const Scalar nan = std::numeric_limits<double>::quiet_NaN();
  const Metric metric = change_one_distance();
  const auto t = make_resize(vector_of(default_atom(AtomType::f64), 1), metric, 2, nan, metric);
  const auto out = to_dataset<double>(t.invoke(to_value<double>(AtomType::f64, {1.0})));
  EXPECT_EQ(out[0], 1.0);
  EXPECT_TRUE(std::isnan(*out[1]));
}

TEST(Resize, D_SEN_1_EveryCombinationOfUnboundedMetricsIsStable) {
  for (const Metric& input : {symmetric_distance(), insert_delete_distance()}) {
    for (const Metric& output : {symmetric_distance(), insert_delete_distance()}) {
      for (std::uint64_t size = 1; size <= in_tier(2u, 3u); ++size) {
        const auto t = make_resize(ints(), input, size, Scalar(1), output);
        const auto report = check_coupling<std::int32_t>(t, kThree, 4);
        EXPECT_TRUE(report.passed()) << debug(input) << " " << debug(output) << report.text();
        EXPECT_GT(report.tight, 0u);
        const auto mutant = check_coupling<std::int32_t>(with_map(t, times(1)), kThree, 4);
        EXPECT_TRUE(mutant.is_refuted());
      }
    }
  }
}

TEST(Resize, D_SEN_1_BoundedMetricsAreStable) {
  for (const Metric& metric : {change_one_distance(), hamming_distance()}) {
    for (const std::uint64_t size : {1, 2, 3, 4}) {
      const auto t = make_resize(ints(3), metric, size, Scalar(1), metric);
      const auto report = check_coupling<std::int32_t>(t, kThree, 4);
      EXPECT_TRUE(report.passed()) << debug(metric) << report.text();
      EXPECT_GT(report.tight, 0u);
      const auto mutant = check_coupling<std::int32_t>(with_map(t, times(0)), kThree, 4);
      EXPECT_TRUE(mutant.is_refuted());
    }
  }
}

// Mutant: shuffles only the padding, as the reference does between insert-delete distances.
TEST(Resize, D_SEN_1_ShufflingPaddedSequencesOnlyIsRejected) {
  const Metric metric = insert_delete_distance();
  const auto t = make_resize(ints(), metric, 3, Scalar(1), metric);
  const auto mutant = with_function(
      t, whole_function([](const Value& arg) -> Value {
        const Column& all = *rows_in(arg);
        const std::size_t n = std::max<std::size_t>(all.size(), 3);
        return gather(all, n > 3 ? places_in_order(n) : places_at_random(n), 3, Scalar(1));
      }));
  EXPECT_TRUE(check_coupling<std::int32_t>(mutant, kThree, 4).is_refuted());
}

// Mutant: keeps the first rows of a dataset whose order must not matter.
TEST(Resize, D_SEN_1_APrefixOfAnUnorderedDatasetIsRejected) {
  const Metric metric = symmetric_distance();
  const auto t = make_resize(ints(), metric, 2, Scalar(1), metric);
  const auto prefix = make_resize(ints(), insert_delete_distance(), 2, Scalar(1), metric);
  EXPECT_TRUE(
      check_coupling<std::int32_t>(with_function(t, prefix.function()), kThree, 4).is_refuted());
}

TEST(Resize, D_DOM_1_ResultsAreMembersOfTheOutputDomain) {
  const AtomDomain atom = closed_atom(AtomType::f64, Scalar(-1.0), Scalar(1.0));
  const Metric metric = insert_delete_distance();
  StabilityCheck<double> check(make_resize(vector_of(atom), metric, 8, Scalar(0.0), metric));
  fuzz(check, 9, 5000, {0.25, 0.5, 0.75});
  EXPECT_TRUE(check.passed()) << check.report();
  EXPECT_EQ(check.tightness(), 1);
}

TEST(Resize, LargeDatasetsComeOutWhole) {
  const std::size_t n = (std::size_t{1} << 19) + 7;
  Dataset<std::int32_t> data(n);
  for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<std::int32_t>(i);
  const auto longer =
      make_resize(ints(), symmetric_distance(), n + 1, Scalar(-1), insert_delete_distance());
  auto out = run(longer, data);
  EXPECT_FALSE(std::is_sorted(out.begin(), out.end()));
  std::sort(out.begin(), out.end());
  data.insert(data.begin(), -1);
  EXPECT_EQ(out, data);
  const auto shorter =
      make_resize(ints(), symmetric_distance(), n / 2, Scalar(-1), symmetric_distance());
  out = run(shorter, data);
  std::sort(out.begin(), out.end());
  EXPECT_EQ(out.size(), n / 2);
  EXPECT_EQ(std::adjacent_find(out.begin(), out.end()), out.end());
}

}  // namespace
}  // namespace dp::test::resize_test
