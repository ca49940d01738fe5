// Same releases from the same bits, and same losses, on every platform.
#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/data/map.h"
#include "core/engine/queryable.h"
#include "core/measurements/alp_queryable.h"
#include "core/measurements/canonical_noise.h"
#include "core/measurements/geometric.h"
#include "core/measurements/noise.h"
#include "core/measurements/noise_threshold.h"
#include "core/measurements/noisy_max.h"
#include "core/measurements/private_quantile.h"
#include "core/measurements/randomized_response.h"
#include "core/measurements/randomized_response_bitvec.h"
#include "core/measurements/stable_top_k.h"
#include "core/transformations/counts/count_by.h"
#include "golden/golden_data.h"

namespace dp::test::measurements_golden_test {
namespace {

constexpr std::size_t kSize = 2000;

Domain numbers(AtomType type, std::optional<std::uint64_t> size = {}) {
  return vector_of(non_nan_atom(type), size);
}

std::vector<Distance> doubles_apart() {
  std::vector<Distance> all;
  for (const double d_in : {0.0, 1.0, 0.1, 3.7, 1e6}) all.emplace_back(Scalar(d_in));
  return all;
}

template <class T>
std::vector<Distance> integers_apart() {
  std::vector<Distance> all;
  for (const int d_in : {0, 1, 2, 7, 100}) all.emplace_back(Scalar(static_cast<T>(d_in)));
  return all;
}

std::string noisy_doubles(const Measure& measure, double scale, std::optional<int> k = {}) {
  const bool is_pure = measure == max_divergence();
  const Metric metric = is_pure ? l1_distance(AtomType::f64) : l2_distance(AtomType::f64);
  return golden_step(make_noise(numbers(AtomType::f64, kSize), metric, measure, scale, k),
                     make_column(AtomType::f64, golden_clamped_doubles(kSize)),
                     doubles_apart());
}

std::string noisy_integers(const Measure& measure, double scale) {
  const bool is_pure = measure == max_divergence();
  const Metric metric = is_pure ? l1_distance(AtomType::i32) : l2_distance(AtomType::i32);
  return golden_step(make_noise(numbers(AtomType::i32), metric, measure, scale),
                     make_column(AtomType::i32, golden_integers(kSize)),
                     integers_apart<std::int32_t>());
}

TEST(GoldenMeasurements, Noise) {
  EXPECT_EQ(noisy_doubles(max_divergence(), 2.5), "3a9a7a0fe407b0c9");
  EXPECT_EQ(noisy_doubles(max_divergence(), 1e6, -20), "71c7effe517f4d83");
  EXPECT_EQ(noisy_doubles(zero_concentrated_divergence(), 2.5), "2f619845a0f7a077");
  EXPECT_EQ(noisy_doubles(zero_concentrated_divergence(), 0.01, 3), "6c24abd2cd49c666");
  EXPECT_EQ(noisy_integers(max_divergence(), 3.3), "068c8e29244404f7");
  EXPECT_EQ(noisy_integers(zero_concentrated_divergence(), 1e5), "6350cdd627c762b8");
}

TEST(GoldenMeasurements, NoiseOfOtherKinds) {
  const Bounds bounds{Scalar(std::int32_t{-900}), Scalar(std::int32_t{900})};
  EXPECT_EQ(
      golden_step(
          make_geometric(non_nan_atom(AtomType::i32), absolute_distance(AtomType::i32), 7, bounds),
          Scalar(std::int32_t{-850}),
          integers_apart<std::int32_t>()),
      "ce5ccd64626f4b20");
  EXPECT_EQ(golden_step(
                make_canonical_noise(
                    non_nan_atom(AtomType::f64), absolute_distance(AtomType::f64), 2.0, 0.3, 1e-7),
                Scalar(12.25),
                doubles_apart()),
            "baf0c26e1da8f781");
}

Value counts() {
  std::vector<std::string> keys;
  std::vector<std::int32_t> values;
  GoldenInput input(51);
  for (int i = 0; i < 500; ++i) {
    keys.push_back("key " + std::to_string(i));
    values.push_back(static_cast<std::int32_t>(input.below(60)));
  }
  return sorted_map(*make_column(AtomType::string, keys), *make_column(AtomType::i32, values));
}

Domain maps_of_counts() {
  return MapDomain{std::make_shared<const Domain>(non_nan_atom(AtomType::string)),
                   std::make_shared<const Domain>(non_nan_atom(AtomType::i32))};
}

std::vector<Distance> counts_apart() {
  std::vector<Distance> all;
  for (const std::int32_t d_in : {0, 1, 3}) {
    all.emplace_back(Distance::Tuple{
        Scalar(static_cast<std::uint32_t>(d_in)), Scalar(2 * d_in), Scalar(2 * d_in)});
  }
  return all;
}

TEST(GoldenMeasurements, Thresholds) {
  const Metric inner = absolute_distance(AtomType::i32);
  const Scalar threshold(std::int32_t{30});
  EXPECT_EQ(
      golden_step(make_laplace_threshold(
                      maps_of_counts(), l0pinf_distance(MetricKind::l01inf, inner), 2.5, threshold),
                  counts(),
                  counts_apart()),
      "0e9de352408e1f67");
  EXPECT_EQ(
      golden_step(make_gaussian_threshold(
                      maps_of_counts(), l0pinf_distance(MetricKind::l02inf, inner), 4, threshold),
                  counts(),
                  counts_apart()),
      "b4e4411bda8051f2");
}

// Strings, which are counted in order of appearance. Integers are counted in a hash table whose key
// each process draws anew, and get noise in table order. Their releases agree only in law.
TEST(GoldenMeasurements, CountsOfTextsThatAreNotKnown) {
  const Metric metric = l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i64));
  const Transformation counts =
      make_count_by(numbers(AtomType::string), symmetric_distance(), AtomType::i64, metric);
  const Measurement noise =
      make_laplace_threshold(counts.output_domain(), metric, 1.5, Scalar(std::int64_t{4}));
  EXPECT_EQ(golden_step(make_chain_mt(noise, counts),
                        make_column(AtomType::string, golden_texts(kSize)),
                        rows_apart()),
            "edbb80782fe65152");
}

TEST(GoldenMeasurements, AlpQueryable) {
  const Measurement measurement =
      make_alp_queryable(maps_of_counts(),
                         l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i32)),
                         1.5,
                         20000,
                         60);
  EXPECT_EQ(golden([&](Golden& found) {
              ScriptedBits bits(52);
              const ScopedBitSource scope(bits);
              const Value queryable = measurement.invoke(counts());
              for (int i = 0; i < 100; ++i) {
                found.add(queryable_in(queryable).ask(Scalar("key " + std::to_string(i))));
              }
              for (const Distance& d_in : counts_apart()) found.add(measurement.map(d_in));
            }),
            "cd1e3c55542c7175");
}

TEST(GoldenMeasurements, Selections) {
  const Value scores = make_column(AtomType::f64, golden_clamped_doubles(100));
  const auto best = [&](const Measure& measure, double scale, bool negate) {
    return golden_step(make_noisy_top_k(numbers(AtomType::f64),
                                        linf_distance(AtomType::f64, false),
                                        measure,
                                        10,
                                        scale,
                                        negate),
                       scores,
                       doubles_apart());
  };
  EXPECT_EQ(best(max_divergence(), 200, false), "dc9f9860c96464f6");
  EXPECT_EQ(best(zero_concentrated_divergence(), 200, true), "06558fb41f5dd039");
  std::vector<Scalar> candidates;
  for (int i = -5; i < 20; ++i) candidates.emplace_back(i * 50.0);
  EXPECT_EQ(golden_step(make_private_quantile(
                            vector_of(closed_atom(AtomType::f64, Scalar(-500.0), Scalar(1000.0))),
                            symmetric_distance(),
                            max_divergence(),
                            candidates,
                            0.3,
                            100),
                        make_column(AtomType::f64, golden_clamped_doubles(kSize)),
                        rows_apart()),
            "62e0cc374ba25ce9");
  std::vector<std::int64_t> tallies;
  for (const std::int32_t x : golden_integers(50)) tallies.push_back(x);
  EXPECT_EQ(golden_step(make_stable_top_k(vector_of(non_nan_atom(AtomType::i64), tallies.size()),
                                          linf_distance(AtomType::i64, false),
                                          5,
                                          3,
                                          2),
                        make_column(AtomType::i64, tallies),
                        integers_apart<std::int64_t>()),
            "dd7facd3b87eabaa");
}

TEST(GoldenMeasurements, RandomizedResponses) {
  const auto answers = [](const Measurement& measurement, const Value& truth) {
    return golden([&](Golden& found) {
      ScriptedBits bits(53);
      const ScopedBitSource scope(bits);
      for (int i = 0; i < 300; ++i) found.add(measurement.invoke(truth));
      found.add(measurement.map(Scalar(std::uint32_t{1})));
    });
  };
  const std::vector<Scalar> categories = {
      Scalar(std::string("b")), Scalar(std::string("a")), Scalar(std::string("c"))};
  EXPECT_EQ(answers(make_randomized_response_bool(0.7), Scalar(true)), "d3ef5b816a5a655d");
  EXPECT_EQ(answers(make_randomized_response_bool(0.7, true), Scalar(true)), "bf9e7a3c29b422c4");
  EXPECT_EQ(answers(make_randomized_response(categories, AtomType::string, 0.6),
                    Scalar(std::string("a"))),
            "94416f1de12582ca");
  EXPECT_EQ(
      answers(make_randomized_response_bitvec(BitVectorDomain{11, 24}, discrete_distance(), 0.3),
              Value::Bits{{0x15, 0, 0xff}}),
      "ea016246e8a3a4a8");
}

TEST(GoldenMeasurements, LossesInOtherMeasures) {
  const Measurement laplace = make_noise(
      non_nan_atom(AtomType::f64), absolute_distance(AtomType::f64), max_divergence(), 2.5);
  const Measurement gaussian = make_noise(non_nan_atom(AtomType::f64),
                                          absolute_distance(AtomType::f64),
                                          zero_concentrated_divergence(),
                                          2.5);
  EXPECT_EQ(golden_step(make_pureDP_to_zCDP(laplace), Scalar(7.0), doubles_apart()),
            "e5d406d8af40e92f");
  const Measurement profile = make_zCDP_to_approxDP(gaussian);
  EXPECT_EQ(golden_step(profile, Scalar(7.0), {Scalar(0.5), Scalar(2.0)}), "cae0f501fb1c292c");
  EXPECT_EQ(golden_step(make_fix_delta(profile, Delta(1e-7)), Scalar(7.0), doubles_apart()),
            "dca7284ba4effa22");
}

}  // namespace
}  // namespace dp::test::measurements_golden_test
