#include "core/metrics/metric.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace dp::test::metric_test {
namespace {

struct Described {
  Metric metric;
  const char* debug;
  const char* type;
  const char* distance;
};

std::vector<Described> described() {
  const Metric i32 = absolute_distance(AtomType::i32);
  return {
      {symmetric_distance(), "SymmetricDistance()", "SymmetricDistance", "u32"},
      {insert_delete_distance(), "InsertDeleteDistance()", "InsertDeleteDistance", "u32"},
      {change_one_distance(), "ChangeOneDistance()", "ChangeOneDistance", "u32"},
      {hamming_distance(), "HammingDistance()", "HammingDistance", "u32"},
      {absolute_distance(AtomType::f64), "AbsoluteDistance(f64)", "AbsoluteDistance<f64>", "f64"},
      {l1_distance(AtomType::f64), "L1Distance(f64)", "L1Distance<f64>", "f64"},
      {l2_distance(AtomType::f64), "L2Distance(f64)", "L2Distance<f64>", "f64"},
      {linf_distance(AtomType::f64, false), "LInfDistance(T=f64)", "LInfDistance<f64>", "f64"},
      {linf_distance(AtomType::f64, true),
       "LInfDistance(monotonic, T=f64)",
       "LInfDistance<f64>",
       "f64"},
      {discrete_distance(), "DiscreteDistance()", "DiscreteDistance", "u32"},
      {l0pinf_distance(MetricKind::l01inf, i32),
       "L01InfDistance(AbsoluteDistance(i32))",
       "L01InfDistance<AbsoluteDistance<i32>>",
       "(u32, i32, i32)"},
      {l0pinf_distance(MetricKind::l02inf, symmetric_distance()),
       "L02InfDistance(SymmetricDistance())",
       "L02InfDistance<SymmetricDistance>",
       "(u32, u32, u32)"},
      {user_distance("Mine", nullptr), "Mine", "ExtrinsicDistance", "ExtrinsicObject"},
  };
}

TEST(Metric, DescribesItself) {
  for (const Described& row : described()) {
    EXPECT_EQ(debug(row.metric), row.debug);
    EXPECT_EQ(type_name(row.metric), row.type);
    EXPECT_EQ(distance_type_name(row.metric), row.distance);
  }
}

TEST(Metric, EqualsOnlyItself) {
  const auto all = described();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      EXPECT_EQ(all[i].metric == all[j].metric, i == j) << all[i].debug << " " << all[j].debug;
    }
  }
  EXPECT_NE(l1_distance(AtomType::f64), l1_distance(AtomType::f32));
  EXPECT_NE(l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i32)),
            l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i64)));
}

TEST(Metric, UserDistancesAreComparedByName) {
  EXPECT_EQ(user_distance("a", nullptr), user_distance("a", std::make_shared<int>(1)));
  EXPECT_NE(user_distance("a", nullptr), user_distance("b", nullptr));
}

TEST(Metric, IsReadBackFromItsTypeName) {
  for (const Described& row : described()) {
    if (row.metric.kind == MetricKind::user || row.metric.monotonic) continue;
    if (row.metric.kind == MetricKind::linf) continue;  // the name does not say `monotonic`
    EXPECT_EQ(parse_metric(row.type), row.metric) << row.type;
  }
  EXPECT_EQ(parse_metric("LInfDistance<f64>"), linf_distance(AtomType::f64, false));
  EXPECT_EQ(parse_metric("L1Distance<int>"), l1_distance(AtomType::i32));
  for (const char* text :
       {"", "Symmetric", "L1Distance", "L1Distance<f65>", "SymmetricDistance<>"}) {
    expect_error(ErrorKind::type_parse, [&] { parse_metric(text); });
  }
}

TEST(Metric, KnowsDatasetsBoundsAndOrders) {
  for (const Described& row : described()) {
    const MetricKind kind = row.metric.kind;
    const bool hamming = kind == MetricKind::hamming;
    EXPECT_EQ(is_bounded(row.metric), hamming || kind == MetricKind::change_one);
    EXPECT_EQ(is_ordered(row.metric), hamming || kind == MetricKind::insert_delete);
    EXPECT_EQ(is_dataset_metric(row.metric),
              is_bounded(row.metric) || is_ordered(row.metric) || kind == MetricKind::symmetric);
    if (is_dataset_metric(row.metric)) {
      check_dataset_metric(row.metric);
    } else {
      const std::string text =
          expect_error(ErrorKind::type, [&] { check_dataset_metric(row.metric); });
      EXPECT_NE(text.find(row.type), std::string::npos);
    }
  }
}

TEST(Metric, DistancesAreNumbers) {
  expect_error(ErrorKind::type, [] { absolute_distance(AtomType::string); });
  expect_error(ErrorKind::type, [] { l2_distance(AtomType::boolean); });
}

}  // namespace
}  // namespace dp::test::metric_test
