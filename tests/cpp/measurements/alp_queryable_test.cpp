#include "core/measurements/alp_queryable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "core/data/map.h"
#include "core/engine/queryable.h"
#include "core/measurements/alp_table.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"
#include "support/scripted_bits.h"

namespace dp::test::alp_queryable_test {
namespace {

Domain counts(std::optional<Bounds> bounds = std::nullopt) {
  return MapDomain{std::make_shared<const Domain>(non_nan_atom(AtomType::string)),
                   std::make_shared<const Domain>(AtomDomain{AtomType::i32, bounds, false})};
}

const Metric kMetric = l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i32));

Measurement alp(double scale,
                std::uint64_t total,
                std::optional<std::uint64_t> value,
                std::uint32_t size_factor = 50,
                std::uint32_t alpha = 4) {
  return make_alp_queryable(counts(), kMetric, scale, total, value, size_factor, alpha);
}

Value map_of(const std::vector<std::string>& keys, const std::vector<std::int32_t>& values) {
  return sorted_map(*make_column(AtomType::string, keys), *make_column(AtomType::i32, values));
}

double ask(const Value& queryable, const std::string& key) {
  return element_in<double>(queryable_in(queryable).ask(Scalar(key)));
}

TEST(AlpQueryable, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_alp_queryable");
  ASSERT_EQ(rows.size(), 3u);
  for (const OracleRow& row : rows) {
    const Measurement measurement = alp(oracle_number(*row.arg("scale")),
                                        std::stoull(*row.arg("total_limit")),
                                        std::stoull(*row.arg("value_limit")));
    const auto l1 = static_cast<std::int32_t>(std::stol(row.d_in.substr(row.d_in.find(',') + 1)));
    const Distance d_in = Distance::Tuple{Scalar(std::uint32_t{1}), Scalar(l1), Scalar(l1)};
    EXPECT_NEAR(number_in<double>(measurement.map(d_in)), oracle_number(row.d_out), 1e-12);
  }
}

// Law of the `hashes` bits of a key with value v. The bits are at distinct places, and no other key
// sets them.
FiniteLaw bits_law(double v, std::size_t hashes, const Wide& steps, const Wide& flip) {
  const Wide r = std::min(Wide(v * steps), Wide(hashes));
  const auto whole = static_cast<std::size_t>(floor(r));
  const Wide rest = r - whole;
  FiniteLaw law(std::size_t{1} << hashes);
  for (std::size_t seen = 0; seen < law.size(); ++seen) {
    const auto given = [&](std::size_t set) {
      Wide p = 1;
      for (std::size_t i = 0; i < hashes; ++i) {
        p *= ((seen >> i & 1) != 0) == (i < set) ? Wide(1 - flip) : flip;
      }
      return p;
    };
    law[seen] = (1 - rest) * given(whole) + (rest == 0 ? Wide(0) : Wide(rest * given(whole + 1)));
  }
  return law;
}

// Largest loss per unit of value, with values up to the limit of 6 and 5 hashes.
Wide worst_loss(double scale, unsigned alpha, double flip) {
  Wide worst = 0;
  for (int v = 0; v < 6; ++v) {
    for (int w = v + 1; w <= 6; ++w) {
      const FiniteLaw a = bits_law(v, 5, Wide(scale) / alpha, flip);
      const FiniteLaw b = bits_law(w, 5, Wide(scale) / alpha, flip);
      worst = std::max({worst,
                        Wide(max_divergence_of(a, b) / (w - v)),
                        Wide(max_divergence_of(b, a) / (w - v))});
    }
  }
  return worst;
}

TEST(AlpQueryable, D_EPS_2_NoPairOfValuesLosesMoreThanTheClaim) {
  for (unsigned alpha : {1u, 4u, 9u}) {
    for (double scale : {0.1, 1.0, 3.0}) {
      EXPECT_LE(worst_loss(scale, alpha, div_up(1.0, alpha + 2.0)), scale + slack());
    }
  }
}

TEST(AlpQueryable, D_EPS_2_TheCheckRejectsBitsThatAreFlippedTooSeldom) {
  EXPECT_GT(worst_loss(0.1, 4, 1 / 6.5), 0.1);
  EXPECT_GT(worst_loss(1.0, 4, 1 / 10.0), 1.0);
}

// Counts maps, out of 2000, that are below the exact loss. No map may exceed it by more than the
// next double. Distances beyond 2^53 are not representable as doubles.
int maps_below(const std::function<double(std::int64_t, double)>& map) {
  SplitMix random(71);
  int below = 0;
  for (int i = 0; i < 2000; ++i) {
    const int bits = 1 + static_cast<int>(random() % 63);
    const auto distance = static_cast<std::int64_t>(random() >> bits);
    const double scale = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
    const Rational exact = Rational(Integer(distance)) * exact_rational(scale);
    const double value = map(distance, scale);
    below += exact_rational(value) < exact;
    EXPECT_LE(value, to_double_up(exact) * (1 + 0x1p-51));
  }
  return below;
}

TEST(AlpQueryable, D_FLT_3_TheMapIsNeverBelowScaleTimesDistance) {
  const Domain wide =
      MapDomain{std::make_shared<const Domain>(non_nan_atom(AtomType::string)),
                std::make_shared<const Domain>(AtomDomain{AtomType::i64, std::nullopt, false})};
  const Metric metric = l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i64));
  const auto map = [&](std::int64_t distance, double scale) {
    const Scalar l1(distance);
    return number_in<double>(make_alp_queryable(wide, metric, scale, 24, 24)
                                 .map(Distance::Tuple{Scalar(std::uint32_t{1}), l1, l1}));
  };
  EXPECT_EQ(maps_below(map), 0);
  const auto to_nearest = [](std::int64_t distance, double scale) {
    return static_cast<double>(distance) * scale;
  };
  EXPECT_GT(maps_below(to_nearest), 500);
}

// With one hash, an answer is 1 / q if its bit is set and 0 otherwise, where q is scale / alpha.
TEST(AlpQueryable, BitsHaveTheirLaw) {
  const auto bit_fit = [](std::int32_t v, double flip, std::uint32_t alpha = 4) {
    ReplayedBits bits(61);
    const ScopedBitSource scope(bits);
    const Measurement measurement = alp(alpha / 4.0, 4, 4, 1, alpha);
    std::vector<double> seen(2);
    for (int i = 0; i < 20000; ++i) {
      const Value queryable = measurement.invoke(map_of({"key"}, {v}));
      const double answer = ask(queryable, "key");
      EXPECT_TRUE(answer == 0 || answer == 4);
      seen[answer == 0 ? 0 : 1] += 1;
    }
    return fit(seen, bits_law(v, 1, Wide(1) / 4, flip));
  };
  for (std::int32_t v : {0, 1, 3, 4}) EXPECT_GT(bit_fit(v, 1 / 6.0), 1e-6 / 5) << v;
  EXPECT_LT(bit_fit(4, 1 / 7.0), 1e-6 / 5);
  for (std::uint32_t alpha : {1u, 9u}) {
    EXPECT_GT(bit_fit(2, 1 / (alpha + 2.0), alpha), 1e-6 / 5) << alpha;
  }
}

TEST(AlpQueryable, EstimatesAreNearTheCounts) {
  ReplayedBits bits(62);
  const ScopedBitSource scope(bits);
  const Measurement measurement = alp(2, 300, 200);
  double total = 0;
  for (int i = 0; i < 40; ++i) {
    const Value queryable = measurement.invoke(map_of({"a", "b", "c"}, {100, 50, -20}));
    total += ask(queryable, "a");
    EXPECT_EQ(ask(queryable, "a"), ask(queryable, "a"));  // the table is fixed
    EXPECT_NEAR(ask(queryable, "b"), 50, 40);
    EXPECT_NEAR(ask(queryable, "c"), 0, 40);
    EXPECT_NEAR(ask(queryable, "not there"), 0, 40);
  }
  EXPECT_NEAR(total / 40, 100, 8);
}

TEST(AlpTable, AnswersTheMeanOfThePlacesOfTheGreatestSum) {
  ReplayedBits bits(67);
  AlpTable table(20, 8, bits);
  EXPECT_EQ(table.estimate(1), 0);
  table.add(hash_of_key(std::uint64_t{1}), 3, bits);
  EXPECT_EQ(table.estimate(hash_of_key(std::uint64_t{1})), 3);
  table.add(hash_of_key(std::uint64_t{1}), 100, bits);
  EXPECT_EQ(table.estimate(hash_of_key(std::uint64_t{1})), 8);
  AlpTable one(0, 4, bits);
  one.add(7, Rational(1, 1000000), bits);
  EXPECT_TRUE(one.estimate(7) == 0 || one.estimate(7) == 4);
}

TEST(AlpTable, D_SAM_1_ValuesAreRoundedAtRandomWithTheirMean) {
  ReplayedBits bits(71);
  double sum = 0;
  for (int i = 0; i < 4000; ++i) {
    AlpTable table(16, 8, bits);
    table.add(hash_of_key(std::string_view("key")), Rational(13, 5), bits);
    sum += table.estimate(hash_of_key(std::string_view("key")));
  }
  EXPECT_NEAR(sum / 4000, 2.6, 6 * 0.49 / std::sqrt(4000));
}

TEST(AlpQueryable, ALimitComesFromTheBoundsOfTheValues) {
  EXPECT_NO_THROW(make_alp_queryable(counts(Bounds{Scalar(0), Scalar(24)}), kMetric, 1, 24));
  EXPECT_EQ(expect_error(ErrorKind::make_measurement,
                         [] { make_alp_queryable(counts(), kMetric, 1, 24); }),
            "value_limit is required when data is unbounded");
}

TEST(AlpQueryable, RefusesWhatItCannotPromise) {
  const ErrorKind kind = ErrorKind::make_measurement;
  for (double scale : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    expect_error(kind, [scale] { alp(scale, 24, 24); });
  }
  EXPECT_EQ(expect_error(kind, [] { alp(1, 24, 24, 50, 0); }), "alpha (0) must be positive");
  EXPECT_EQ(expect_error(kind, [] { alp(1, 0, 24); }), "projection_size must be positive");
  EXPECT_EQ(expect_error(kind, [] { alp(1e-16, 24, 24); }),
            "scale divided by alpha must be above 2^-52");
  expect_error(kind, [] { alp(1e6, 1000000, 24); });
  expect_error(kind, [] { alp(1, 24, std::uint64_t{1} << 40); });
  expect_error(ErrorKind::type, [] {
    make_alp_queryable(
        counts(), l0pinf_distance(MetricKind::l02inf, absolute_distance(AtomType::i32)), 1, 24, 24);
  });
  expect_error(ErrorKind::type, [] {
    make_alp_queryable(
        counts(), l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::f64)), 1, 24, 24);
  });
  expect_error(ErrorKind::type,
               [] { make_alp_queryable(vectors(AtomType::i32), kMetric, 1, 24, 24); });
  expect_error(ErrorKind::failed_map, [] {
    alp(1, 24, 24).map(Distance::Tuple{Scalar(std::uint32_t{1}), Scalar(-1), Scalar(1)});
  });
  const Value queryable = alp(1, 24, 24).invoke(map_of({}, {}));
  expect_error(ErrorKind::failed_cast, [&] { queryable_in(queryable).ask(Scalar(1)); });
}

}  // namespace
}  // namespace dp::test::alp_queryable_test
