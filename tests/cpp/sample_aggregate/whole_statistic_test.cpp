#include "core/sample_aggregate/whole_statistic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/numeric/instruction_set.h"
#include "core/transformations/rows/clamp.h"
#include "support/expect_error.h"
#include "support/reductions.h"

namespace dp::test::whole_statistic_test {
namespace {

constexpr BlockFunction kFunctions[] = {BlockFunction::mean, BlockFunction::variance};

BlockStatistic statistic_of(BlockFunction function, const AtomDomain& atom, std::size_t size) {
  return BlockStatistic(function, range_of_rows(atom), {size, 1});
}

std::int64_t only_row(const Value& value) {
  const Column& rows = *rows_in(value);
  EXPECT_EQ(rows.size(), 1u);
  BatchBuffer buffer;
  return *rows.read(0, 1, buffer).as<std::int64_t>();
}

// Statistic of a block of rows, each as an integer of its lattice.
std::int64_t expected(BlockFunction function, const AtomDomain& atom, std::vector<double> rows) {
  const double lower = std::get<double>(atom.bounds->lower);
  const double upper = std::get<double>(atom.bounds->upper);
  std::vector<std::int64_t> steps;
  for (const double row : rows) {
    steps.push_back(range_of_rows(atom).lattice.index(std::min(std::max(row, lower), upper)));
  }
  return statistic_of(function, atom, rows.size())(steps.data(), steps.size());
}

std::vector<double> some_rows(const AtomDomain& atom, std::size_t size, TestRandom& random) {
  const double lower = std::get<double>(atom.bounds->lower);
  const double upper = std::get<double>(atom.bounds->upper);
  std::vector<double> rows(size);
  for (double& row : rows) row = lower + (random.unit() * 1.2 - 0.1) * (upper - lower);
  return rows;
}

const std::vector<AtomDomain>& atoms() {
  static const std::vector<AtomDomain> all = {closed_atom(AtomType::f64, 0.0, 750000.0),
                                              closed_atom(AtomType::f64, -3.0, 1.5),
                                              closed_atom(AtomType::f64, 1e6, 1e6 + 1),
                                              closed_atom(AtomType::f64, -1e150, 1e150)};
  return all;
}

TEST(WholeStatistic, IsThatOfOneBlockWhateverBlocksThreadsAndInstructions) {
  TestRandom random(1);
  for (const AtomDomain& atom : atoms()) {
    for (const std::size_t size : {2, 3, 17, 1025, 600001}) {
      const auto rows = some_rows(atom, size, random);
      for (const BlockFunction function : kFunctions) {
        const Function f = whole_statistic(atom, statistic_of(function, atom, size), size);
        const std::int64_t result = expected(function, atom, rows);
        for (const InstructionSet set : available_instruction_sets()) {
          force_instruction_set(set);
          for (const std::size_t threads : {1, 2, 3, 8}) {
            const ScopedThreads scoped(threads);
            const ColumnPtr in_place = make_column(AtomType::f64, rows);
            EXPECT_EQ(only_row(f(in_place)), result);
            EXPECT_EQ(only_row(f(ColumnPtr(std::make_shared<CopiedColumn>(in_place)))), result);
          }
          for (const std::size_t largest : {1, 7, 100000}) {
            if (size > 2000 && largest == 1) continue;
            EXPECT_EQ(only_row(reduce_in_blocks(f, rows, largest, random)), result);
          }
        }
      }
    }
  }
}

TEST(WholeStatistic, IntegersAreClampedAndDoNotOverflow) {
  const std::int64_t bound = std::int64_t{1} << 53;
  const AtomDomain atom = closed_atom(AtomType::i64, -bound, bound);
  std::vector<std::int64_t> rows(200000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i % 2 == 0 ? 4 * bound : -4 * bound;
  const auto result = [&](BlockFunction function) {
    const Function f =
        whole_statistic(atom, statistic_of(function, atom, rows.size()), rows.size());
    return only_row(f(make_column(AtomType::i64, rows)));
  };
  EXPECT_EQ(result(BlockFunction::mean), 0);
  EXPECT_EQ(result(BlockFunction::variance),
            statistic_of(BlockFunction::variance, atom, rows.size()).range().upper);
}

TEST(WholeStatistic, TakesOverAClampToItsBoundsAndNoOther) {
  const AtomDomain atom = closed_atom(AtomType::f64, 0.0, 10.0);
  const Function f = whole_statistic(atom, statistic_of(BlockFunction::mean, atom, 4), 4);
  const Domain open = vector_of(non_nan_atom(AtomType::f64), 4);
  const auto fused_with = [&](double lower, double upper) {
    const auto clamp = make_clamp(open, symmetric_distance(), Bounds{lower, upper});
    const auto& stage = clamp.function().stages().at(0);
    return last_reducer(f).fuse(*std::get<std::shared_ptr<const RowOperator>>(stage));
  };
  const auto own = fused_with(0, 10);
  ASSERT_NE(own, nullptr);
  const std::vector<double> rows = {-50, 50, 5, 5};
  EXPECT_EQ(only_row(Function(Stage(own))(make_column(AtomType::f64, rows))),
            expected(BlockFunction::mean, atom, rows));
  EXPECT_EQ(fused_with(0, 9), nullptr);
  EXPECT_EQ(fused_with(1, 10), nullptr);
}

TEST(WholeStatistic, RowsThatAreNoNumbersCountAsTheLowerBound) {
  const AtomDomain atom = closed_atom(AtomType::f64, -1.0, 3.0);
  const Function f = whole_statistic(atom, statistic_of(BlockFunction::variance, atom, 5), 5);
  EXPECT_EQ(only_row(f(make_column<double>(AtomType::f64, {std::nan(""), 2, HUGE_VAL, -1, 0}))),
            expected(BlockFunction::variance, atom, {-1, 2, 3, -1, 0}));
}

TEST(WholeStatistic, D_DOM_4_AnotherNumberOfRowsIsOneFixedError) {
  const AtomDomain atom = closed_atom(AtomType::f64, 0.0, 1.0);
  const Function f = whole_statistic(atom, statistic_of(BlockFunction::mean, atom, 3), 3);
  const auto fails = [&](std::size_t size) {
    return expect_error(ErrorKind::failed_function,
                        [&] { f(make_column(AtomType::f64, std::vector<double>(size))); });
  };
  EXPECT_EQ(fails(0), fails(2));
  EXPECT_EQ(fails(2), fails(4));
}

}  // namespace
}  // namespace dp::test::whole_statistic_test
