#include "core/combinators/chain.h"

#include <gtest/gtest.h>

#include "core/transformations/counts/count.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/identity.h"
#include "core/transformations/rows/metric_cast.h"
#include "core/transformations/rows/ordering.h"
#include "core/transformations/rows/resize.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::chain_test {
namespace {

Domain ints(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::i32), size);
}

Transformation clamp_to(std::int32_t upper, const Domain& domain = ints()) {
  return make_clamp(domain, symmetric_distance(), {Scalar(0), Scalar(upper)});
}

std::uint32_t map(const Transformation& t, std::uint32_t d) {
  return number_in<std::uint32_t>(t.map(Distance(Scalar(d))));
}

// Measurement that releases a count unchanged; its map says so.
Measurement release_count(const Domain& domain) {
  const auto t = make_count(domain, symmetric_distance(), AtomType::i32);
  return Measurement(domain,
                     symmetric_distance(),
                     max_divergence(),
                     t.function(),
                     [](const Distance& d_in) -> Distance {
                       return Scalar(number_in<std::uint32_t>(d_in) == 0
                                         ? 0.0
                                         : std::numeric_limits<double>::infinity());
                     });
}

TEST(Chain, ComposesFunctionsAndMaps) {
  const auto clamp = clamp_to(10);
  const auto resize =
      make_resize(clamp.output_domain(), symmetric_distance(), 3, Scalar(5), symmetric_distance());
  const auto t = make_chain_tt(resize, clamp);
  EXPECT_EQ(to_dataset<std::int32_t>(t.invoke(to_value<std::int32_t>(AtomType::i32, {-4, 40}))),
            (Dataset<std::int32_t>{0, 10, 5}));
  EXPECT_EQ(map(t, 3), 6u);
  EXPECT_EQ(t.input_domain(), ints());
  EXPECT_EQ(t.output_domain(), resize.output_domain());
  EXPECT_EQ(t.output_metric(), symmetric_distance());
}

TEST(Chain, ErrorsOfEitherMapComeThrough) {
  const auto doubled = make_metric_unbounded(ints(3), change_one_distance());
  const auto t = make_chain_tt(make_metric_bounded(ints(3), symmetric_distance()), doubled);
  EXPECT_EQ(map(t, 7), 7u);
  expect_error(ErrorKind::overflow, [&] { map(t, 2147483648); });
}

TEST(Chain, ADomainMismatchPrintsBothSides) {
  const auto other = make_count(vector_of(closed_atom(AtomType::i32, Scalar(0), Scalar(11))),
                                symmetric_distance(),
                                AtomType::i32);
  const std::string text =
      expect_error(ErrorKind::domain_mismatch, [&] { make_chain_tt(other, clamp_to(10)); });
  EXPECT_NE(text.find("output_domain: VectorDomain(AtomDomain(bounds=[0, 10], T=i32))"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("input_domain:  VectorDomain(AtomDomain(bounds=[0, 11], T=i32))"),
            std::string::npos)
      << text;
}

TEST(Chain, AMetricMismatchPrintsBothSides) {
  const auto ordered = make_unordered(clamp_to(10).output_domain(), insert_delete_distance());
  const std::string text =
      expect_error(ErrorKind::metric_mismatch, [&] { make_chain_tt(ordered, clamp_to(10)); });
  EXPECT_NE(text.find("output_metric: SymmetricDistance()"), std::string::npos) << text;
  EXPECT_NE(text.find("input_metric:  InsertDeleteDistance()"), std::string::npos) << text;
}

TEST(Chain, DomainsAreComparedBeforeMetrics) {
  const auto outer = make_unordered(ints(), insert_delete_distance());
  expect_error(ErrorKind::domain_mismatch, [&] { make_chain_tt(outer, clamp_to(10)); });
}

TEST(Chain, SaysSoWhenSidesPrintAlikeButDiffer) {
  const Metric one = linf_distance(AtomType::f64, false);
  Metric other = one;
  other.descriptor = std::make_shared<int>(1);  // does not affect equality
  check_same_metric(one, other);
  const Domain plain = UserDomain{"VectorDomain(AtomDomain(T=i32))", nullptr, nullptr};
  const std::string text =
      expect_error(ErrorKind::domain_mismatch, [&] { check_same_domain(ints(), plain); });
  EXPECT_NE(text.find("the parameters differ"), std::string::npos) << text;
  EXPECT_NE(text.find("shared_domain: VectorDomain(AtomDomain(T=i32))"), std::string::npos) << text;
}

TEST(Chain, EqualityIsNeverContainmentOrCoercion) {
  const auto refused = [](const Domain& output, const Domain& input) {
    expect_error(ErrorKind::domain_mismatch, [&] { check_same_domain(output, input); });
  };
  const auto bounded = [](std::int32_t upper) {
    return vector_of(closed_atom(AtomType::i32, Scalar(0), Scalar(upper)));
  };
  refused(bounded(1), ints());
  refused(bounded(1), bounded(2));
  refused(ints(3), ints());
  refused(ints(), vector_of(default_atom(AtomType::i64)));
  refused(vector_of(non_nan_atom(AtomType::f64)), vector_of(default_atom(AtomType::f64)));
  refused(ints(), vector_of(OptionDomain{default_atom(AtomType::i32)}));
}

TEST(Chain, ATransformationBeforeAMeasurement) {
  const auto clamp = clamp_to(10);
  const auto m = make_chain_mt(release_count(clamp.output_domain()), clamp);
  EXPECT_EQ(element_in<std::int32_t>(m.invoke(to_value<std::int32_t>(AtomType::i32, {1, 2}))), 2);
  EXPECT_EQ(debug(m.map(Distance(Scalar(std::uint32_t{0})))), "0.0");
  EXPECT_EQ(debug(m.map(Distance(Scalar(std::uint32_t{1})))), "inf");
  EXPECT_EQ(m.input_domain(), ints());
  EXPECT_EQ(m.output_measure(), max_divergence());
  expect_error(ErrorKind::domain_mismatch, [&] { make_chain_mt(release_count(ints()), clamp); });
  const auto unordered_clamp =
      make_clamp(ints(), insert_delete_distance(), {Scalar(0), Scalar(10)});
  expect_error(ErrorKind::metric_mismatch, [&] {
    make_chain_mt(release_count(unordered_clamp.output_domain()), unordered_clamp);
  });
}

TEST(Chain, PostprocessingKeepsTheMapAndSeesOnlyTheRelease) {
  const auto plus_one = whole_function(
      [](const Value& v) -> Value { return Scalar(element_in<std::int32_t>(v) + 1); });
  const auto m = make_chain_pm(plus_one, release_count(ints()));
  EXPECT_EQ(element_in<std::int32_t>(m.invoke(to_value<std::int32_t>(AtomType::i32, {1, 2}))), 3);
  EXPECT_EQ(debug(m.map(Distance(Scalar(std::uint32_t{0})))), "0.0");
  EXPECT_EQ(debug(m.map(Distance(Scalar(std::uint32_t{1})))), "inf");
}

TEST(Chain, D_SEN_1_RandomChainsAreStableAndKeepTheirDomains) {
  TestRandom random(17);
  for (int round = 0; round < 40; ++round) {
    Transformation t = make_identity(ints(), insert_delete_distance());
    const std::size_t length = 1 + random.below(5);
    for (std::size_t i = 0; i < length; ++i) {
      const Domain domain = t.output_domain();
      const Metric metric = t.output_metric();
      const auto upper = static_cast<std::int32_t>(random.below(5));
      const std::size_t step = random.below(3);
      if (step == 0) {
        t = make_chain_tt(make_clamp(domain, metric, {Scalar(-1), Scalar(upper)}), t);
      } else if (step == 1) {
        t = make_chain_tt(make_cast_default(domain, metric, AtomType::i32), t);
      } else {
        t = make_chain_tt(make_resize(domain, metric, 3 + random.below(4), Scalar(0), metric), t);
      }
    }
    StabilityCheck<std::int32_t> check(t);
    fuzz(check, static_cast<std::uint64_t>(round), 200);
    EXPECT_TRUE(check.passed()) << check.report();
  }
}

}  // namespace
}  // namespace dp::test::chain_test
