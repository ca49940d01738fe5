#include "core/transformations/sums/lattice_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/combinators/chain.h"
#include "core/numeric/rational.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/resize.h"
#include "core/transformations/stability.h"
#include "support/expect_error.h"
#include "support/reductions.h"

namespace dp::test::lattice_sum_test {
namespace {

using Size = std::optional<std::uint64_t>;

template <class T>
Domain rows_within(AtomType type, T lower, T upper, Size size = {}) {
  return vector_of(closed_atom(type, Scalar(lower), Scalar(upper)), size);
}

Transformation sum_within(double lower, double upper, Size size = {}) {
  return make_lattice_sum(rows_within(AtomType::f64, lower, upper, size), symmetric_distance());
}

// Rows need not be in the domain, because a chain may fuse the preceding clamp into the sum.
template <class T>
Integer sum_of(const Transformation& sum, const std::vector<T>& rows) {
  const AtomType type = row_domain(sum.input_domain()).atom.type;
  return Integer(element_in<int128_t>(sum.function()(make_column(type, rows))));
}

Integer map_of(const Transformation& sum, std::uint32_t d_in) {
  return Integer(number_in<int128_t>(sum.map(Distance(Scalar(d_in)))));
}

void shuffle_rows(std::vector<double>& rows, TestRandom& random) {
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
}

TEST(LatticeSum, CountsStepsOfThePublicLattice) {
  const auto sum = sum_within(-10, 10);
  const Lattice lattice = lattice_of_rows(closed_atom(AtomType::f64, Scalar(-10.0), Scalar(10.0)));
  EXPECT_EQ(lattice.exponent, 4 - 51);
  EXPECT_EQ(lattice.value(element_in<int128_t>(
                sum.invoke(make_column<double>(AtomType::f64, {0.5, 0.25, -3, 10})))),
            7.75);
  EXPECT_EQ(sum_of<double>(sum, {}), 0);
  EXPECT_EQ(sum.output_domain(), Domain(default_atom(AtomType::i128)));
  EXPECT_EQ(sum.output_metric(), absolute_distance(AtomType::i128));
}

TEST(LatticeSum, AddsIntegersBoolsAndSingles) {
  const auto metric = symmetric_distance();
  const auto ints = make_lattice_sum(rows_within<std::int32_t>(AtomType::i32, -5, 5), metric);
  EXPECT_EQ(sum_of<std::int32_t>(ints, {1, 2, -5, 9}), 1 + 2 - 5 + 5);
  constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();
  const auto large =
      make_lattice_sum(rows_within<std::uint64_t>(AtomType::u64, 0, kLargest), metric);
  EXPECT_EQ(sum_of(large, std::vector<std::uint64_t>(5, kLargest)), Integer(kLargest) * 5);
  EXPECT_EQ(map_of(large, 0xffffffff), Integer(kLargest) * 0xffffffff);
  const auto bools = make_lattice_sum(vector_of(default_atom(AtomType::boolean)), metric);
  EXPECT_EQ(sum_of<bool>(bools, {true, false, true}), 2);
  EXPECT_EQ(map_of(bools, 3), 3);
  const auto singles = make_lattice_sum(rows_within(AtomType::f32, -1.0F, 1.0F), metric);
  EXPECT_EQ(sum_of<float>(singles, {0.5F, 0.25F, -2.0F}), -(Integer(1) << 48));
}

TEST(LatticeSum, MapsFollowTheMetric) {
  // On [-3, 5] with 5 < 2^3 a step is 2^-48.
  const Integer unit = Integer(1) << 48;
  const auto sum = [](const Metric& metric, Size size) {
    return make_lattice_sum(rows_within(AtomType::f64, -3.0, 5.0, size), metric);
  };
  EXPECT_EQ(map_of(sum(symmetric_distance(), {}), 3), 15 * unit);
  EXPECT_EQ(map_of(sum(insert_delete_distance(), {}), 3), 15 * unit);
  EXPECT_EQ(map_of(sum(symmetric_distance(), 10), 3), 8 * unit);
  EXPECT_EQ(map_of(sum(insert_delete_distance(), 10), 4), 16 * unit);
  EXPECT_EQ(map_of(sum(change_one_distance(), 10), 3), 24 * unit);
  EXPECT_EQ(map_of(sum(hamming_distance(), 10), 1), 8 * unit);
  EXPECT_EQ(map_of(sum(symmetric_distance(), {}), 0), 0);
  EXPECT_EQ(map_of(sum_within(-5, 3), 1), 5 * unit);
}

TEST(LatticeSum, D_FLT_2_DoesNotDependOnOrderThreadsOrBlocks) {
  TestRandom random(1);
  const auto sum = sum_within(-1000, 1000);
  std::vector<double> rows((std::size_t{1} << 19) + 7);
  for (double& row : rows) row = (random.unit() - 0.5) * 3000;
  const Lattice lattice = lattice_for(-1000, 1000);
  Integer expected = 0;
  for (const double row : rows) expected += lattice.index(std::clamp(row, -1000.0, 1000.0));
  for (int i = 0; i < 3; ++i) {
    for (const Scalar& got : all_ways(sum, AtomType::f64, rows)) {
      EXPECT_EQ(Integer(std::get<int128_t>(got)), expected);
    }
    EXPECT_EQ(Integer(element_in<int128_t>(reduce_in_blocks(sum.function(), rows, 5000, random))),
              expected);
    shuffle_rows(rows, random);
  }
}

TEST(LatticeSum, D_FLT_2_SurvivesTheVectorsThatBreakFloatingPointSums) {
  constexpr double kM = 0x1p52;
  constexpr std::size_t kSize = 1024;
  const auto rows = [&](std::size_t from, std::size_t to) {
    std::vector<double> x(kSize, kM);
    for (std::size_t i = from; i < to; ++i) x[i] = kM + 1;
    return x;
  };
  std::vector<double> raised = rows(0, 512);
  raised.back() = kM + 1;
  const std::pair<std::vector<double>, std::vector<double>> pairs[] = {
      {rows(0, 512), rows(0, 513)}, {rows(0, 512), raised}, {rows(0, 1024), rows(1, 1024)}};
  for (const double lower : {0.0, kM - 2, kM}) {
    const auto sum =
        make_lattice_sum(rows_within(AtomType::f64, lower, kM + 1, kSize), change_one_distance());
    for (const auto& [x, y] : pairs) {
      EXPECT_LE(abs(sum_of(sum, x) - sum_of(sum, y)), map_of(sum, 1));
    }
  }
}

TEST(LatticeSum, D_FLT_2_IsTheSameForAllPermutations) {
  TestRandom random(2);
  for (const double large : {0x1p53, 0x1p64, 2147483647.0}) {
    std::vector<double> rows(100, 1.0);
    rows.insert(rows.begin(), large);
    rows.push_back(-large);
    const auto sum = sum_within(-large, large);
    const Integer expected = sum_of(sum, rows);
    EXPECT_EQ(expected, 100 * Integer(lattice_for(-large, large).index(1.0)));
    for (int i = 0; i < 20; ++i) {
      shuffle_rows(rows, random);
      EXPECT_EQ(sum_of(sum, rows), expected);
    }
  }
}

TEST(LatticeSum, D_DOM_3_ClampsWhatLiesOutsideAndRefusesNan) {
  const auto sum = sum_within(0, 1);
  EXPECT_EQ(sum_of<double>(sum, {HUGE_VAL, -HUGE_VAL, 5.0}), sum_of<double>(sum, {1.0, 1.0}));
  const double nan = std::nan("");
  const std::string one =
      expect_error(ErrorKind::failed_function, [&] { sum_of<double>(sum, {nan}); });
  std::vector<double> rows(5000, 0.5);
  rows[3000] = nan;
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { sum_of(sum, rows); }), one);
}

// Fills missing rows, clamps and adds: as one chain, and in three steps.
template <class T>
void expect_chain_is_its_steps(
    const Domain& input, T lower, T upper, T fill, const Dataset<T>& data) {
  const auto metric = symmetric_distance();
  const auto impute = make_impute_constant(input, metric, Scalar(fill));
  const auto clamp = make_clamp(impute.output_domain(), metric, {Scalar(lower), Scalar(upper)});
  const auto sum = make_lattice_sum(clamp.output_domain(), metric);
  const Value rows = to_value(row_domain(input).atom.type, data);
  const auto expected = element_in<int128_t>(sum.invoke(clamp.invoke(impute.invoke(rows))));
  const auto chain = make_chain_tt(sum, make_chain_tt(clamp, impute));
  EXPECT_TRUE(element_in<int128_t>(chain.invoke(rows)) == expected);

  // A resize that changes nothing sits between them and has no effect.
  const auto resize =
      make_resize(clamp.output_domain(), metric, data.size(), Scalar(lower), metric);
  const auto sized = make_lattice_sum(resize.output_domain(), metric);
  const auto longer = make_chain_tt(sized, make_chain_tt(resize, make_chain_tt(clamp, impute)));
  EXPECT_TRUE(element_in<int128_t>(longer.invoke(rows)) == expected);
}

TEST(LatticeSum, TakesOverImputationAndClamp) {
  TestRandom random(3);
  Dataset<double> floats;
  Dataset<double> options;
  Dataset<std::int32_t> ints;
  for (int i = 0; i < 5000; ++i) {
    floats.push_back(random.below(10) == 0 ? std::nan("") : random.unit() * 30 - 10);
    options.push_back(random.below(10) == 0 ? Row<double>() : floats.back());
    ints.push_back(random.below(10) == 0 ? Row<std::int32_t>()
                                         : static_cast<std::int32_t>(random.below(50)) - 25);
  }
  const AtomDomain f64 = default_atom(AtomType::f64);
  expect_chain_is_its_steps<double>(vector_of(f64), -5, 15, 7.5, floats);
  expect_chain_is_its_steps<double>(vector_of(f64), -5, 15, 99, floats);  // the fill is clamped
  expect_chain_is_its_steps<double>(vector_of(OptionDomain{f64}), -5, 15, 7.5, options);
  expect_chain_is_its_steps<std::int32_t>(
      vector_of(OptionDomain{default_atom(AtomType::i32)}), -20, 10, 3, ints);
}

TEST(LatticeSum, DoesNotTakeOverAnotherClamp) {
  const auto metric = symmetric_distance();
  const auto narrow =
      make_clamp(vector_of(non_nan_atom(AtomType::f64)), metric, {Scalar(0.0), Scalar(1.0)});
  const auto wide = make_clamp(narrow.output_domain(), metric, {Scalar(0.0), Scalar(8.0)});
  const auto sum = make_lattice_sum(wide.output_domain(), metric);
  const auto chain = make_chain_tt(sum, make_chain_tt(wide, narrow));
  EXPECT_EQ(sum_of<double>(chain, {0.5, 3, 9}), sum_of<double>(sum, {0.5, 1, 1}));
}

TEST(LatticeSum, D_DOM_2_RefusesWhatItCannotAdd) {
  const auto metric = symmetric_distance();
  expect_error(ErrorKind::make_transformation,
               [&] { make_lattice_sum(vector_of(non_nan_atom(AtomType::f64)), metric); });
  expect_error(ErrorKind::make_domain, [&] { sum_within(0, HUGE_VAL); });
  expect_error(ErrorKind::type,
               [&] { make_lattice_sum(vector_of(default_atom(AtomType::string)), metric); });
  expect_error(ErrorKind::type,
               [&] { make_lattice_sum(rows_within<int128_t>(AtomType::i128, 0, 1), metric); });
  expect_error(ErrorKind::failed_cast, [&] {
    make_lattice_sum(vector_of(OptionDomain{closed_atom(AtomType::f64, Scalar(0.0), Scalar(1.0))}),
                     metric);
  });
  expect_error(ErrorKind::metric_space, [&] {
    make_lattice_sum(rows_within(AtomType::f64, 0.0, 1.0), change_one_distance());
  });
  expect_error(ErrorKind::type, [&] {
    make_lattice_sum(rows_within(AtomType::f64, 0.0, 1.0), l1_distance(AtomType::f64));
  });
}

std::vector<Transformation> sums_under_every_metric() {
  std::vector<Transformation> sums;
  for (const Size size : {Size(), Size(4)}) {
    for (const Metric& metric : {symmetric_distance(), insert_delete_distance()}) {
      sums.push_back(make_lattice_sum(rows_within(AtomType::f64, -3.0, 2.3, size), metric));
    }
  }
  for (const Metric& metric : {change_one_distance(), hamming_distance()}) {
    sums.push_back(make_lattice_sum(rows_within(AtomType::f64, -3.0, 2.3, 4), metric));
  }
  return sums;
}

TEST(LatticeSum, D_SEN_1_MapsCoverNeighboursTightly) {
  for (const Transformation& sum : sums_under_every_metric()) {
    StabilityCheck<double> check(sum);
    exhaust<double>(check, {-3.0, 0.1, 2.3}, 4);
    fuzz<double>(check, 4, 2000, {0.1, 1 / 3.0, -2.9});
    EXPECT_TRUE(check.passed()) << debug(sum.input_metric()) << check.report();
    EXPECT_EQ(check.tightness(), 1.0) << debug(sum.input_metric());
  }
}

TEST(LatticeSum, D_SEN_1_PlantedMistakesAreFound) {
  // Mutants: only the upper bound, the range without added rows, one step too few.
  const Integer low = lattice_for(-3, 2.3).index(-3);
  const Integer high = lattice_for(-3, 2.3).index(2.3);
  for (const Transformation& sum : sums_under_every_metric()) {
    const bool sized = row_domain(sum.input_domain()).size.has_value();
    const StabilityMap upper_only =
        map_rows<int128_t>([&](std::uint32_t d_in) { return static_cast<int128_t>(high) * d_in; });
    const StabilityMap one_step_less = [&](const Distance& d_in) {
      const auto d_out = number_in<int128_t>(sum.map(d_in));
      return Distance(Scalar(d_out > 0 ? d_out - 1 : d_out));
    };
    StabilityCheck<double> less(with_map(sum, one_step_less));
    exhaust<double>(less, {-3.0, 0.1, 2.3}, 4);
    EXPECT_TRUE(less.is_refuted());
    if (sized) continue;
    ASSERT_GT(-low, high);
    StabilityCheck<double> upper(with_map(sum, upper_only));
    exhaust<double>(upper, {-3.0, 0.1, 2.3}, 4);
    EXPECT_TRUE(upper.is_refuted());
  }

  // Mutant: a floating-point sum that is rounded to the lattice once at the end.
  constexpr double kM = 0x1p52;
  const auto sum =
      make_lattice_sum(rows_within(AtomType::f64, kM, kM + 1, 1024), change_one_distance());
  StabilityCheck<double> naive(
      with_function(sum, whole_function([](const Value& value) {
                      double total = 0;
                      for (const auto& row : to_dataset<double>(value)) total += *row;
                      return Value(Scalar(static_cast<int128_t>(total / 4)));  // steps of 4
                    })));
  Dataset<double> x(1024, kM);
  std::fill(x.begin(), x.begin() + 512, kM + 1);
  Dataset<double> y = x;
  y.back() = kM + 1;
  naive.pair(x, y);
  EXPECT_TRUE(naive.is_refuted());
  StabilityCheck<double> ours(sum);
  ours.pair(x, y);
  EXPECT_TRUE(ours.passed()) << ours.report();
}

}  // namespace
}  // namespace dp::test::lattice_sum_test
