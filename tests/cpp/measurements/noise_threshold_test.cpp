#include "core/measurements/noise_threshold.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "core/data/map.h"
#include "core/measures/loss.h"
#include "core/numeric/directed.h"
#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::noise_threshold_test {
namespace {

const Measure kPure = approximate(max_divergence());
const Measure kZcdp = approximate(zero_concentrated_divergence());

Domain maps(AtomType key, AtomType value) {
  return MapDomain{std::make_shared<const Domain>(non_nan_atom(key)),
                   std::make_shared<const Domain>(non_nan_atom(value))};
}

Metric spread(MetricKind kind, AtomType type) {
  return l0pinf_distance(kind, absolute_distance(type));
}

Measurement laplace(AtomType type, double scale, const Scalar& threshold) {
  return make_laplace_threshold(
      maps(AtomType::i32, type), spread(MetricKind::l01inf, type), scale, threshold);
}

Measurement gaussian(AtomType type, double scale, const Scalar& threshold) {
  return make_gaussian_threshold(
      maps(AtomType::i32, type), spread(MetricKind::l02inf, type), scale, threshold);
}

template <class T>
Distance triple(std::uint32_t d0, T dp, T dinf) {
  return Distance::Tuple{Scalar(d0), Scalar(dp), Scalar(dinf)};
}

struct Pair {
  double inner, delta;
};
Pair loss_of(const Measurement& measurement, const Distance& d_in) {
  const ApproximateLoss parts = approximate_in(measurement.map(d_in));
  return {number_in<double>(parts.inner), parts.delta};
}

template <class V>
Value map_value(AtomType type,
                const std::vector<std::int32_t>& keys,
                const std::vector<V>& values) {
  return sorted_map(*make_column(AtomType::i32, keys), *make_column(type, values));
}

template <class T>
std::vector<T> cells(const ColumnPtr& rows) {
  BatchBuffer buffer;
  const auto* cell = rows->read(0, rows->size(), buffer).template as<T>();
  return std::vector<T>(cell, cell + rows->size());
}

// Parses "[1, 2.0, \"Inf\"]".
std::vector<double> numbers(const std::string& list) {
  std::vector<double> out;
  std::string text;
  for (char c : list) {
    if (c == ',' || c == ']') {
      out.push_back(oracle_number(text));
      text.clear();
    } else if (c != '[' && c != ' ' && c != '"') {
      text += c;
    }
  }
  return out;
}

Measurement oracle_threshold(const OracleRow& row, bool is_laplace) {
  const std::string domain = *row.arg("input_domain");
  const auto part = [&](const std::string& key) {
    const std::size_t begin = domain.find(key) + key.size();
    return parse_atom_type(domain.substr(begin, domain.find_first_of(",)", begin) - begin));
  };
  const AtomType value = part("value=");
  const std::string metric = *row.arg("input_metric");
  const std::size_t open = metric.rfind('(') + 1;
  const AtomType distance = parse_atom_type(metric.substr(open, metric.find(')') - open));
  const Scalar threshold = visit_number(value, [&](auto tag) {
    return Scalar(static_cast<typename decltype(tag)::type>(oracle_number(*row.arg("threshold"))));
  });
  const double scale = oracle_number(*row.arg("scale"));
  return make_noise_threshold(
      maps(part("key="), value),
      spread(is_laplace ? MetricKind::l01inf : MetricKind::l02inf, distance),
      is_laplace ? kPure : kZcdp,
      scale,
      threshold);
}

Distance oracle_triple(const OracleRow& row, const Measurement& measurement) {
  const std::vector<double> parts = numbers(row.d_in);
  return visit_number(measurement.input_metric().inner->distance_type, [&](auto tag) -> Distance {
    using T = typename decltype(tag)::type;
    // Some integer rows are given with a decimal point.
    return triple(
        static_cast<std::uint32_t>(parts[0]), static_cast<T>(parts[1]), static_cast<T>(parts[2]));
  });
}

bool near(double found, double wanted) {
  return std::fabs(found - wanted) <= 1e-9 * std::fabs(wanted) + 3e-16 || found == wanted;
}

// The published delta of Laplace noise on integers excludes the threshold value. It equals our
// delta at a threshold one step higher.
Distance further(const OracleRow& row) {
  OracleRow moved = row;
  const std::string key = "\"threshold\": ";
  const std::size_t at = moved.args.find(key) + key.size();
  const std::size_t end = moved.args.find_first_of(",}", at);
  moved.args.replace(at, end - at, std::to_string(std::stol(moved.args.substr(at, end - at)) + 1));
  const Measurement measurement = oracle_threshold(moved, true);
  return measurement.map(oracle_triple(moved, measurement));
}

void expect_oracle(const std::string& constructor, std::size_t count) {
  const auto rows = oracle_rows(constructor);
  ASSERT_EQ(rows.size(), count);
  const bool is_laplace = constructor.find("laplace") != std::string::npos;
  const bool sound = constructor.find("sound") != std::string::npos;
  for (const OracleRow& row : rows) {
    SCOPED_TRACE("line " + std::to_string(row.line) + ": " + row.args + " at " + row.d_in);
    const Measurement measurement = oracle_threshold(row, is_laplace);
    if (row.is_error()) {
      try {
        measurement.map(oracle_triple(row, measurement));
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_TRUE(matches(row, error)) << error.what();
      }
      continue;
    }
    const std::vector<double> wanted = numbers(row.d_out);
    const Pair found = loss_of(measurement, oracle_triple(row, measurement));
    EXPECT_TRUE(near(found.inner, wanted[0])) << found.inner;
    EXPECT_GE(found.delta, wanted[1] * (1 - 1e-9) - 3e-16);
    if (wanted[1] > 0) {
      EXPECT_GT(found.delta, 0);
    }
    const bool integers = row.arg("input_domain")->find("value=f") == std::string::npos;
    if (sound || !integers) {
      EXPECT_TRUE(near(found.delta, wanted[1])) << found.delta;
    } else if (is_laplace && wanted[1] < 1 && wanted[1] > 0) {
      EXPECT_TRUE(near(approximate_in(further(row)).delta, wanted[1])) << row.d_out;
    }
  }
}

TEST(NoiseThreshold, LaplaceAgreesWithTheOracleAndIsSoundWhereThatIsNot) {
  expect_oracle("make_laplace_threshold", 27);
  expect_oracle("make_laplace_threshold[sound tail]", 4);
}

TEST(NoiseThreshold, GaussianAgreesWithTheOracleAndIsSoundWhereThatIsNot) {
  expect_oracle("make_gaussian_threshold", 11);
}

// Law of one entry of the release: absent, or with a value z in -kReach .. kReach.
constexpr long kReach = 60;
FiniteLaw entry_law(long value, const Law& noise, long threshold) {
  FiniteLaw law(2 * kReach + 2);
  for (long z = -kReach - std::labs(value); z <= kReach + std::labs(value); ++z) {
    const long noisy = std::min(kReach, std::max(-kReach, value + z));
    const bool kept = value != 0 && (threshold < 0 ? noisy <= threshold : noisy >= threshold);
    law[kept ? static_cast<std::size_t>(noisy + kReach + 1) : 0] += noise.mass(z);
  }
  return law;
}

FiniteLaw product(const FiniteLaw& a, const FiniteLaw& b) {
  FiniteLaw law;
  for (const Wide& p : a) {
    for (const Wide& q : b) law.push_back(p * q);
  }
  return law;
}

// Delta at `epsilon` between maps of two keys with these values. A value of 0 means a missing key.
Wide delta_between(const long (&x)[2], const long (&y)[2], const Law& noise, long t, Wide epsilon) {
  return hockey_stick_of(product(entry_law(x[0], noise, t), entry_law(x[1], noise, t)),
                         product(entry_law(y[0], noise, t), entry_law(y[1], noise, t)),
                         epsilon);
}

TEST(NoiseThreshold, D_EPS_2_D_EPS_3_NoPairOfMapsLosesMoreThanTheClaimOfLaplace) {
  const Law noise = laplace_law(1.5, 150);
  for (long t : {6L, -6L}) {
    const std::int32_t side = t < 0 ? -1 : 1;
    const Measurement measurement =
        laplace(AtomType::i32, 1.5, Scalar(static_cast<std::int32_t>(t)));
    const long pairs[][2][2] = {
        {{2, 5}, {0, 5}}, {{2, 5}, {0, 7}}, {{3, 2}, {0, 0}}, {{3, -2}, {2, 0}}, {{9, 0}, {7, 2}}};
    for (const auto& pair : pairs) {
      long x[2], y[2];
      std::uint32_t d0 = 0;
      std::int32_t d1 = 0, dinf = 0;
      for (int i = 0; i < 2; ++i) {
        x[i] = side * pair[0][i];
        y[i] = side * pair[1][i];
        const auto gap = static_cast<std::int32_t>(std::labs(x[i] - y[i]));
        d0 += gap > 0;
        d1 += gap;
        dinf = std::max(dinf, gap);
      }
      const Pair claim = loss_of(measurement, triple(d0, d1, dinf));
      EXPECT_LE(delta_between(x, y, noise, t, claim.inner), claim.delta + Wide(1e-40));
      EXPECT_LE(delta_between(y, x, noise, t, claim.inner), claim.delta + Wide(1e-40));
    }
  }
}

TEST(NoiseThreshold, D_EPS_2_D_EPS_3_TheCheckRejectsTheTailThatLeavesTheThresholdOut) {
  const Law noise = laplace_law(1.5, 150);
  const Pair claim = loss_of(laplace(AtomType::i32, 1.5, Scalar(7)), triple(1, 2, 2));
  EXPECT_GT(delta_between({2, 5}, {0, 5}, noise, 6, claim.inner), claim.delta);
}

TEST(NoiseThreshold, D_EPS_2_D_EPS_3_NewKeysShowWithinTheDeltaOfGaussian) {
  const Law noise = gaussian_law(2);
  for (std::int32_t t : {1, 3, 8, 14}) {
    for (std::int32_t value : {1, 3}) {
      if (value > t) continue;
      const Pair claim = loss_of(gaussian(AtomType::i32, 2, Scalar(t)), triple(1, value, value));
      Wide shown = 0;
      for (long z = t - value; z <= noise.reach; ++z) shown += noise.mass(z);
      EXPECT_LE(shown, claim.delta);
    }
  }
}

TEST(NoiseThreshold, D_EPS_3_SingletonKeysShowAtARateWithinDelta) {
  constexpr std::size_t kKeys = 100000;
  std::vector<std::int32_t> keys(kKeys), ones(kKeys, 1);
  for (std::size_t i = 0; i < kKeys; ++i) keys[i] = static_cast<std::int32_t>(i);
  const Value singletons = map_value(AtomType::i32, keys, ones);
  const auto least_rate = [&](const Measurement& measurement) {
    ReplayedBits bits(31);
    const ScopedBitSource scope(bits);
    const Value out = measurement.invoke(singletons);
    const auto shown = static_cast<double>(map_in(out)->keys->size());
    return quantile(boost::math::beta_distribution<>(shown, kKeys - shown + 1), 1e-6 / 4);
  };
  const Distance one = triple(1, 1, 1);
  for (std::int32_t t : {4, 6}) {
    const Measurement pure = laplace(AtomType::i32, 1, Scalar(t));
    const Measurement concentrated = gaussian(AtomType::i32, 1, Scalar(t - 1));
    EXPECT_LE(least_rate(pure), loss_of(pure, one).delta);
    EXPECT_LE(least_rate(concentrated), loss_of(concentrated, one).delta);
    // The same count detects the mutant tail that excludes the threshold.
    EXPECT_GT(least_rate(pure), loss_of(laplace(AtomType::i32, 1, Scalar(t + 1)), one).delta);
  }
}

TEST(NoiseThreshold, EntriesHaveTheirLaw) {
  const auto fit_of = [](std::int32_t value, double law_scale) {
    ReplayedBits bits(37);
    const ScopedBitSource scope(bits);
    const Measurement measurement = laplace(AtomType::i32, 2, Scalar(3));
    std::vector<double> counts(2 * kReach + 2);
    for (int i = 0; i < 200; ++i) {
      std::vector<std::int32_t> keys(200), values(200, value);
      for (std::size_t j = 0; j < keys.size(); ++j) keys[j] = static_cast<std::int32_t>(j);
      const Value out = measurement.invoke(map_value(AtomType::i32, keys, values));
      const auto found = cells<std::int32_t>(map_in(out)->values);
      counts[0] += static_cast<double>(200 - found.size());
      for (std::int32_t z : found) counts[static_cast<std::size_t>(std::min(60, z) + 61)] += 1;
    }
    return fit(counts, entry_law(value, laplace_law(law_scale, 300), 3));
  };
  for (std::int32_t value : {1, 4, -3, 0}) EXPECT_GT(fit_of(value, 2), 1e-6 / 4) << value;
  EXPECT_LT(fit_of(4, 2.2), 1e-6 / 4);
}

TEST(NoiseThreshold, D_EPS_4_KeysKeepTheirValuesAndComeSorted) {
  const Measurement exact = laplace(AtomType::i64, 0, Scalar(std::int64_t{3}));
  const Value out =
      exact.invoke(map_value<std::int64_t>(AtomType::i64, {5, 1, 9, -4, 2}, {3, 2, 7, 100, -5}));
  EXPECT_EQ(cells<std::int32_t>(map_in(out)->keys), (std::vector<std::int32_t>{-4, 5, 9}));
  EXPECT_EQ(cells<std::int64_t>(map_in(out)->values), (std::vector<std::int64_t>{100, 3, 7}));
  const Value below = laplace(AtomType::i64, 0, Scalar(std::int64_t{-5}))
                          .invoke(map_value<std::int64_t>(AtomType::i64, {1, 2}, {-4, -5}));
  EXPECT_EQ(cells<std::int32_t>(map_in(below)->keys), (std::vector<std::int32_t>{2}));
}

TEST(NoiseThreshold, TextKeysAreTold) {
  const Measurement exact = make_laplace_threshold(maps(AtomType::string, AtomType::f64),
                                                   spread(MetricKind::l01inf, AtomType::f64),
                                                   0,
                                                   Scalar(9.9),
                                                   -1);
  const Value out = exact.invoke(
      sorted_map(*make_column(AtomType::string, std::vector<std::string>{"kept", "left", "huge"}),
                 *make_column(AtomType::f64, std::vector<double>{9.7500001, 9.74999, HUGE_VAL})));
  EXPECT_EQ(cells<std::string>(map_in(out)->keys), (std::vector<std::string>{"huge", "kept"}));
  EXPECT_EQ(cells<double>(map_in(out)->values)[1], 10.0);
}

TEST(NoiseThreshold, D_CTL_1_AnEntryOfZeroIsAsNoneAtAll) {
  // The metric considers the two maps equal, so no key may distinguish them.
  const Measurement low = laplace(AtomType::i32, 50, Scalar(0));
  ASSERT_EQ(loss_of(low, triple(0, 0, 0)).delta, 0);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(map_in(low.invoke(map_value<std::int32_t>(AtomType::i32, {1}, {0})))->keys->size(),
              0u);
  }
  const Measurement floats = laplace(AtomType::f64, 1, Scalar(0.0));
  EXPECT_EQ(
      map_in(floats.invoke(map_value<double>(AtomType::f64, {1, 2}, {-0.0, 0.0})))->keys->size(),
      0u);
}

TEST(NoiseThreshold, D_INT_1_IntegersSaturate) {
  using Limits = std::numeric_limits<std::int32_t>;
  const Measurement wide = laplace(AtomType::i32, 1e6, Scalar(1));
  bool saturated = false;
  for (int i = 0; i < 50; ++i) {
    const Value out = wide.invoke(map_value<std::int32_t>(AtomType::i32, {1}, {Limits::max()}));
    for (std::int32_t z : cells<std::int32_t>(map_in(out)->values)) {
      EXPECT_GT(z, Limits::max() / 2);
      saturated = saturated || z == Limits::max();
    }
  }
  EXPECT_TRUE(saturated);
}

TEST(NoiseThreshold, RoundingToACoarseGridIsPaidFor) {
  const auto with = [](double threshold, std::optional<int> k) {
    return make_laplace_threshold(maps(AtomType::i32, AtomType::f64),
                                  spread(MetricKind::l01inf, AtomType::f64),
                                  4,
                                  Scalar(threshold),
                                  k);
  };
  const Pair fine = loss_of(with(64, std::nullopt), triple(3u, 6.0, 6.0));
  const Pair coarse = loss_of(with(64, 1), triple(3u, 6.0, 6.0));
  EXPECT_EQ(fine.inner, 1.5);
  // Slightly below (6 + 3 * 2) / 2 is 5 whole steps, and the noise has scale 2.
  EXPECT_EQ(coarse.inner, 2.5);
  EXPECT_GT(coarse.delta, fine.delta);
  // 47 can round to 2 steps of 32, while the threshold rounds to 1.
  EXPECT_NO_THROW(with(47, std::nullopt).map(triple(1u, 47.0, 47.0)));
  expect_error(ErrorKind::failed_map, [&] { with(47, 5).map(triple(1u, 47.0, 47.0)); });
}

TEST(NoiseThreshold, D_DOM_4_NaNIsRefusedBeforeAnythingIsDrawn) {
  RecordedBits none({});
  const ScopedBitSource scope(none);
  expect_error(ErrorKind::failed_function, [] {
    laplace(AtomType::f64, 1, Scalar(1.0))
        .invoke(map_value<double>(AtomType::f64, {1, 2}, {5, std::nan("")}));
  });
}

TEST(NoiseThreshold, RefusesWhatItCannotPromise) {
  const auto make = [](const Domain& domain, const Metric& metric, double scale, Scalar threshold) {
    return [=] { make_laplace_threshold(domain, metric, scale, threshold); };
  };
  const Domain ints = maps(AtomType::string, AtomType::i32);
  const Domain floats = maps(AtomType::string, AtomType::f64);
  const Metric metric = spread(MetricKind::l01inf, AtomType::f64);
  const ErrorKind kind = ErrorKind::make_measurement;
  EXPECT_NE(expect_error(kind, make(floats, metric, 1, Scalar(-1.0))).find("not be negative"),
            std::string::npos);
  EXPECT_NO_THROW(make(floats, metric, 1, Scalar(-0.0))());
  expect_error(kind, make(floats, metric, 1, Scalar(HUGE_VAL)));
  expect_error(kind, make(ints, metric, -1, Scalar(3)));
  expect_error(ErrorKind::make_transformation, make(ints, metric, std::nan(""), Scalar(3)));
  expect_error(ErrorKind::failed_cast, make(ints, metric, 1, Scalar(3.0)));
  expect_error(ErrorKind::type,
               make(ints, spread(MetricKind::l02inf, AtomType::f64), 1, Scalar(3)));
  expect_error(ErrorKind::type, make(maps(AtomType::f64, AtomType::i32), metric, 1, Scalar(3)));
  expect_error(ErrorKind::type, make(vectors(AtomType::i32), metric, 1, Scalar(3)));
  const Domain nan = MapDomain{std::make_shared<const Domain>(non_nan_atom(AtomType::string)),
                               std::make_shared<const Domain>(default_atom(AtomType::f64))};
  expect_error(ErrorKind::metric_space, make(nan, metric, 1, Scalar(3.0)));
  expect_error(ErrorKind::ffi,
               [&] { make_noise_threshold(ints, metric, max_divergence(), 1, Scalar(3)); });
  const Measurement measurement = laplace(AtomType::i32, 1, Scalar(5));
  expect_error(ErrorKind::failed_map, [&] { measurement.map(triple(1, -1, 1)); });
  expect_error(ErrorKind::failed_map, [&] { measurement.map(triple(1, 9, 9)); });
  expect_error(ErrorKind::failed_cast, [&] { measurement.map(Scalar(1)); });
  expect_error(ErrorKind::failed_map,
               [&] { laplace(AtomType::f64, 1, Scalar(5.0)).map(triple(1u, std::nan(""), 1.0)); });
}

}  // namespace
}  // namespace dp::test::noise_threshold_test
