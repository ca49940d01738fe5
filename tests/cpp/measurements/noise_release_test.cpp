#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/measurements/noise.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"
#include "core/runtime/parallel.h"
#include "measurements/noise_support.h"
#include "support/scripted_bits.h"
#include "support/watchdog.h"

namespace dp::test::noise_release_test {
namespace {

const Metric kAbsolute = absolute_distance(AtomType::f64);
const Metric kL1 = l1_distance(AtomType::f64);
const Metric kL2 = l2_distance(AtomType::f64);

template <class T>
constexpr T kHighest = std::numeric_limits<T>::max();
template <class T>
constexpr T kLowest = std::numeric_limits<T>::lowest();

// Expected release: the grid point of x plus a draw of the sampler from the same bits.
template <class Sampler>
void expect_replay(const Measurement& noise, double x, const Rational& index, double scale, int k) {
  const Rational step =
      k < 0 ? Rational(1, Integer(1) << static_cast<unsigned>(-k)) : Rational(Integer(1) << k);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    ScriptedBits bits(seed), same(seed);
    double released;
    {
      const ScopedBitSource scope(bits);
      released = release(noise, x);
    }
    const Rational exact = (index + Sampler(Rational(scale) / step).draw(same)) * step;
    ASSERT_EQ(released, static_cast<double>(exact)) << x << " seed " << seed;
    ASSERT_EQ(bits.taken(), same.taken());
  }
}

TEST(NoiseRelease, IsTheGridPointPlusOneDrawFromTheSameBits) {
  const Domain f64 = scalars(AtomType::f64);
  // 3.3 / 2^-3 = 26.4, -2.5 / 2^0 is a tie that goes up.
  expect_replay<DiscreteLaplace>(make_laplace(f64, kAbsolute, 1.7, -3), 3.3, 26, 1.7, -3);
  expect_replay<DiscreteGaussian>(make_gaussian(f64, kAbsolute, 1.7, -3), 3.3, 26, 1.7, -3);
  expect_replay<DiscreteLaplace>(make_laplace(f64, kAbsolute, 40, 0), -2.5, -2, 40, 0);
  const Rational third = Rational(1.0 / 3) * Rational(Integer(1) << 1074);
  expect_replay<DiscreteLaplace>(make_laplace(f64, kAbsolute, 1), 1.0 / 3, third, 1, -1074);
}

TEST(NoiseRelease, ScaleZeroShowsTheGridWithTiesGoingUp) {
  const auto rounded = [](double x, int k) {
    return release(make_laplace(scalars(AtomType::f64), kAbsolute, 0, k), x);
  };
  EXPECT_EQ(rounded(-2, 2), 0);
  EXPECT_EQ(rounded(2, 2), 4);
  EXPECT_EQ(rounded(-3, 2), -4);
  EXPECT_EQ(rounded(1e-300, 0), 0);
  EXPECT_EQ(rounded(0.5, 0), 1);
  EXPECT_EQ(rounded(std::nextafter(0.5, 0), 0), 0);
  EXPECT_EQ(rounded(-0.5, 0), 0);
  EXPECT_FALSE(std::signbit(rounded(-0.5, 0)));
  EXPECT_FALSE(std::signbit(rounded(-0.0, -1074)));
  EXPECT_EQ(rounded(std::nextafter(-0.5, -1), 0), -1);
  EXPECT_EQ(rounded(5e-324, -1073), 1e-323);
  EXPECT_EQ(rounded(1e308, 1023), 0x1p1023);
  EXPECT_EQ(rounded(HUGE_VAL, -1074), kHighest<double>);
  EXPECT_EQ(rounded(-HUGE_VAL, -1074), kLowest<double>);
  for (double x : {5e-324, -5e-324, 2.2e-308, 1.0 / 3, 0x1p40 + 0.5, 1e300, -1e300}) {
    EXPECT_EQ(rounded(x, -1074), x);
  }
  const Measurement f32 = make_laplace(scalars(AtomType::f32), kAbsolute, 0);
  for (float x : {1e-45F, -1e-45F, 1.0F / 3, kHighest<float>}) EXPECT_EQ(release(f32, x), x);
}

// Every number gets noise, so three releases do not all agree. At a scale of 2^30, correct noise
// fails this with probability below 2^-60 per number.
bool every_coordinate_moves(const std::function<std::vector<std::int64_t>()>& once, std::size_t n) {
  const std::vector<std::int64_t> runs[] = {once(), once(), once()};
  for (const auto& run : runs) {
    if (run.size() != n) return false;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t first = runs[0][i];
    if (first == runs[1][i] && first == runs[2][i]) return false;
  }
  return true;
}

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all{63, 64, 65, 1023, 1024, 1025};
  for (std::size_t n = 1; n <= 17; ++n) all.push_back(n);
  return all;
}

TEST(NoiseRelease, D_EPS_4_EveryCoordinateIsNoised) {
  for (std::size_t n : lengths()) {
    const std::vector<std::int64_t> data(n, 7);
    const Measurement laplace = make_laplace(vectors(AtomType::i64), kL1, 0x1p30);
    const Measurement gaussian = make_gaussian(vectors(AtomType::i64, n), kL2, 0x1p30);
    EXPECT_TRUE(every_coordinate_moves([&] { return release(laplace, data); }, n)) << n;
    EXPECT_TRUE(every_coordinate_moves([&] { return release(gaussian, data); }, n)) << n;
  }
  const Measurement floats = make_laplace(vectors(AtomType::f64), kL1, 1);
  for (std::size_t n : {1, 8, 65}) {
    const std::vector<double> out = release(floats, std::vector<double>(n, 7));
    for (double x : out) EXPECT_NE(x, 7);
  }
  EXPECT_TRUE(release(floats, std::vector<double>{}).empty());
}

TEST(NoiseRelease, D_EPS_4_TheCheckRejectsALastCoordinateWithoutNoise) {
  const Measurement laplace = make_laplace(vectors(AtomType::i64), kL1, 0x1p30);
  for (std::size_t n : lengths()) {
    for (std::int64_t constant : {7, 0}) {  // the datum, or unwritten memory
      const auto mutant = [&] {
        auto out = release(laplace, std::vector<std::int64_t>(n, 7));
        out.back() = constant;
        return out;
      };
      EXPECT_FALSE(every_coordinate_moves(mutant, n)) << n;
    }
  }
}

template <class T>
void expect_saturation() {
  SCOPED_TRACE(sizeof(T));
  const AtomType type = [] {
    for (AtomType t : {AtomType::i8,
                       AtomType::i16,
                       AtomType::i32,
                       AtomType::i64,
                       AtomType::u8,
                       AtomType::u16,
                       AtomType::u32,
                       AtomType::u64}) {
      if (visit_number(t, [](auto tag) { return std::is_same_v<typename decltype(tag)::type, T>; }))
        return t;
    }
    return AtomType::i8;
  }();
  constexpr std::size_t kDraws = 20000;
  const bool narrow = sizeof(T) == 1;
  const double scale = narrow ? 3 : 1000;
  const Measurement noise = make_laplace(vectors(type), kL1, scale);
  // Half of the noise points outward and saturates. No draw of this size crosses the whole type.
  const T far = static_cast<T>(narrow ? 100 : 30000);
  std::size_t saturated = 0;
  for (T x : release(noise, std::vector<T>(kDraws, kHighest<T>))) {
    ASSERT_GE(x, kHighest<T> - far);
    saturated += x == kHighest<T> ? 1 : 0;
  }
  EXPECT_GT(saturated, kDraws * 4 / 10);
  EXPECT_LT(saturated, kDraws * 7 / 10);
  saturated = 0;
  for (T x : release(noise, std::vector<T>(kDraws, kLowest<T>))) {
    ASSERT_LE(x, static_cast<T>(kLowest<T> + far));
    saturated += x == kLowest<T> ? 1 : 0;
  }
  EXPECT_GT(saturated, kDraws * 4 / 10);
  EXPECT_LT(saturated, kDraws * 7 / 10);
}

TEST(NoiseRelease, D_INT_1_IntegersSaturateAndNeverWrap) {
  expect_saturation<std::int8_t>();
  expect_saturation<std::int16_t>();
  expect_saturation<std::int32_t>();
  expect_saturation<std::int64_t>();
  expect_saturation<std::uint8_t>();
  expect_saturation<std::uint16_t>();
  expect_saturation<std::uint32_t>();
  expect_saturation<std::uint64_t>();
}

TEST(NoiseRelease, D_INT_1_SaturatesAtHugeScalesToo) {
  constexpr int kDraws = 200;
  const Measurement wide = make_laplace(scalars(AtomType::i128), kAbsolute, 0x1p200);
  const Measurement narrow = make_gaussian(scalars(AtomType::i32), kAbsolute, 0x1p200);
  const int128_t highest = static_cast<int128_t>(~uint128_t{0} >> 1);
  int high = 0, low = 0;
  for (int i = 0; i < kDraws; ++i) {
    const int128_t x = release(wide, int128_t{1});
    ASSERT_TRUE(x == highest || x == -highest - 1);
    (x > 0 ? high : low)++;
    const std::int32_t y = release(narrow, std::int32_t{1});
    ASSERT_TRUE(y == kHighest<std::int32_t> || y == kLowest<std::int32_t>);
  }
  EXPECT_GT(high, 20);
  EXPECT_GT(low, 20);
  // Sums near the limits of 128 bits, with noise that fits 64.
  const Measurement small = make_laplace(vectors(AtomType::i128), kL1, 3);
  for (int128_t x : release(small, std::vector<int128_t>(kDraws, highest))) {
    ASSERT_GT(x, highest - 1000);
  }
  for (int128_t x : release(small, std::vector<int128_t>(kDraws, -highest - 1))) {
    ASSERT_LT(x, -highest + 1000);
  }
}

TEST(NoiseRelease, FloatsOverflowToInfinity) {
  const Measurement noise = make_laplace(scalars(AtomType::f32), kAbsolute, 0x1p500);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(std::isinf(release(noise, 1.0F)));
}

std::string refusal(const std::function<void()>& run) {
  ScriptedBits bits(1);
  const ScopedBitSource scope(bits);
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::failed_function);
    EXPECT_EQ(bits.taken(), 0u);
    return error.what();
  }
  return "";
}

TEST(NoiseRelease, D_DOM_4_DataOutsideOfTheDomainAreRefusedInOneSentenceBeforeAnyDraw) {
  const double nan = std::nan("");
  const std::string fixed = "arg must be a member of the input domain.";
  const Measurement scalar = make_laplace(scalars(AtomType::f64), kAbsolute, 1);
  EXPECT_EQ(refusal([&] { release(scalar, nan); }), fixed);
  const Measurement three = make_gaussian(vectors(AtomType::f64, 3), kL2, 1);
  EXPECT_EQ(refusal([&] { release(three, std::vector<double>{1, 2, nan}); }), fixed);
  EXPECT_EQ(refusal([&] { release(three, std::vector<double>{1, 2}); }), fixed);
  EXPECT_EQ(refusal([&] { release(three, std::vector<double>{1, 2, 3, 4}); }), fixed);
  const Measurement any = make_laplace(vectors(AtomType::f64), kL1, 1);
  std::vector<double> late(5000, 1);
  late.back() = nan;
  EXPECT_EQ(refusal([&] { release(any, late); }), fixed);
  const auto rows = std::make_shared<OwnedColumn<double>>(AtomType::f64, 3);
  rows->valid()[1] = 0;
  EXPECT_EQ(refusal([&] { three.invoke(ColumnPtr(rows)); }), fixed);
}

TEST(NoiseRelease, D_CTL_1_NeighboursTakeTheSameBitsAndDifferByTheData) {
  const Measurement noise = make_laplace(vectors(AtomType::i64), kL1, 12.5);
  SplitMix random(8);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<std::int64_t> x(1 + random() % 40), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<std::int64_t>(random() % 1000);
      y[i] = static_cast<std::int64_t>(random() % 1000);
    }
    ScriptedBits for_x(seed), for_y(seed);
    std::vector<std::int64_t> out_x, out_y;
    {
      const ScopedBitSource scope(for_x);
      out_x = release(noise, x);
    }
    {
      const ScopedBitSource scope(for_y);
      out_y = release(noise, y);
    }
    EXPECT_EQ(for_x.taken(), for_y.taken());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(out_x[i] - x[i], out_y[i] - y[i]);
  }
}

TEST(NoiseRelease, D_SAM_3_NoScaleHangs) {
  std::vector<double> scales{0};
  for (int e = -1074; e <= 1000; e += 35) scales.push_back(std::ldexp(1, e));
  scales.push_back(0x1p1000);
  ASSERT_GE(scales.size(), 60u);
  for (double scale : scales) {
    for (const Measure& measure : {max_divergence(), zero_concentrated_divergence()}) {
      SCOPED_TRACE(scale);
      const Watchdog watchdog;
      const bool laplace = measure == max_divergence();
      EXPECT_FALSE(
          std::isnan(release(make_noise(scalars(AtomType::f64), kAbsolute, measure, scale), 1.5)));
      EXPECT_EQ(
          release(make_noise(vectors(AtomType::f64, 3), laplace ? kL1 : kL2, measure, scale, 20),
                  std::vector<double>{1, 2, 3})
              .size(),
          3u);
      const double integer = static_cast<double>(
          release(make_noise(scalars(AtomType::i64), kAbsolute, measure, scale), std::int64_t{3}));
      if (scale < 0x1p-40) {
        EXPECT_EQ(integer, 3);
      }
    }
  }
}

TEST(NoiseRelease, ThreadsShareAVectorWithoutGapsOrOverlap) {
  constexpr std::size_t kRows = (std::size_t{1} << 17) + 77;
  const Measurement noise = make_laplace(vectors(AtomType::i64), kL1, 0x1p40);
  set_thread_count(3);
  const std::vector<std::int64_t> out = release(noise, std::vector<std::int64_t>(kRows, 0));
  set_thread_count(1);
  ASSERT_EQ(out.size(), kRows);
  std::vector<std::int64_t> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  // At this scale draws collide about kRows^2 / (8 * 2^40) = 0.002 times. Shared bits always
  // collide.
  const auto distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
  EXPECT_GE(static_cast<std::size_t>(distinct), kRows - 3);
}

}  // namespace
}  // namespace dp::test::noise_release_test
