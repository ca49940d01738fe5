#include "core/postprocessing/quantiles_from_counts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/datasets.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::quantiles_from_counts_test {
namespace {

template <class T>
AtomType type_of() {
  return std::is_same_v<T, double> ? AtomType::f64 : AtomType::i32;
}

template <class T>
class Quantiles {
 public:
  explicit Quantiles(Function quantiles) : quantiles_(std::move(quantiles)) {}

  std::vector<T> operator()(const std::vector<T>& counts) const {
    return of_rows(make_column(type_of<T>(), counts));
  }

  std::vector<T> of_rows(const ColumnPtr& counts) const {
    std::vector<T> out;
    for (const auto& x : to_dataset<T>(quantiles_(counts))) out.push_back(*x);
    return out;
  }

 private:
  Function quantiles_;
};

template <class T>
Quantiles<T> quantiles(const std::vector<T>& edges,
                       const std::vector<double>& alphas,
                       Interpolation interpolation) {
  return Quantiles<T>(make_quantiles_from_counts(std::vector<Scalar>(edges.begin(), edges.end()),
                                                 std::vector<Scalar>(alphas.begin(), alphas.end()),
                                                 interpolation,
                                                 type_of<T>(),
                                                 AtomType::f64));
}

using Ints = std::vector<std::int32_t>;
using Floats = std::vector<double>;

TEST(QuantilesFromCounts, GivesTheWorkedQuantiles) {
  const Ints edges = {0, 25, 50, 75, 100};
  const Floats alphas = {0, .1, .24, .51, .74, .75, .76, .99, 1};
  const auto nearest = quantiles(edges, alphas, Interpolation::nearest);
  const auto linear = quantiles(edges, alphas, Interpolation::linear);
  EXPECT_EQ(nearest({100, 100, 100, 100}), (Ints{0, 0, 25, 50, 75, 75, 75, 100, 100}));
  EXPECT_EQ(linear({100, 100, 100, 100}), (Ints{0, 10, 24, 51, 74, 75, 76, 99, 100}));
  EXPECT_EQ(nearest({210, 100, 100, 100, 100, 234}), (Ints{0, 0, 25, 50, 75, 75, 75, 100, 100}));
  const Floats tens = {0, 10, 20, 30};
  EXPECT_EQ(quantiles(tens, {.2, .4, .7}, Interpolation::nearest)({2.23, 3.4, 5}),
            (Floats{10, 20, 20}));
  const auto out = quantiles(tens, {.2, .4, .7}, Interpolation::linear)({2.23, 3.4, 5});
  const Floats expected = {9.533632286995514, 15.94705882352941, 23.622};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(out[i], expected[i], 1e-12 * expected[i]);
  const Ints wide = {0, 10, 50, 100};
  EXPECT_EQ(quantiles(wide, {.2, .4, .7}, Interpolation::nearest)({2, 3, 5}), (Ints{10, 50, 50}));
  EXPECT_EQ(quantiles(wide, {.2, .4, .7}, Interpolation::linear)({2, 3, 5}), (Ints{10, 36, 70}));
}

TEST(QuantilesFromCounts, AnEmptyFirstBinHasItsLowerEdge) {
  for (const Interpolation way : {Interpolation::linear, Interpolation::nearest}) {
    EXPECT_EQ(quantiles(Ints{0, 10, 20}, {0.0}, way)({0, 5}), (Ints{0}));
    EXPECT_EQ(quantiles(Floats{0, 10, 20}, {0.0}, way)({0.0, 5.0}), (Floats{0}));
  }
}

TEST(QuantilesFromCounts, CountsWithoutATotalHaveNoQuantiles) {
  EXPECT_TRUE(std::isnan(quantiles(Floats{0, 1}, {0.5}, Interpolation::linear)({0.0}).front()));
  EXPECT_EQ(quantiles(Floats{0, 1}, {0.5}, Interpolation::nearest)({0.0}), (Floats{0}));
  expect_error(ErrorKind::failed_cast, [] {
    quantiles(Ints{0, 1}, {0.5}, Interpolation::linear)({0});
  });
}

TEST(QuantilesFromCounts, NegativeCountsGiveSomeEdgeInRange) {
  for (const Interpolation way : {Interpolation::linear, Interpolation::nearest}) {
    const auto f = quantiles(Floats{0, 1, 2, 3}, {0, .25, .5, 1}, way);
    for (const Floats& counts : {Floats{-5, 9, -3}, Floats{9, -4, -4}, Floats{-1, -1, -1}}) {
      const Floats found = f(counts);
      EXPECT_EQ(found.size(), 4u);
      for (const double q : found) EXPECT_TRUE(0 <= q && q <= 3) << q;
    }
  }
}

TEST(QuantilesFromCounts, OneEdgeIsEveryQuantileOfNoCounts) {
  const auto f = quantiles(Ints{7}, {.1, .9}, Interpolation::linear);
  EXPECT_EQ(f({}), (Ints{7, 7}));
  expect_error(ErrorKind::failed_function, [&] { f({1}); });
  expect_error(ErrorKind::failed_function, [&] { f({1, 2}); });
  EXPECT_TRUE(quantiles(Ints{1, 2}, {}, Interpolation::linear)({1}).empty());
}

TEST(QuantilesFromCounts, RefusesWhatItMust) {
  const auto refused = [](const Floats& edges, const Floats& alphas) {
    expect_error(ErrorKind::make_transformation,
                 [&] { quantiles(edges, alphas, Interpolation::linear); });
  };
  refused({}, {0.5});
  refused({1, 1}, {0.5});
  refused({kNaN}, {0.5});
  refused({0, 1}, {0.5, 0.5});
  refused({0, 1}, {kNaN});
  refused({0, 1}, {-0.1});
  refused({0, 1}, {0.5, 1.1});
  EXPECT_NO_THROW(quantiles(Floats{0, 1}, {-0.0}, Interpolation::linear));
  const auto f = quantiles(Ints{0, 1}, {0.5}, Interpolation::linear);
  expect_error(ErrorKind::failed_function, [&] { f({1, 2}); });
  expect_error(ErrorKind::failed_function, [&] { f({}); });
  expect_error(ErrorKind::failed_cast, [&] { f.of_rows(make_column<double>(AtomType::f64, {1})); });
  expect_error(ErrorKind::ffi, [] { parse_interpolation("cubic"); });
  EXPECT_EQ(parse_interpolation("nearest"), Interpolation::nearest);
  expect_error(ErrorKind::type, [] {
    make_quantiles_from_counts(
        {Scalar(std::string("a"))}, {}, Interpolation::linear, AtomType::string, AtomType::f64);
  });
}

}  // namespace
}  // namespace dp::test::quantiles_from_counts_test
