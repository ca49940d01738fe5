// Same results and maps on every platform: transformations of rows and tables.
#include <gtest/gtest.h>

#include "core/runtime/parallel.h"
#include "core/transformations/counts/count.h"
#include "core/transformations/counts/count_by.h"
#include "core/transformations/counts/count_by_categories.h"
#include "core/transformations/counts/count_distinct.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/frames/split_dataframe.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/find.h"
#include "core/transformations/rows/find_bin.h"
#include "core/transformations/rows/grid_cell.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/impute_uniform.h"
#include "core/transformations/rows/impute_uniform_float.h"
#include "core/transformations/rows/is_equal.h"
#include "core/transformations/rows/is_null.h"
#include "core/transformations/rows/ordering.h"
#include "core/transformations/rows/resize.h"
#include "core/transformations/trees/b_ary_tree.h"
#include "core/transformations/trees/quantile_score_candidates.h"
#include "golden/golden_data.h"
#include "support/chain_of.h"

namespace dp::test::transformations_golden_test {
namespace {

constexpr std::size_t kSize = 3000;

std::string of_doubles(const ChainOf& chain) {
  return golden_step(chain.get(), make_column(AtomType::f64, golden_doubles(kSize)), rows_apart());
}

std::string of_integers(const ChainOf& chain) {
  return golden_step(chain.get(), make_column(AtomType::i32, golden_integers(kSize)), rows_apart());
}

std::string of_texts(const ChainOf& chain) {
  return golden_step(chain.get(), make_column(AtomType::string, golden_texts(kSize)), rows_apart());
}

TEST(GoldenTransformations, RowsByThemselves) {
  const auto doubles = [](auto make, auto&&... args) {
    return of_doubles(from_rows(AtomType::f64, make, args...));
  };
  const ChainOf imputed = from_rows(AtomType::f64, make_impute_constant, Scalar(20.0));
  EXPECT_EQ(of_doubles(imputed), "d848b5a37ffe3c07");
  EXPECT_EQ(of_doubles(imputed.then(make_clamp, golden_bounds(-500, 1e3))), "84b0e173f0e61b9c");
  EXPECT_EQ(doubles(make_impute_uniform_float, golden_bounds(-2, 1e3)), "bb39c1f6950a8a79");
  EXPECT_EQ(doubles(make_cast, AtomType::i16), "402c96ae292e4675");
  EXPECT_EQ(doubles(make_cast, AtomType::string), "8cf0198ea1cd7dce");
  EXPECT_EQ(doubles(make_cast_default, AtomType::f32), "c71461c47d4cf401");
  EXPECT_EQ(doubles(make_is_null), "b270984a3f51e437");
  EXPECT_EQ(doubles(make_grid_cell, 0.25, 0.7), "0eeffa81eb8d4abb");
  const auto texts = [](auto make, auto&&... args) {
    return of_texts(from_rows(AtomType::string, make, args...));
  };
  EXPECT_EQ(texts(make_cast, AtomType::f64), "ade939f6d7430b32");
  EXPECT_EQ(texts(make_cast, AtomType::i32), "dec19b8ebfcff6c0");
  const ChainOf numbers = from_rows(AtomType::string, make_cast, AtomType::f64);
  EXPECT_EQ(of_texts(numbers.then(make_impute_uniform, -2.0, 1e3)), "a997d91a1fc0ddae");
  EXPECT_EQ(texts(make_is_equal, Scalar(std::string("17"))), "38f4709367c44d1e");
}

TEST(GoldenTransformations, RowsAllAtOnce) {
  const auto integers = [](auto make, auto&&... args) {
    return of_integers(from_rows(AtomType::i32, make, args...));
  };
  const Scalar zero(std::int32_t{0});
  EXPECT_EQ(integers(make_resize, kSize - 500, zero, symmetric_distance()), "c0f3fc44ac550ad6");
  EXPECT_EQ(integers(make_resize, kSize + 500, zero, symmetric_distance()), "a74ae9a8a3534081");
  EXPECT_EQ(integers(make_ordered_random), "eef7568f5ba6b3e4");
}

TEST(GoldenTransformations, Counts) {
  const ChainOf integers = from_rows(
      AtomType::i32, make_clamp, Bounds{Scalar(std::int32_t{-900}), Scalar(std::int32_t{900})});
  EXPECT_EQ(of_integers(integers.then(make_count, AtomType::u8)), "1984012c53a098a4");
  EXPECT_EQ(of_integers(from_rows(AtomType::i32, make_count_distinct, AtomType::i64)),
            "e54d3c0bada7d5b4");
  EXPECT_EQ(of_texts(from_rows(AtomType::string, make_count_distinct, AtomType::i64)),
            "f313c99d883723bb");
  const auto count_by = [](const Domain& domain, const Metric& metric) {
    return make_count_by(domain, metric, AtomType::i64);
  };
  EXPECT_EQ(of_integers(from_rows(AtomType::i32, count_by)), "2295bba1610d0a5d");
  EXPECT_EQ(of_texts(from_rows(AtomType::string, count_by)), "481ceeae9d37988b");
}

TEST(GoldenTransformations, HistogramsAndTrees) {
  std::vector<Scalar> edges;
  for (int i = -5; i < 20; ++i) edges.emplace_back(i * 50.0);
  std::vector<Scalar> places;
  for (std::uint64_t i = 0; i <= edges.size(); ++i) places.emplace_back(i);
  const ChainOf histogram =
      from_rows(AtomType::f64, make_find_bin, edges)
          .then(make_count_by_categories, places, false, l1_distance(AtomType::i64), AtomType::i64);
  EXPECT_EQ(of_doubles(histogram), "33602a3868105d66");
  EXPECT_EQ(of_doubles(histogram.then(make_b_ary_tree, std::uint64_t{26}, std::uint64_t{3})),
            "394870e61cc3812f");
  const ChainOf clamped = from_rows(AtomType::f64, make_impute_constant, Scalar(20.0))
                              .then(make_clamp, golden_bounds(-500, 1e3));
  EXPECT_EQ(of_doubles(clamped.then(make_quantile_score_candidates, edges, 0.3)),
            "de24e7c657249813");
  EXPECT_EQ(golden([](Golden& found) {
              for (std::uint32_t size = 1; size < 100000; size = size * 3 + 1) {
                found.add(choose_branching_factor(size));
              }
            }),
            "764a477759594ef9");
}

TEST(GoldenTransformations, Tables) {
  std::string lines;
  for (const std::string& text : golden_texts(kSize)) lines += "a, " + text + "\n";
  const Transformation table =
      make_split_dataframe(std::nullopt, {std::string("x"), std::string("y")}, AtomType::string);
  const ChainOf column = ChainOf(make_chain_tt(
      make_select_column(std::string("y"), AtomType::string, AtomType::string), table));
  const Value text = Text{lines, nullptr};
  EXPECT_EQ(golden_step(table, text, rows_apart()), "f4c862170e41c286");
  EXPECT_EQ(golden_step(column.then(make_cast, AtomType::f64).get(), text, rows_apart()),
            "ade939f6d7430b32");
}

}  // namespace
}  // namespace dp::test::transformations_golden_test
