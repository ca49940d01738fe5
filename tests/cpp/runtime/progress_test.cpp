#include "core/runtime/progress.h"

#include <gtest/gtest.h>

namespace dp::test::progress_test {
namespace {

using Say = Progress::Say;

Progress::Time after(int milliseconds) {
  return Progress::Time{} + std::chrono::hours(5) + std::chrono::milliseconds(milliseconds);
}

TEST(Progress, ShortRunsSayNothing) {
  Progress progress;
  for (int run = 0; run < 3; ++run) {
    for (int i = 1; i < 100; ++i) {
      EXPECT_EQ(progress.at(i, 100, after(5000 * run + 19 * i)), Say::nothing);
    }
    EXPECT_EQ(progress.at(100, 100, after(5000 * run + 1999)), Say::nothing);
  }
}

TEST(Progress, LongRunsSayWhereTheyAreTenTimesASecondAndWhenTheyEnd) {
  Progress progress;
  for (int run = 0; run < 2; ++run) {
    int said = 0;
    for (int i = 0; i < 3000; ++i) {
      const Say say = progress.at(i, 3000, after(10000 * run + i));
      EXPECT_NE(say, Say::done);
      said += say == Say::where ? 1 : 0;
      if (i < 2000) {
        EXPECT_EQ(said, 0);
      }
    }
    EXPECT_EQ(said, 10);
    EXPECT_EQ(progress.at(3000, 3000, after(10000 * run + 3000)), Say::done);
  }
}

TEST(Progress, ARunThatEndsAtOnceSaysNothing) {
  Progress progress;
  EXPECT_EQ(progress.at(0, 0, after(0)), Say::nothing);
  EXPECT_EQ(progress.at(1, 1, after(1)), Say::nothing);
}

}  // namespace
}  // namespace dp::test::progress_test
