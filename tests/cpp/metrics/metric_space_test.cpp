#include "core/metrics/metric_space.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace dp::test::metric_space_test {
namespace {

Domain map_to(const AtomDomain& value) {
  return MapDomain{std::make_shared<const Domain>(default_atom(AtomType::string)),
                   std::make_shared<const Domain>(value)};
}

// Every kind of metric, with a distance type if it has one.
std::vector<Metric> metrics() {
  const Metric absolute = absolute_distance(AtomType::i32);
  return {symmetric_distance(),
          insert_delete_distance(),
          change_one_distance(),
          hamming_distance(),
          absolute,
          l1_distance(AtomType::f64),
          l2_distance(AtomType::i32),
          linf_distance(AtomType::f64, false),
          l0pinf_distance(MetricKind::l01inf, absolute),
          l0pinf_distance(MetricKind::l02inf, absolute),
          l0pinf_distance(MetricKind::l01inf, symmetric_distance()),
          discrete_distance()};
}

bool is_space(const Domain& domain, const Metric& metric) {
  try {
    check_metric_space(domain, metric);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::metric_space);
    return false;
  }
}

struct Row {
  const char* name;
  Domain domain;
  const char* spaces;  // one mark per metric above
};

// The whole table, so that no pair is a space by accident.
TEST(MetricSpace, IsExactlyTheTable) {
  const AtomDomain f64 = non_nan_atom(AtomType::f64);
  const AtomDomain nan = default_atom(AtomType::f64);
  const AtomDomain i32 = default_atom(AtomType::i32);
  const Domain option = OptionDomain{i32};
  const std::vector<Row> table = {
      // SIOH A 12i pqr d
      {"vector of f64",
       vector_of(f64),
       "yy..."
       "yyy"
       "yy."
       "."},
      {"sized vector of f64",
       vector_of(f64, 3),
       "yyyy."
       "yyy"
       "yy."
       "."},
      {"vector of f64 with NaN",
       vector_of(nan),
       "yy..."
       "..."
       "..."
       "."},
      {"vector of i32",
       vector_of(i32),
       "yy..."
       "yy."
       "yy."
       "."},
      {"vector of options",
       vector_of(option),
       "yy..."
       "..."
       "..."
       "."},
      {"sized vector of options",
       vector_of(option, 3),
       "yyyy."
       "..."
       "..."
       "."},
      {"f64",
       f64,
       "....y"
       "..."
       "..."
       "y"},
      {"f64 with NaN",
       nan,
       "....."
       "..."
       "..."
       "y"},
      {"String",
       default_atom(AtomType::string),
       "y...y"
       "..."
       "..."
       "y"},
      {"option",
       option,
       "....."
       "..."
       "..."
       "."},
      {"map to f64",
       map_to(f64),
       "....."
       "yy."
       "yy."
       "."},
      {"map to f64 with NaN",
       map_to(nan),
       "....."
       "..."
       "..."
       "."},
      {"data frame",
       DataFrameDomain{AtomType::string},
       "yyy.."
       "..."
       "..."
       "."},
      {"bit vector",
       BitVectorDomain{std::nullopt},
       "....."
       "..."
       "..."
       "y"},
      {"user",
       UserDomain{"Mine", nullptr, nullptr},
       "yyyyy"
       "yyy"
       "yyy"
       "y"},
  };
  const auto all = metrics();
  for (const Row& row : table) {
    ASSERT_EQ(std::string(row.spaces).size(), all.size()) << row.name;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(is_space(row.domain, all[i]), row.spaces[i] == 'y')
          << row.name << " with " << debug(all[i]);
    }
    EXPECT_TRUE(is_space(row.domain, user_distance("Mine", nullptr)));
  }
}

TEST(MetricSpace, LInfWantsTheTypeOfTheData) {
  const Domain ints = vector_of(default_atom(AtomType::i32));
  EXPECT_TRUE(is_space(ints, linf_distance(AtomType::i32, false)));
  EXPECT_FALSE(is_space(ints, linf_distance(AtomType::i64, false)));
}

TEST(MetricSpace, SaysWhatIsMissing) {
  const auto says = [](const Domain& domain, const Metric& metric, const char* part) {
    const std::string text =
        expect_error(ErrorKind::metric_space, [&] { check_metric_space(domain, metric); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const Domain ints = vector_of(default_atom(AtomType::i32));
  const AtomDomain nan = default_atom(AtomType::f64);
  const Metric absolute = absolute_distance(AtomType::f64);
  says(ints, change_one_distance(), "change-one distance requires a known dataset size");
  says(ints, hamming_distance(), "Hamming distance requires a known dataset size");
  says(nan, absolute, "AbsoluteDistance requires non-nan elements");
  says(vector_of(nan), l1_distance(AtomType::f64), "LpDistance requires non-nan elements");
  says(map_to(nan), l2_distance(AtomType::f64), "LpDistance requires non-nan elements");
  says(vector_of(nan),
       linf_distance(AtomType::f64, false),
       "LInfDistance requires non-nan elements");
  says(vector_of(nan),
       l0pinf_distance(MetricKind::l01inf, absolute),
       "PartitionDistance requires non-nan elements");
  says(map_to(nan),
       l0pinf_distance(MetricKind::l01inf, absolute),
       "PartitionDistance<AbsoluteDistance<f64>> requires non-nullable elements");
  says(ints, absolute, "AbsoluteDistance(f64) is not a metric on VectorDomain(AtomDomain(T=i32))");
}

}  // namespace
}  // namespace dp::test::metric_space_test
