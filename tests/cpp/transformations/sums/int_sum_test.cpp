#include "core/transformations/sums/int_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/numeric/limits.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/stability.h"
#include "support/expect_error.h"
#include "support/reductions.h"

namespace dp::test::int_sum_test {
namespace {

// sum_test.cpp checks the maps of the oracle.

constexpr AtomType kRowTypes[] = {AtomType::i8,
                                  AtomType::i16,
                                  AtomType::i32,
                                  AtomType::i64,
                                  AtomType::u8,
                                  AtomType::u16,
                                  AtomType::u32,
                                  AtomType::u64,
                                  AtomType::usize};

// Calls f(type, T{}) for every carrier type of integer rows.
template <class F>
void for_each_type(F&& f) {
  for (const AtomType type : kRowTypes) {
    visit_integer(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (!std::is_same_v<T, int128_t>) f(type, T{});
    });
  }
}

template <class T>
Bounds between(T lower, T upper) {
  return {Scalar(lower), Scalar(upper)};
}

template <class T>
T cut(int128_t x) {
  return static_cast<T>(std::clamp<int128_t>(x, kMin<T>, kMax<T>));
}

// Reference sums by definition, row by row.
template <class T>
T by_definition_ordered(const std::vector<T>& rows) {
  T sum = 0;
  for (const T row : rows) sum = cut<T>(static_cast<int128_t>(sum) + row);
  return sum;
}
template <class T>
T by_definition_split(const std::vector<T>& rows) {
  T positive = 0;
  T negative = 0;
  for (const T row : rows) {
    T& sum = row > 0 ? positive : negative;
    sum = cut<T>(static_cast<int128_t>(sum) + row);
  }
  return cut<T>(static_cast<int128_t>(positive) + negative);
}
template <class T>
T exactly(const std::vector<T>& rows) {
  return cut<T>(std::accumulate(rows.begin(), rows.end(), int128_t{0}));
}

// Small numbers, any numbers, or only the limits of the type.
template <class T>
std::vector<T> some_rows(std::size_t size, TestRandom& random) {
  const std::size_t kind = random.below(3);
  std::vector<T> rows(size);
  for (T& row : rows) {
    if (kind == 0)
      row = static_cast<T>(static_cast<int>(random.below(20)) - (kIsSigned<T> ? 10 : 0));
    if (kind == 1) row = static_cast<T>(random.word());
    if (kind == 2) row = random.below(2) == 0 ? kMin<T> : kMax<T>;
  }
  return rows;
}

TEST(IntSum, GivesTheSaturationExamples) {
  const auto bounds = between<std::int8_t>(1, 127);
  EXPECT_EQ(
      invoke_on<std::int8_t>(make_bounded_int_split_sum(bounds, AtomType::i8), {-128, 127, 127}),
      -1);
  EXPECT_EQ(invoke_on<std::int8_t>(make_bounded_int_ordered_sum(bounds, AtomType::i8),
                                   {-128, -128, 127, 127, 127}),
            127);
}

TEST(IntSum, IsTheDefinitionInEveryTypeAndBlockSize) {
  TestRandom random(1);
  for_each_type([&](AtomType type, auto zero) {
    using T = decltype(zero);
    const Bounds bounds = between<T>(0, 1);
    const auto ordered = make_bounded_int_ordered_sum(bounds, type);
    const auto monotonic = make_bounded_int_monotonic_sum(bounds, type);
    const auto split = make_bounded_int_split_sum(bounds, type);
    const auto checked = make_sized_bounded_int_checked_sum(1, bounds, type);
    for (const std::size_t size : {0, 1, 2, 3, 17, 1023, 1024, 1025, 3000}) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        const auto rows = some_rows<T>(size, random);
        EXPECT_EQ(invoke_on(ordered, rows), by_definition_ordered(rows)) << name(type);
        EXPECT_EQ(invoke_on(monotonic, rows), by_definition_ordered(rows)) << name(type);
        EXPECT_EQ(invoke_on(split, rows), by_definition_split(rows)) << name(type);
        EXPECT_EQ(invoke_on(checked, rows), exactly(rows)) << name(type);
        for (const Transformation& t : {ordered, split, checked}) {
          EXPECT_EQ(
              element_in<T>(reduce_in_blocks(t.function(), rows, 1 + random.below(700), random)),
              invoke_on(t, rows));
        }
      }
    }
  });
}

TEST(IntSum, IsTheSameBehindAClampThatItTakesOver) {
  TestRandom random(7);
  for_each_type([&](AtomType type, auto zero) {
    using T = decltype(zero);
    const Metric metric = symmetric_distance();
    const T lowest =
        static_cast<T>(kIsSigned<T> ? kMin<T> + 1 : kMin<T>);  // what is below has no magnitude
    const T below = kIsSigned<T> ? static_cast<T>(-5) : T{2};
    const std::pair<T, T> ranges[] = {{0, 9},
                                      {3, 100},
                                      {below, 7},
                                      {0, kMax<T>},
                                      {lowest, 0},
                                      {lowest, kMax<T>},
                                      {lowest, lowest},
                                      {below, below}};
    for (const auto& [lower, upper] : ranges) {
      const Bounds bounds = between<T>(lower, upper);
      const auto clamp = make_clamp(vector_of(default_atom(type)), metric, bounds);
      const auto split = clamp.then(make_bounded_int_split_sum(bounds, type));
      const auto ordered_clamp =
          make_clamp(vector_of(default_atom(type)), insert_delete_distance(), bounds);
      const auto ordered = ordered_clamp.then(make_bounded_int_ordered_sum(bounds, type));
      for (const std::size_t size : {0, 1, 7, 1024, 5000}) {
        const auto rows = some_rows<T>(size, random);
        std::vector<T> clamped = rows;
        for (T& row : clamped) row = std::clamp(row, lower, upper);
        EXPECT_EQ(invoke_on(split, rows), by_definition_split(clamped)) << name(type);
        EXPECT_EQ(invoke_on(ordered, rows), by_definition_ordered(clamped)) << name(type);
        if (!signs_agree(bounds, type)) continue;
        const auto monotonic = clamp.then(make_bounded_int_monotonic_sum(bounds, type));
        EXPECT_EQ(invoke_on(monotonic, rows), by_definition_ordered(clamped)) << name(type);
      }
    }
  });
}

TEST(IntSum, DoesNotDependOnThreads) {
  TestRandom random(2);
  constexpr std::size_t kSize = (std::size_t{1} << 19) + 7;
  const auto check = [&](AtomType type, auto zero) {
    using T = decltype(zero);
    const auto rows = some_rows<T>(kSize, random);
    const Bounds bounds = between<T>(0, 1);
    for (const Scalar& sum : all_ways(make_bounded_int_ordered_sum(bounds, type), type, rows)) {
      EXPECT_EQ(sum, Scalar(by_definition_ordered(rows)));
    }
    for (const Scalar& sum : all_ways(make_bounded_int_split_sum(bounds, type), type, rows)) {
      EXPECT_EQ(sum, Scalar(by_definition_split(rows)));
    }
  };
  check(AtomType::i8, std::int8_t{});
  check(AtomType::i32, std::int32_t{});
  check(AtomType::i64, std::int64_t{});
}

TEST(IntSum, D_FLT_2_OrderFreeSumsAreTheSameForAllPermutations) {
  constexpr std::int32_t kX = 2147483647;
  const auto split = make_bounded_int_split_sum(between<std::int32_t>(-kX, kX), AtomType::i32);
  std::vector<std::int32_t> rows = {-kX, -kX, kX, kX};
  int orders = 0;
  do {
    EXPECT_EQ(invoke_on(split, rows), -1);  // both halves saturate
    ++orders;
  } while (std::next_permutation(rows.begin(), rows.end()));
  EXPECT_EQ(orders, 6);
}

TEST(IntSum, D_FLT_2_NothingWraps) {
  const auto sum = make_bounded_int_monotonic_sum(between<std::int32_t>(0, 1 << 30), AtomType::i32);
  EXPECT_EQ(invoke_on<std::int32_t>(sum, {1 << 30, (1 << 30) - 1, 1}), 2147483647);
  const auto lowest =
      make_bounded_int_monotonic_sum(between<std::int32_t>(-(1 << 30), 0), AtomType::i32);
  EXPECT_EQ(invoke_on<std::int32_t>(lowest, {-(1 << 30), -(1 << 30)}), kMin<std::int32_t>);
}

TEST(IntSum, D_DOM_2_RefusesInTheDocumentedOrder) {
  const auto i8 = AtomType::i8;
  const auto reversed = between<std::int8_t>(10, -10);
  // A sign or overflow check comes before the order of the bounds.
  expect_error(ErrorKind::make_transformation,
               [&] { make_bounded_int_monotonic_sum(reversed, i8); });
  expect_error(ErrorKind::make_transformation,
               [&] { make_sized_bounded_int_checked_sum(100, reversed, i8); });
  expect_error(ErrorKind::make_domain, [&] { make_bounded_int_ordered_sum(reversed, i8); });
  expect_error(ErrorKind::make_domain,
               [&] { make_bounded_int_split_sum(between<std::int8_t>(127, -128), i8); });
  expect_error(ErrorKind::overflow,
               [&] { make_sized_bounded_int_split_sum(1, between<std::int8_t>(127, -128), i8); });
  expect_error(ErrorKind::overflow, [&] {
    make_sized_bounded_int_ordered_sum(1, between<std::uint8_t>(10, 0), AtomType::u8);
  });
  expect_error(ErrorKind::failed_cast,
               [&] { make_bounded_int_split_sum(between<std::int32_t>(0, 1), i8); });
  expect_error(ErrorKind::type,
               [&] { make_bounded_int_split_sum(between(0.0, 1.0), AtomType::f64); });
  expect_error(ErrorKind::type,
               [&] { make_bounded_int_split_sum(between<int128_t>(0, 1), AtomType::i128); });
}

TEST(IntSum, KnowsWhenASumCanOverflow) {
  const auto i8 = [](int lower, int upper) {
    return between(static_cast<std::int8_t>(lower), static_cast<std::int8_t>(upper));
  };
  EXPECT_FALSE(int_sum_can_overflow(127, i8(0, 1), AtomType::i8));
  EXPECT_TRUE(int_sum_can_overflow(128, i8(0, 1), AtomType::i8));
  EXPECT_TRUE(int_sum_can_overflow(128, i8(0, 0), AtomType::i8));
  EXPECT_TRUE(int_sum_can_overflow(1, i8(-128, 0), AtomType::i8));
  EXPECT_FALSE(int_sum_can_overflow(0, i8(-127, 127), AtomType::i8));
  EXPECT_TRUE(int_sum_can_overflow(
      ~std::uint64_t{0}, between<std::uint64_t>(0, ~std::uint64_t{0}), AtomType::u64));
}

// Every constructor, with bounds that saturate sums of a few rows but not distances.
std::vector<Transformation> saturating_sums() {
  const auto wide = between<std::int8_t>(-60, 50);
  const auto positive = between<std::int8_t>(20, 60);
  const auto type = AtomType::i8;
  return {make_bounded_int_split_sum(wide, type),
          make_bounded_int_ordered_sum(wide, type),
          make_bounded_int_monotonic_sum(positive, type),
          make_sized_bounded_int_split_sum(4, wide, type),
          make_sized_bounded_int_ordered_sum(4, wide, type),
          make_sized_bounded_int_monotonic_sum(4, positive, type),
          make_sized_bounded_int_checked_sum(4, between<std::int8_t>(-25, 30), type)};
}

TEST(IntSum, D_SEN_1_MapsCoverNeighboursTightly) {
  for (const Transformation& sum : saturating_sums()) {
    StabilityCheck<std::int8_t> check(sum);
    const auto& bounds = *check.rows().atom.bounds;
    exhaust<std::int8_t>(
        check, {std::get<std::int8_t>(bounds.lower), 25, std::get<std::int8_t>(bounds.upper)}, 4);
    fuzz<std::int8_t>(check, 3, 2000, {20, 25, 30});
    EXPECT_TRUE(check.passed()) << debug(sum.input_domain()) << check.report();
    EXPECT_EQ(check.tightness(), 1.0) << debug(sum.input_domain());
  }
}

TEST(IntSum, D_SEN_1_PlantedMistakesAreFound) {
  const auto wide = between<std::int32_t>(-60, 50);
  const auto split = make_bounded_int_split_sum(wide, AtomType::i32);
  // Mutant: the sensitivity of only the upper bound.
  StabilityCheck<std::int32_t> upper_only(
      with_map(split, map_rows<std::int32_t>([](std::uint32_t d_in) {
                 return static_cast<std::int32_t>(d_in) * 50;
               })));
  exhaust<std::int32_t>(upper_only, {-60, 0, 50}, 3);
  EXPECT_TRUE(upper_only.is_refuted());

  // Mutant: a sum that wraps.
  const auto large =
      make_bounded_int_split_sum(between<std::int32_t>(-(1 << 30), 1 << 30), AtomType::i32);
  StabilityCheck<std::int32_t> wrapping(
      with_function(large, whole_function([](const Value& value) {
                      std::uint32_t sum = 0;
                      for (const auto& row : to_dataset<std::int32_t>(value))
                        sum += static_cast<std::uint32_t>(*row);
                      return Value(Scalar(static_cast<std::int32_t>(sum)));
                    })));
  exhaust<std::int32_t>(wrapping, {-(1 << 30), (1 << 30) - 1, 1 << 30}, 3);
  EXPECT_TRUE(wrapping.is_refuted());

  // Mutant: saturates at every step, but claims to depend only on the multiset.
  const auto narrow = between<std::int8_t>(-60, 50);
  const auto symmetric = make_bounded_int_split_sum(narrow, AtomType::i8);
  const auto ordered = make_bounded_int_ordered_sum(narrow, AtomType::i8);
  StabilityCheck<std::int8_t> unordered(with_function(symmetric, ordered.function()));
  exhaust<std::int8_t>(unordered, {-60, 0, 50}, 4);
  EXPECT_TRUE(unordered.is_refuted());
}

}  // namespace
}  // namespace dp::test::int_sum_test
