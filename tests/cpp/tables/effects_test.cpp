// Scaled effects of small tables, and their norms by exhaustion.
#include "core/tables/effects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/numeric/rational.h"
#include "support/expect_error.h"

namespace dp::test::effects_test {
namespace {

using namespace tables;  // NOLINT: tests of tables speak their language

const std::vector<Shape> kShapes{{2}, {3}, {5}, {2, 2}, {2, 3}, {4, 3}, {2, 2, 2}, {3, 2, 4}};

// The product of (n_i I - J) over the columns, entry by entry.
std::vector<int128_t> effect_by_hand(const std::vector<int128_t>& counts, const Shape& shape) {
  std::vector<int128_t> effect(counts.size(), 0);
  for (std::size_t to = 0; to < counts.size(); ++to) {
    for (std::size_t from = 0; from < counts.size(); ++from) {
      int128_t entry = 1;
      std::size_t a = to;
      std::size_t b = from;
      for (std::size_t i = shape.size(); i-- > 0;) {
        const int128_t diagonal =
            a % shape[i] == b % shape[i] ? static_cast<int128_t>(shape[i]) : 0;
        entry *= diagonal - 1;
        a /= shape[i];
        b /= shape[i];
      }
      effect[to] += entry * counts[from];
    }
  }
  return effect;
}

EffectNorms norms_of(const std::vector<int128_t>& change) {
  EffectNorms norms;
  norms.l1 = norms.l2_squared = 0;
  for (const int128_t each : change) {
    const Integer number = to_integer(each);
    norms.l1 += abs(number);
    norms.l2_squared += number * number;
  }
  return norms;
}

std::vector<int128_t> one_row(const Shape& shape, std::size_t cell, int128_t times = 1) {
  std::vector<int128_t> counts(cells_of(shape), 0);
  counts[cell] = times;
  return counts;
}

TEST(Effects, equal_the_product_of_matrices) {
  for (const Shape& shape : kShapes) {
    std::vector<int128_t> counts;
    for (std::size_t i = 0; i < cells_of(shape); ++i) {
      counts.push_back(static_cast<int128_t>(i * i % 11) << 20);
    }
    EXPECT_EQ(scaled_effect(counts, shape), effect_by_hand(counts, shape));
  }
  EXPECT_EQ(scaled_effect({7}, {}), (std::vector<int128_t>{7}));
}

TEST(Effects, sum_to_zero_along_each_column) {
  const Shape shape{3, 2, 4};
  std::vector<int128_t> counts;
  for (std::size_t i = 0; i < 24; ++i) counts.push_back(static_cast<int128_t>(i * 7 % 5));
  const std::vector<int128_t> effect = scaled_effect(counts, shape);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::vector<bool> others(shape.size(), true);
    others[i] = false;
    for (const int128_t sum : margin(effect, shape, others)) EXPECT_EQ(sum, 0);
  }
}

TEST(Effects, margins_add_cells) {
  const std::vector<int128_t> counts{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(margin(counts, {2, 3}, {true, false}), (std::vector<int128_t>{6, 15}));
  EXPECT_EQ(margin(counts, {2, 3}, {false, true}), (std::vector<int128_t>{5, 7, 9}));
  EXPECT_EQ(margin(counts, {2, 3}, {false, false}), (std::vector<int128_t>{21}));
  EXPECT_EQ(margin(counts, {2, 3}, {true, true}), counts);
}

TEST(Effects, D_QRY_1_every_row_moves_them_by_their_norms) {
  for (const Shape& shape : kShapes) {
    const EffectNorms claimed = effect_norms(shape);
    for (std::size_t cell = 0; cell < cells_of(shape); ++cell) {
      const EffectNorms found = norms_of(scaled_effect(one_row(shape, cell), shape));
      EXPECT_EQ(found.l1, claimed.l1);
      EXPECT_EQ(found.l2_squared, claimed.l2_squared);
    }
  }
}

TEST(Effects, D_QRY_1_two_added_or_removed_rows_move_them_by_at_most_twice_as_much) {
  for (const Shape& shape : kShapes) {
    const EffectNorms claimed = effect_norms(shape);
    for (std::size_t a = 0; a < cells_of(shape); ++a) {
      for (std::size_t b = 0; b < cells_of(shape); ++b) {
        for (const int sign : {-1, 1}) {
          std::vector<int128_t> change = one_row(shape, a);
          change[b] += sign;
          const EffectNorms found = norms_of(scaled_effect(change, shape));
          EXPECT_LE(found.l1, 2 * claimed.l1);
          EXPECT_LE(found.l2_squared, 4 * claimed.l2_squared);
        }
      }
    }
  }
}

// The largest squared movement by a replaced row.
Integer furthest_replacement(const Shape& shape) {
  Integer most = 0;
  for (std::size_t a = 0; a < cells_of(shape); ++a) {
    for (std::size_t b = 0; b < cells_of(shape); ++b) {
      std::vector<int128_t> change = one_row(shape, a);
      change[b] -= 1;
      most = std::max(most, norms_of(scaled_effect(change, shape)).l2_squared);
    }
  }
  return most;
}

TEST(Effects, D_QRY_1_a_replaced_row_moves_them_by_the_bound_and_reaches_it) {
  for (const Shape& shape : kShapes) {
    EXPECT_EQ(furthest_replacement(shape), effect_norms(shape).replaced_l2_squared);
  }
  EXPECT_EQ(effect_norms({}).replaced_l2_squared, 0);
}

TEST(Effects, T_MUT_a_replaced_row_that_is_charged_as_an_added_one_is_noticed) {
  for (const Shape& shape : kShapes) {
    EXPECT_GT(furthest_replacement(shape), effect_norms(shape).l2_squared);
  }
}

TEST(Effects, T_MUT_an_effect_that_is_not_centred_in_one_column_is_noticed) {
  // Rows of a 2 x 3 table, centred in the second column only: the total of a row then shows.
  const std::vector<int128_t> half = scaled_effect({1, 0, 0}, {3});
  EXPECT_NE(norms_of(half).l2_squared, effect_norms({2, 3}).l2_squared);
}

TEST(Effects, of_columns_with_one_cell_are_zero) {
  EXPECT_EQ(effect_norms({3, 1}).l2_squared, 0);
  EXPECT_EQ(scaled_effect({4, 5, 6}, {3, 1}), (std::vector<int128_t>{0, 0, 0}));
}

TEST(Effects, of_tables_that_are_too_large_are_refused) {
  expect_error(ErrorKind::unsupported, [] { cells_of({1000, 1000, 2}); });
  expect_error(ErrorKind::unsupported, [] { cells_of({3, 0}); });
  EXPECT_EQ(cells_of({1000, 1000}), 1000000u);
}

}  // namespace
}  // namespace dp::test::effects_test
