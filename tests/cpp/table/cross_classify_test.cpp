#include "core/table/cross_classify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/transformations/counts/count_by_categories.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/results.h"

namespace dp::test::cross_classify_test {
namespace {

using Cells = Dataset<std::uint64_t>;

Transformation of_x_and_y(std::uint64_t in_x, std::uint64_t in_y, std::uint64_t n) {
  return make_cross_classify({"x", "y"}, {in_x, in_y}, n);
}

Cells cells(const Transformation& t, const Value& frame) {
  return to_dataset<std::uint64_t>(t.invoke(frame));
}

TEST(CrossClassify, TheFirstVariableRunsFastest) {
  const Transformation t = of_x_and_y(3, 2, 6);
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::usize), 6));
  EXPECT_EQ(cells(t, frame_of({0, 1, 2, 0, 1, 2}, {0, 0, 0, 1, 1, 1})), (Cells{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(cells(make_cross_classify({"y", "x"}, {2, 3}, 2), frame_of({2, 1}, {1, 0})),
            (Cells{5, 2}));
  EXPECT_EQ(cells(make_cross_classify({"y"}, {2}, 2), frame_of({9, 9}, {0, 1})), (Cells{0, 1}));
}

TEST(CrossClassify, ARowWithoutAPlaceIsInNoCell) {
  const Doubles odd = {-1, 3, 0.5, kNaN, kInf, -kInf, 2};
  const Transformation t = of_x_and_y(3, 2, 7);
  EXPECT_EQ(cells(t, frame_of(odd, Doubles(7, 1))), (Cells{6, 6, 6, 6, 6, 6, 5}));
  EXPECT_EQ(cells(t, frame_of(Doubles(7, 1), odd)), (Cells{6, 6, 6, 6, 6, 6, 6}));
  EXPECT_EQ(cells(of_x_and_y(3, 2, 1), frame_of({-0.0}, {1})), (Cells{3}));
}

// Largest L1 change of all cell counts by one replaced row, over all frames of two rows.
std::uint64_t most_moved(const std::function<Cells(const Value&)>& classify, std::uint64_t none) {
  const Doubles values = {0, 1, kNaN};
  const auto counts = [&](double a, double b, double c, double d) {
    std::vector<std::uint64_t> all(none + 1);
    for (const auto& cell : classify(frame_of({a, c}, {b, d}))) ++all[std::min(*cell, none)];
    all.pop_back();
    return all;
  };
  std::uint64_t most = 0;
  for (const double a : values) {
    for (const double b : values) {
      for (const double c : values) {
        for (const double d : values) {
          for (const double x : values) {
            for (const double y : values) {
              const auto here = counts(a, b, c, d);
              const auto there = counts(x, y, c, d);
              std::uint64_t moved = 0;
              for (std::size_t i = 0; i < here.size(); ++i) {
                moved += std::max(here[i], there[i]) - std::min(here[i], there[i]);
              }
              most = std::max(most, moved);
            }
          }
        }
      }
    }
  }
  return most;
}

TEST(CrossClassify, D_SEN_1_OneReplacedRowMovesTwoCountsByOneAndMutantsMoveMore) {
  const Transformation t = of_x_and_y(2, 2, 2);
  EXPECT_EQ(most_moved([&](const Value& frame) { return cells(t, frame); }, 4), 2U);
  // Mutant: the cell of a row depends on another row.
  const auto mutant = [&](const Value& frame) {
    Cells all = cells(t, frame);
    all[1] = Row<std::uint64_t>((*all[0] + *all[1]) % 4);
    return all;
  };
  EXPECT_GT(most_moved(mutant, 4), 2U);
}

TEST(CrossClassify, D_SEN_1_CountsOfItsCellsCostTwoForEachReplacedRow) {
  const Transformation t = of_x_and_y(2, 2, 4);
  std::vector<Scalar> categories;
  for (std::uint64_t cell = 0; cell < 4; ++cell) categories.emplace_back(cell);
  const Transformation counts = t.then(make_count_by_categories(t.output_domain(),
                                                                t.output_metric(),
                                                                categories,
                                                                false,
                                                                l1_distance(AtomType::f64),
                                                                AtomType::f64));
  for (const std::uint32_t rows : {0U, 1U, 3U}) {
    EXPECT_EQ(number_in<double>(counts.map(Distance(Scalar(rows)))), 2.0 * rows);
  }
  EXPECT_EQ(doubles_in(counts.invoke(frame_of({0, 1, 1, kNaN}, {0, 1, 1, 0}))),
            (Doubles{1, 0, 0, 2}));
}

TEST(CrossClassify, RefusesWhatItMust) {
  const ErrorKind made = ErrorKind::make_transformation;
  const std::uint64_t large = std::uint64_t{1} << 30;
  expect_error(made, [] { make_cross_classify({}, {}, 1); });
  expect_error(made, [] { make_cross_classify({"x"}, {2, 2}, 1); });
  expect_error(made, [] { make_cross_classify({"x", "y"}, {2, 0}, 1); });
  expect_error(made, [&] { make_cross_classify({"x", "y"}, {large, large}, 1); });
  const ErrorKind foreign = ErrorKind::failed_function;
  expect_error(foreign, [] { of_x_and_y(2, 2, 1).invoke(frame_of({1, 1}, {1, 1})); });
  expect_error(foreign, [] { of_x_and_y(2, 2, 1).invoke(frame_of({1}, {})); });
}

}  // namespace
}  // namespace dp::test::cross_classify_test
