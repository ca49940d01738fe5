// A TEST() that compiles in a tenth of the time. GoogleTest's own makes a class of each test, with
// a factory of its own: of two thousand tests that is a quarter of a minute. Here a test is a
// function. A file that includes <gtest/gtest.h> alone gets GoogleTest's, which means the same.
#pragma once

#include <gtest/gtest.h>

namespace dp::test {

// Adds the test `suite`.`name` in line `line` of `file`, whose body is `body`.
testing::TestInfo* register_test(
    const char* suite, const char* name, const char* file, int line, void (*body)());

}  // namespace dp::test

#undef TEST
#define TEST(suite, name)                                                                   \
  static void suite##_##name##_body();                                                      \
  [[maybe_unused]] static testing::TestInfo* const suite##_##name##_test =                  \
      ::dp::test::register_test(#suite, #name, __FILE__, __LINE__, &suite##_##name##_body); \
  static void suite##_##name##_body()
