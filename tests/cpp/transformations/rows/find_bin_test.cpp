#include "core/transformations/rows/find_bin.h"

#include <gtest/gtest.h>

#include "core/transformations/rows/bins.h"
#include "support/expect_error.h"
#include "support/stable.h"

namespace dp::test::find_bin_test {
namespace {

template <class T>
Dataset<std::uint64_t> bins(AtomType type, const std::vector<T>& edges, const Dataset<T>& data) {
  const auto t = make_find_bin(vector_of(default_atom(type)),
                               symmetric_distance(),
                               std::vector<Scalar>(edges.begin(), edges.end()));
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::usize)));
  return to_dataset<std::uint64_t>(t.invoke(to_value(type, data)));
}

TEST(FindBin, BinsAreClosedOnTheLeft) {
  EXPECT_EQ((bins<std::int32_t>(AtomType::i32, {2, 3, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9})),
            (Dataset<std::uint64_t>{0, 1, 2, 2, 3, 3, 3, 3, 3}));
  EXPECT_EQ((bins<double>(AtomType::f64, {1, 2, 10}, {0.0, 1.0, 3.0, 15.0})),
            (Dataset<std::uint64_t>{0, 1, 2, 3}));
}

TEST(FindBin, EndsOfTheNumberLineAndNaNHaveTheirBins) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ((bins<double>(AtomType::f64, {0, 1}, {-inf, inf, nan, -0.0})),
            (Dataset<std::uint64_t>{0, 2, 2, 1}));
  EXPECT_EQ((bins<double>(AtomType::f64, {}, {-inf, nan, 7.0})), (Dataset<std::uint64_t>{0, 0, 0}));
}

TEST(FindBin, BisectionCountsTheEdgesAtOrBelow) {
  std::vector<std::int32_t> edges;
  for (std::int32_t n = 0; n < 40; ++n) {
    for (std::int32_t x = -1; x <= 2 * n + 1; ++x) {
      const auto expected =
          std::count_if(edges.begin(), edges.end(), [&](auto e) { return e <= x; });
      ASSERT_EQ(bin_of(edges, x), static_cast<std::size_t>(expected)) << n << " edges, " << x;
    }
    edges.push_back(2 * n);
  }
}

TEST(FindBin, RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  const Domain floats = vector_of(default_atom(AtomType::f64));
  const Scalar nan(std::numeric_limits<double>::quiet_NaN());
  const auto refused = [&](const std::vector<Scalar>& edges) {
    expect_error(ErrorKind::make_transformation, [&] { make_find_bin(floats, metric, edges); });
  };
  refused({Scalar(2.0), Scalar(1.0)});
  refused({Scalar(1.0), Scalar(1.0)});
  refused({Scalar(0.0), Scalar(-0.0)});
  refused({nan});
  refused({Scalar(1.0), nan});
  expect_error(ErrorKind::failed_cast, [&] { make_find_bin(floats, metric, {Scalar(1)}); });
  expect_error(ErrorKind::type, [&] {
    make_find_bin(vector_of(default_atom(AtomType::string)), metric, {Scalar(std::string("a"))});
  });
}

TEST(FindBin, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const auto& [metric, size] : dataset_spaces()) {
    const auto t = make_find_bin(
        vector_of(default_atom(AtomType::f64), size), metric, {Scalar(0.0), Scalar(1.0)});
    const std::vector<Row<double>> values = {-1.0, 0.5, 2.0};
    expect_stable(t, values);
    // Mutant: bins by rank, so one row moves the bins of all others.
    expect_rejected(t,
                    whole_function([](const Value& rows) -> Value {
                      const auto data = to_dataset<double>(rows);
                      Dataset<std::uint64_t> out;
                      for (const auto& x : data) {
                        out.emplace_back(std::count_if(
                            data.begin(), data.end(), [&](const auto& y) { return *y <= *x; }));
                      }
                      return to_value(AtomType::usize, out);
                    }),
                    values);
  }
}

}  // namespace
}  // namespace dp::test::find_bin_test
