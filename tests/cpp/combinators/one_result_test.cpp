// Every chain has one result. It does not depend on the number of threads, block size or vector
// instructions, or on whether rows are read in place or copied.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/combinators/chain.h"
#include "core/engine/execute.h"
#include "core/numeric/instruction_set.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/transformations/counts/count_by.h"
#include "core/transformations/counts/count_by_categories.h"
#include "core/transformations/counts/count_distinct.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/frames/split_dataframe.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/find_bin.h"
#include "core/transformations/rows/identity.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/sums/float_sum.h"
#include "core/transformations/sums/int_sum.h"
#include "core/transformations/sums/lattice_sum.h"
#include "core/transformations/sums/sum_of_squared_deviations.h"
#include "core/transformations/trees/b_ary_tree.h"
#include "core/transformations/trees/quantile_score_candidates.h"
#include "support/chain_of.h"
#include "support/reductions.h"
#include "support/tier.h"

namespace dp::test::one_result_test {
namespace {

using Sizes = std::vector<std::size_t>;

constexpr std::size_t kSize = (1 << 19) + 12345;  // enough for several threads, and not round

// Two results print the same text only if they are equal bit for bit.
void show(const Scalar& scalar, std::string& out) {
  std::visit(
      [&](const auto& x) {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, std::string>) {
          out += x;
        } else if constexpr (std::is_floating_point_v<X>) {
          char text[40];
          std::snprintf(text, sizeof(text), "%a", static_cast<double>(x));
          out += text;
        } else if constexpr (std::is_same_v<X, int128_t>) {
          out += Integer(x).str();
        } else {
          out += std::to_string(x);
        }
      },
      scalar);
  out += ' ';
}

void show_rows(const ColumnPtr& rows, std::string& out) {
  visit_atom(rows->type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (const auto& row : to_dataset<T>(Value(rows))) {
      if (row) {
        show(Scalar(*row), out);
      } else {
        out += "null ";
      }
    }
  });
}

std::string shown(const Value& value) {
  std::string out;
  if (const auto* scalar = value.as<Scalar>()) show(*scalar, out);
  if (const auto* rows = value.as<ColumnPtr>()) show_rows(*rows, out);
  if (const auto* map = value.as<MapPtr>()) {
    show_rows((*map)->keys, out);
    show_rows((*map)->values, out);
  }
  EXPECT_FALSE(out.empty());
  return out;
}

Bounds bounds(double lower, double upper) { return {Scalar(lower), Scalar(upper)}; }

Transformation counts_of(AtomType type) {
  return make_count_by(vector_of(default_atom(type)), symmetric_distance(), AtomType::i64);
}

std::vector<double> some_doubles() {
  TestRandom random(1);
  std::vector<double> rows(kSize);
  for (double& row : rows) {
    row = random.below(50) == 0 ? std::nan("") : (random.unit() - 0.3) * 2000;
  }
  return rows;
}

std::vector<std::int32_t> some_integers() {
  TestRandom random(2);
  std::vector<std::int32_t> rows(kSize);
  for (auto& row : rows) row = static_cast<std::int32_t>(random.below(3000)) - 1000;
  return rows;
}

std::vector<std::string> some_texts() {
  TestRandom random(3);
  std::vector<std::string> rows(kSize);
  for (auto& row : rows) row = random.below(30) == 0 ? "?" : std::to_string(random.below(2000));
  return rows;
}

struct Case {
  std::string name;
  Transformation chain;
  Value data;
};

std::vector<Case> cases_of_doubles() {
  const Value data = make_column(AtomType::f64, some_doubles());
  const ChainOf clamped = from_rows(AtomType::f64, make_impute_constant, Scalar(20.0))
                              .then(make_clamp, bounds(-500, 1e3));
  const auto sums = [&](const char* summation) {
    return clamped.then([&](const Domain&, const Metric&) {
      return make_bounded_float_checked_sum(kSize, bounds(-500, 1e3), parse_summation(summation));
    });
  };
  std::vector<Scalar> edges;
  for (int i = -5; i < 20; ++i) edges.emplace_back(i * 50.0);
  std::vector<Scalar> places;
  for (std::uint64_t i = 0; i <= edges.size(); ++i) places.emplace_back(i);
  const ChainOf bins = from_rows(AtomType::f64, make_find_bin, edges);
  const ChainOf histogram =
      bins.then(make_count_by_categories, places, false, l1_distance(AtomType::i64), AtomType::i64);
  return {
      {"lattice sum", clamped.then(make_lattice_sum).get(), data},
      {"checked sum in order", sums("Sequential<f64>").get(), data},
      {"checked sum in pairs", sums("Pairwise<f64>").get(), data},
      {"bins", bins.get(), data},
      {"histogram", histogram.get(), data},
      {"tree", histogram.then(make_b_ary_tree, std::uint64_t{26}, std::uint64_t{3}).get(), data},
      {"quantile scores", clamped.then(make_quantile_score_candidates, edges, 0.3).get(), data},
      {"cast", from_rows(AtomType::f64, make_cast, AtomType::i16).get(), data}};
}

// Clamped rows whose number is known.
std::vector<Case> cases_of_sized_doubles() {
  auto rows = some_doubles();
  for (double& row : rows) row = std::isnan(row) ? 0 : row;
  const Value data = make_column(AtomType::f64, rows);
  const ChainOf clamped(make_clamp(
      vector_of(non_nan_atom(AtomType::f64), kSize), symmetric_distance(), bounds(-500, 1e3)));
  const auto whole = [&](BlockFunction function) {
    return clamped
        .then(make_subset_statistics, function, std::uint64_t{1}, l1_distance(AtomType::i64))
        .get();
  };
  const auto deviations = [&](const char* summation) {
    return clamped.then(make_sum_of_squared_deviations, parse_summation(summation)).get();
  };
  return {{"mean of one block", whole(BlockFunction::mean), data},
          {"median of one block", whole(BlockFunction::median), data},
          {"variance of one block", whole(BlockFunction::variance), data},
          {"squared deviations in order", deviations("Sequential<f64>"), data},
          {"squared deviations in pairs", deviations("Pairwise<f64>"), data}};
}

std::vector<Case> cases_of_integers() {
  const Value data = make_column(AtomType::i32, some_integers());
  const Bounds range{Scalar(std::int32_t{-900}), Scalar(std::int32_t{1500})};
  const ChainOf clamped = from_rows(AtomType::i32, make_clamp, range);
  std::vector<Scalar> categories;
  for (std::int32_t i = 0; i < 50; ++i) categories.emplace_back(i * 7);
  return {{"lattice sum of integers", clamped.then(make_lattice_sum).get(), data},
          {"split sum",
           make_chain_tt(make_bounded_int_split_sum(range, AtomType::i32), clamped.get()),
           data},
          {"counts of integers", counts_of(AtomType::i32), data},
          {"distinct integers",
           from_rows(AtomType::i32, make_count_distinct, AtomType::i64).get(),
           data},
          {"counts of categories",
           from_rows(AtomType::i32,
                     make_count_by_categories,
                     categories,
                     true,
                     l1_distance(AtomType::i64),
                     AtomType::i64)
               .get(),
           data},
          {"text of integers",
           from_rows(AtomType::i32, make_cast_default, AtomType::string).get(),
           data}};
}

std::vector<Case> cases_of_text() {
  const std::vector<std::string> texts = some_texts();
  const Value data = make_column(AtomType::string, texts);
  std::string lines;
  for (const std::string& text : texts) lines += "a," + text + "\n";
  const auto owner = std::make_shared<std::string>(std::move(lines));
  const ChainOf table(
      make_split_dataframe(std::nullopt, {std::string("x"), std::string("y")}, AtomType::string));
  const auto to_sum = [](const ChainOf& text) {
    return text.then(make_cast, AtomType::f64)
        .then(make_impute_constant, Scalar(3.5))
        .then(make_clamp, bounds(0, 1500))
        .then(make_lattice_sum)
        .get();
  };
  const ChainOf column = ChainOf(make_chain_tt(
      make_select_column(std::string("y"), AtomType::string, AtomType::string), table.get()));
  return {{"numbers in text",
           to_sum(ChainOf(
               make_identity(vector_of(default_atom(AtomType::string)), symmetric_distance()))),
           data},
          {"sum of a column of text", to_sum(column), Text{*owner, owner}},
          {"counts of text", counts_of(AtomType::string), data},
          {"distinct texts",
           from_rows(AtomType::string, make_count_distinct, AtomType::i64).get(),
           data}};
}

class OneResult : public ::testing::Test {
 protected:
  void TearDown() override {
    force_batch_rows(0);
    force_instruction_set(available_instruction_sets().back());
  }

  static void expect_one(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
      const std::string expected = shown(c.chain.invoke(c.data));
      const auto expect_same = [&](const std::string& how) {
        EXPECT_TRUE(shown(c.chain.invoke(c.data)) == expected) << c.name << ", " << how;
        if (const auto* rows = c.data.as<ColumnPtr>()) {
          const Value copied = ColumnPtr(std::make_shared<CopiedColumn>(*rows));
          EXPECT_TRUE(shown(c.chain.invoke(copied)) == expected) << c.name << ", copied, " << how;
        }
      };
      for (const std::size_t threads : in_tier<Sizes>({2, 8}, {1, 2, 3, 8})) {
        const ScopedThreads scoped(threads);
        expect_same(std::to_string(threads) + " threads");
      }
      for (const std::size_t rows : in_tier<Sizes>({7, 1000}, {7, 512, 1000, 1024})) {
        const ScopedThreads scoped(3);
        force_batch_rows(rows);
        expect_same("blocks of " + std::to_string(rows));
      }
      force_batch_rows(0);
      for (const InstructionSet set : available_instruction_sets()) {
        force_instruction_set(set);
        expect_same("instruction set " + std::to_string(static_cast<int>(set)));
      }
    }
  }
};

// The number of blocks, which must not affect any result.
class BlockCount final : public Reducer {
 public:
  struct Part final : Partial {
    std::uint64_t blocks = 0;
    void update(const Batch&) override { ++blocks; }
    void merge(Partial&& later) override { blocks += static_cast<const Part&>(later).blocks; }
  };
  std::unique_ptr<Partial> start(std::size_t) const override { return std::make_unique<Part>(); }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    return Scalar(static_cast<const Part&>(*merged(std::move(parts))).blocks);
  }
};

TEST_F(OneResult, BlocksAreAsSmallAsTheyAreForcedToBe) {
  const auto blocks = [](std::size_t forced) {
    force_batch_rows(forced);
    const ColumnPtr rows = make_column(AtomType::f64, std::vector<double>(1000));
    return element_in<std::uint64_t>(reduce_function<BlockCount>()(rows));
  };
  EXPECT_EQ(blocks(0), 1u);
  EXPECT_EQ(blocks(7), 143u);
  EXPECT_EQ(blocks(1024), 1u);
}

TEST_F(OneResult, OfDoubles) { expect_one(cases_of_doubles()); }
TEST_F(OneResult, OfDoublesOfKnownNumber) { expect_one(cases_of_sized_doubles()); }
TEST_F(OneResult, OfIntegers) { expect_one(cases_of_integers()); }
TEST_F(OneResult, OfText) { expect_one(cases_of_text()); }

}  // namespace
}  // namespace dp::test::one_result_test
