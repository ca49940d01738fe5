#include "core/transformations/rows/lipschitz_float_mul.h"

#include <gtest/gtest.h>

#include "core/numeric/directed.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::lipschitz_float_mul_test {
namespace {

template <class T>
constexpr AtomType kType = std::is_same_v<T, float> ? AtomType::f32 : AtomType::f64;

template <class T>
Transformation make(T constant, T lower, T upper) {
  return make_lipschitz_float_mul(non_nan_atom(kType<T>),
                                  absolute_distance(kType<T>),
                                  Scalar(constant),
                                  {Scalar(lower), Scalar(upper)});
}

template <class T>
T map(const Transformation& t, T d_in) {
  return number_in<T>(t.map(Distance(Scalar(d_in))));
}

template <class T>
T apply(const Transformation& t, T x) {
  return element_in<T>(t.invoke(Scalar(x)));
}

TEST(LipschitzFloatMul, ClampsTheInputAndMultiplies) {
  const auto t = make(2.0, 0.0, 10.0);
  EXPECT_EQ(apply(t, 1.3), 2.6);
  EXPECT_EQ(apply(t, 11.0), 20.0);
  EXPECT_EQ(apply(make(0.1, -3.0, 4.0), 30.0), 0.4);
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(apply(make(1.0, -most, most), std::numeric_limits<double>::infinity()), most);
}

TEST(LipschitzFloatMul, MapsMatchTheOracle) {
  EXPECT_EQ(map(make(2.0, 0.0, 10.0), 1.0), 2.0000000000000036);
  EXPECT_EQ(map(make(0.1, -3.0, 4.0), 10.0), 1.0000000000000004);
  EXPECT_EQ(map(make(-0.5, -8.0, 4.0), 3.0), 1.5000000000000009);
  EXPECT_EQ(map(make(0.0, 0.0, 10.0), 1.0), 0x1p-1074);
  EXPECT_EQ(map(make(1.0, 0.0, 0.0), 1.0), 1.0000000000000002);
  EXPECT_EQ(static_cast<double>(map(make(0.1F, 0.0F, 100.0F), 10.0F)), 1.000001072883606);
  EXPECT_EQ(map(make(2.0, 4.0, -3.0), 1.0), 2.0000000000000018);
}

TEST(LipschitzFloatMul, SubnormalResultsStillCostOneUlp) {
  EXPECT_EQ(map(make(0x1p-1000, 0.0, 0x1p-60), 0.0), 0x1p-1074);
  EXPECT_EQ(map(make(0.0F, 0.0F, 1.0F), 0.0F), 0x1p-149F);
}

TEST(LipschitzFloatMul, RefusesWhatItMust) {
  const Metric metric = absolute_distance(AtomType::f64);
  const Bounds unit = {Scalar(0.0), Scalar(1.0)};
  expect_error(ErrorKind::make_transformation, [&] {
    make_lipschitz_float_mul(default_atom(AtomType::f64), metric, Scalar(2.0), unit);
  });
  expect_error(ErrorKind::failed_function, [] { make(2.0, kNaN, 1.0); });
  expect_error(ErrorKind::failed_function, [] { make(2.0, 0.0, kNaN); });
  expect_error(ErrorKind::overflow, [] { make(kNaN, 0.0, 1.0); });
  expect_error(ErrorKind::overflow, [] { make(1e308, 0.0, 1000.0); });
  const Domain atom = non_nan_atom(AtomType::f64);
  expect_error(ErrorKind::failed_cast,
               [&] { make_lipschitz_float_mul(atom, metric, Scalar(2.0F), unit); });
  expect_error(ErrorKind::failed_cast, [&] {
    make_lipschitz_float_mul(vector_of(atom), symmetric_distance(), Scalar(2.0), unit);
  });
  expect_error(ErrorKind::type, [&] {
    make_lipschitz_float_mul(atom, absolute_distance(AtomType::f32), Scalar(2.0), unit);
  });
  expect_error(ErrorKind::type, [&] {
    make_lipschitz_float_mul(
        non_nan_atom(AtomType::i32), absolute_distance(AtomType::i32), Scalar(2), unit);
  });
  expect_error(ErrorKind::failed_function, [] { apply(make(2.0, 4.0, -3.0), 1.0); });
  expect_error(ErrorKind::failed_function, [] { apply(make(2.0, 0.0, 1.0), kNaN); });
}

// Largest excess of a measured distance over `claim(d_in)`, for random parameters and inputs. The
// inputs are a few steps or a random distance apart. A positive result means that the map is wrong.
template <class T, class Claim>
bool covers(std::uint64_t seed, std::size_t count, Claim&& claim) {
  TestRandom random(seed);
  const auto number = [&](int from, int to) {
    const int exponent = from + static_cast<int>(random.below(static_cast<std::size_t>(to - from)));
    const double magnitude = std::ldexp(1 + random.unit(), exponent);
    return static_cast<T>(random.below(2) == 0 ? magnitude : -magnitude);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const T one = number(-20, 20), other = number(-20, 20), factor = number(-30, 30);
    const T lower = std::min(one, other), upper = std::max(one, other);
    const auto t = make(factor, lower, upper);
    const T x = std::clamp(number(-20, 20), lower, upper);
    const T y =
        random.below(2) == 0 ? std::nextafter(x, upper) : static_cast<T>(x + number(-40, 0));
    const Integer gap = abs(Integer(detail::exact(Scalar(x)) - detail::exact(Scalar(y))));
    const T d_in = static_cast<T>(std::fabs(static_cast<double>(x) - static_cast<double>(y)));
    if (detail::exact(Scalar(d_in)) < gap) continue;  // rounded down: not a bound
    const Integer moved =
        abs(Integer(detail::exact(Scalar(apply(t, x))) - detail::exact(Scalar(apply(t, y)))));
    if (moved > detail::exact(Scalar(claim(t, factor, d_in)))) return false;
  }
  return true;
}

TEST(LipschitzFloatMul, D_SEN_1_D_FLT_3_TheMapCoversNeighboursAndMutantsAreRejected) {
  EXPECT_TRUE(covers<double>(13, 20000, [](const auto& t, double, double d) { return map(t, d); }));
  EXPECT_TRUE(covers<float>(14, 20000, [](const auto& t, float, float d) { return map(t, d); }));
  // Mutants: without the ulp, and rounded to nearest.
  EXPECT_FALSE(covers<double>(
      13, 20000, [](const auto&, double factor, double d) { return std::fabs(factor) * d; }));
  EXPECT_FALSE(covers<float>(
      14, 20000, [](const auto&, float factor, float d) { return std::fabs(factor) * d; }));
}

}  // namespace
}  // namespace dp::test::lipschitz_float_mul_test
