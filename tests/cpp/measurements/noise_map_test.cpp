#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/measurements/noise.h"
#include "measurements/noise_support.h"
#include "support/doubles.h"
#include "support/oracle_rows.h"
#include "support/scripted_bits.h"
#include "support/tier.h"

namespace dp::test::noise_map_test {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

Measurement oracle_noise(const OracleRow& row) {
  const Domain domain = oracle_domain(*row.arg("input_domain"), row.arg("nan").has_value());
  const Metric metric = oracle_metric(*row.arg("input_metric"));
  const double scale = oracle_number(*row.arg("scale"));
  std::optional<int> k;
  if (row.arg("k")) k = std::stoi(*row.arg("k"));
  return row.constructor == "make_laplace" ? make_laplace(domain, metric, scale, k)
                                           : make_gaussian(domain, metric, scale, k);
}

void expect_oracle_maps(const std::string& constructor, std::size_t expected_rows) {
  const auto rows = oracle_rows(constructor);
  ASSERT_EQ(rows.size(), expected_rows);
  for (const OracleRow& row : rows) {
    SCOPED_TRACE("line " + std::to_string(row.line) + ": " + row.args + " at " + row.d_in);
    const auto map = [&] {
      const Measurement noise = oracle_noise(row);
      return number_in<double>(
          noise.map(oracle_distance(row.d_in, noise.input_metric().distance_type)));
    };
    if (!row.is_error()) {
      EXPECT_EQ(map(), oracle_number(row.d_out));
      continue;
    }
    try {
      map();
      ADD_FAILURE() << "no error: " << row.d_out;
    } catch (const Error& error) {
      EXPECT_TRUE(matches(row, error)) << variant(error.kind()) << ": " << error.what();
    }
  }
}

TEST(NoiseMap, LaplaceAgreesWithEveryRowOfTheOracleToTheLastBit) {
  expect_oracle_maps("make_laplace", 51);
}

TEST(NoiseMap, GaussianAgreesWithEveryRowOfTheOracleToTheLastBit) {
  expect_oracle_maps("make_gaussian", 23);
}

// A random positive double of any magnitude.
double any_positive(SplitMix& random) {
  return std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                    static_cast<int>(random() % 600) - 300);
}

// Exact loss, computed without the package's code.
Rational exact_loss(bool laplace, double d_in, double scale, std::uint64_t n, int k) {
  const auto power = [](int e) {
    const Integer p = Integer(1) << static_cast<unsigned>(std::abs(e));
    return e < 0 ? Rational(1, p) : Rational(p);
  };
  const Rational r = power(k) - power(-1074);
  Rational spread(n);
  if (!laplace) {
    const double root = std::sqrt(static_cast<double>(n));
    spread = Rational(root);
    if (spread * spread < n) spread = Rational(std::nextafter(root, kInf));
  }
  const Rational shift = (Rational(d_in) + r * spread) / Rational(scale);
  return laplace ? shift : Rational(shift * shift / 2);
}

// The defence: a claim is never below the exact loss, and above it by at most one step of the
// doubles.
bool is_tight_bound(double claimed, const Rational& exact) {
  if (claimed == kInf) return exact > Rational(kLargest);
  return Rational(claimed) >= exact && Rational(std::nextafter(claimed, 0)) < exact;
}

TEST(NoiseMap, D_FLT_3_IsTheExactLossRoundedUpOnce) {
  SplitMix random(3);
  for (int i = 0; i < in_tier(1700, 5000); ++i) {
    const bool laplace = random() % 2 == 0;
    const double d_in = any_positive(random);
    const double scale = any_positive(random);
    const std::uint64_t n = random() % 3 == 0 ? 1 + random() % 100 : 1;
    const int k = random() % 4 == 0 ? -1074 : static_cast<int>(random() % 700) - 350;
    const Domain domain = vectors(AtomType::f64, n);
    const double claimed =
        loss(laplace ? make_laplace(domain, l1_distance(AtomType::f64), scale, k)
                     : make_gaussian(domain, l2_distance(AtomType::f64), scale, k),
             d_in);
    const Rational exact = exact_loss(laplace, d_in, scale, n, k);
    ASSERT_TRUE(is_tight_bound(claimed, exact))
        << laplace << " d_in " << d_in << " scale " << scale << " n " << n << " k " << k;
  }
}

TEST(NoiseMap, D_FLT_3_TheCheckRejectsAMapRoundedToNearest) {
  SplitMix random(4);
  int rejected = 0;
  for (int i = 0; i < 100; ++i) {
    const double d_in = any_positive(random);
    const double scale = any_positive(random);
    const Rational exact = Rational(d_in) / Rational(scale);
    rejected += is_tight_bound(d_in / scale, exact) ? 0 : 1;
  }
  EXPECT_GT(rejected, 20);
}

TEST(NoiseMap, D_FLT_3_IsMonotoneInDistanceAndInverseScale) {
  SplitMix random(5);
  for (int i = 0; i < 2000; ++i) {
    const double d_in = any_positive(random);
    const double scale = any_positive(random);
    const double above = std::nextafter(d_in, kInf);
    const double less_noise = std::nextafter(scale, 0);
    for (const Measure& measure : {max_divergence(), zero_concentrated_divergence()}) {
      const auto at = [&](double noise_scale, double distance) {
        return loss(
            make_noise(
                scalars(AtomType::f64), absolute_distance(AtomType::f64), measure, noise_scale),
            distance);
      };
      EXPECT_LE(at(scale, d_in), at(scale, above));
      EXPECT_LE(at(scale, d_in), at(less_noise, d_in));
    }
  }
}

TEST(NoiseMap, D_FLT_3_RefusesDistancesThatAreNone) {
  const Measurement noise =
      make_laplace(scalars(AtomType::f64), absolute_distance(AtomType::f64), 1, 0);
  for (double d_in : {-1.0, -0.25, -5e-324, kInf, -kInf, std::nan("")}) {
    try {
      noise.map(Scalar(d_in));
      ADD_FAILURE() << d_in;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::failed_map) << d_in;
    }
  }
  EXPECT_EQ(loss(noise, -0.0), 1.0);          // rounding to whole numbers costs even at distance 0
  EXPECT_THROW(noise.map(Scalar(1)), Error);  // an i32 is not an f64
  EXPECT_THROW(noise.map(Distance::Tuple{Scalar(1.0)}), Error);
  const Measurement integers =
      make_laplace(scalars(AtomType::i32), absolute_distance(AtomType::i32), 1);
  EXPECT_THROW(integers.map(Scalar(-1)), Error);
}

TEST(NoiseMap, DataAndDistanceTypesAreIndependent) {
  const AtomType types[] = {AtomType::i8,
                            AtomType::i16,
                            AtomType::i32,
                            AtomType::i64,
                            AtomType::i128,
                            AtomType::u8,
                            AtomType::u16,
                            AtomType::u32,
                            AtomType::u64,
                            AtomType::usize,
                            AtomType::f32,
                            AtomType::f64};
  for (AtomType data : types) {
    for (AtomType distance : types) {
      const Scalar three = visit_number(
          distance, [](auto tag) { return Scalar(static_cast<typename decltype(tag)::type>(3)); });
      EXPECT_EQ(loss(make_laplace(scalars(data), absolute_distance(distance), 2), three), 1.5);
      EXPECT_EQ(loss(make_gaussian(vectors(data), l2_distance(distance), 2), three), 1.125);
    }
  }
}

TEST(NoiseMap, D_SAM_3_ScaleZeroCostsNothingOnlyAtDistanceZero) {
  for (const Measure& measure : {max_divergence(), zero_concentrated_divergence()}) {
    const Measurement noise =
        make_noise(scalars(AtomType::f64), absolute_distance(AtomType::f64), measure, 0);
    EXPECT_EQ(noise.output_measure(), measure);
    EXPECT_EQ(loss(noise, 0.0), 0);
    EXPECT_EQ(loss(noise, 5e-324), kInf);
    EXPECT_EQ(release(noise, 1.0 / 3), 1.0 / 3);
  }
}

}  // namespace
}  // namespace dp::test::noise_map_test
