#include "core/measures/measure.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace dp::test::measure_test {
namespace {

Measure user(const std::string& identifier, int descriptor) {
  Measure measure{};
  measure.kind = MeasureKind::user;
  measure.identifier = identifier;
  measure.descriptor = std::make_shared<int>(descriptor);
  measure.same_descriptor = [](const Opaque& a, const Opaque& b) {
    return *std::static_pointer_cast<int>(a) == *std::static_pointer_cast<int>(b);
  };
  return measure;
}

struct Described {
  Measure measure;
  const char* debug;
  const char* type;
  const char* distance;
};

std::vector<Described> described() {
  return {
      {max_divergence(), "MaxDivergence", "MaxDivergence", "f64"},
      {zero_concentrated_divergence(),
       "ZeroConcentratedDivergence",
       "ZeroConcentratedDivergence",
       "f64"},
      {renyi_divergence(), "RenyiDivergence", "RenyiDivergence", "Function<f64, f64>"},
      {smoothed_max_divergence(),
       "SmoothedMaxDivergence",
       "SmoothedMaxDivergence",
       "PrivacyProfile"},
      {approximate(max_divergence()),
       "Approximate(MaxDivergence)",
       "Approximate<MaxDivergence>",
       "(f64, f64)"},
      {approximate(zero_concentrated_divergence()),
       "Approximate(ZeroConcentratedDivergence)",
       "Approximate<ZeroConcentratedDivergence>",
       "(f64, f64)"},
      {approximate(smoothed_max_divergence()),
       "Approximate(SmoothedMaxDivergence)",
       "Approximate<SmoothedMaxDivergence>",
       "(PrivacyProfile, f64)"},
      {user("Mine", 1), "Mine", "ExtrinsicDivergence", "ExtrinsicObject"},
  };
}

TEST(Measure, DescribesItself) {
  for (const Described& row : described()) {
    EXPECT_EQ(debug(row.measure), row.debug);
    EXPECT_EQ(type_name(row.measure), row.type);
    EXPECT_EQ(distance_type_name(row.measure), row.distance);
  }
  EXPECT_EQ(debug(approximate(user("Mine", 1))), "Approximate(Mine)");
}

TEST(Measure, EqualsOnlyItself) {
  const auto all = described();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      EXPECT_EQ(all[i].measure == all[j].measure, i == j) << all[i].debug << " " << all[j].debug;
    }
  }
}

TEST(Measure, UserMeasuresAreComparedByDescriptor) {
  EXPECT_EQ(user("a", 1), user("b", 1));
  EXPECT_NE(user("a", 1), user("a", 2));
}

TEST(Measure, IsReadBackFromItsTypeName) {
  for (const Described& row : described()) {
    if (row.measure.kind == MeasureKind::user) continue;
    EXPECT_EQ(parse_measure(row.type), row.measure);
  }
  for (const char* text : {"", "Max", "Approximate<>", "Approximate<MaxDivergence"}) {
    expect_error(ErrorKind::type_parse, [&] { parse_measure(text); });
  }
}

TEST(Measure, RefusesApproximationsThatMeanNothing) {
  expect_error(ErrorKind::type, [] { approximate(renyi_divergence()); });
  expect_error(ErrorKind::type, [] { approximate(approximate(max_divergence())); });
}

}  // namespace
}  // namespace dp::test::measure_test
