#include "core/transformations/sums/int_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/numeric/int128.h"
#include "core/numeric/limits.h"

namespace dp::test::int_kernels_test {
namespace {

using Int = std::int32_t;

int128_t by_definition(const std::vector<Int>& rows, Int lower, Int upper) {
  int128_t sum = 0;
  for (const Int row : rows) sum += std::clamp(row, lower, upper);
  return sum;
}

TEST(IntKernels, EveryInstructionSetAddsWhatTheDefinitionAdds) {
  std::mt19937_64 random(1);  // NOLINT: test data
  const std::vector<Int> ends = {
      kMin<Int>, kMin<Int> + 1, -7, -1, 0, 1, 5, kMax<Int> - 1, kMax<Int>};
  for (const IntKernels& kernels : available_int_kernels()) {
    for (std::size_t size = 0; size < 200; ++size) {
      std::vector<Int> rows(size);
      for (Int& row : rows) {
        row = random() % 3 == 0 ? ends[random() % ends.size()] : static_cast<Int>(random());
      }
      for (const Int lower : ends) {
        for (const Int upper : ends) {
          if (upper < lower) continue;
          ASSERT_EQ(kernels.clamped_sum(rows.data(), size, lower, upper),
                    by_definition(rows, lower, upper))
              << kernels.name << ' ' << size << ' ' << lower << ' ' << upper;
        }
      }
    }
  }
}

TEST(IntKernels, ManyRowsAtTheEndsOfTheTypeDoNotOverflow) {
  const std::size_t size = (std::size_t{1} << 22) + 5;
  for (const Int row : {kMin<Int>, kMax<Int>}) {
    const std::vector<Int> rows(size, row);
    for (const IntKernels& kernels : available_int_kernels()) {
      EXPECT_EQ(kernels.clamped_sum(rows.data(), size, kMin<Int>, kMax<Int>),
                static_cast<std::int64_t>(size) * row)
          << kernels.name;
    }
  }
}

TEST(IntKernels, OneRowIsFoundWhereverItStands) {
  for (const IntKernels& kernels : available_int_kernels()) {
    for (std::size_t size = 0; size < 100; ++size) {
      std::vector<Int> rows(size, 3);
      EXPECT_FALSE(kernels.holds(rows.data(), size, kMin<Int>));
      for (std::size_t i = 0; i < size; ++i) {
        rows[i] = kMin<Int>;
        EXPECT_TRUE(kernels.holds(rows.data(), size, kMin<Int>)) << kernels.name << ' ' << i;
        rows[i] = 3;
      }
    }
  }
}

}  // namespace
}  // namespace dp::test::int_kernels_test
