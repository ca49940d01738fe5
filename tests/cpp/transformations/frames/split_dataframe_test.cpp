#include "core/transformations/frames/split_dataframe.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/sums/sum.h"
#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/tables.h"

namespace dp::test::split_dataframe_test {
namespace {

const Scalar kA = std::string("A"), kB = std::string("B");

Transformation split() { return make_split_dataframe({}, {kA, kB}, AtomType::string); }

TEST(SplitDataframe, NamesTheFieldsOfEachLine) {
  const Value frame = split().invoke(Scalar(std::string("1, 1.0\n2, 2.0\n3, 3.0")));
  EXPECT_EQ(to_dataset<std::string>(Value(frame_in(frame)->column(kA, AtomType::string))),
            (Dataset<std::string>{"1", "2", "3"}));
  EXPECT_EQ(to_dataset<std::string>(Value(frame_in(frame)->column(kB, AtomType::string))),
            (Dataset<std::string>{"1.0", "2.0", "3.0"}));
}

// Select, cast, impute, clamp and sum, in one pass over the text.
Transformation column_sum(std::int32_t upper) {
  auto t = make_chain_tt(make_select_column(kB, AtomType::string, AtomType::string), split());
  t = make_chain_tt(make_cast(t.output_domain(), t.output_metric(), AtomType::i32), t);
  t = make_chain_tt(
      make_impute_constant(t.output_domain(), t.output_metric(), Scalar(std::int32_t{7})), t);
  t = make_chain_tt(
      make_clamp(t.output_domain(), t.output_metric(), {Scalar(std::int32_t{0}), Scalar(upper)}),
      t);
  return make_chain_tt(make_sum(t.output_domain(), t.output_metric()), t);
}

TEST(SplitDataframe, ChainsFromTextToASumOnAnyNumberOfThreads) {
  std::string text;
  std::int32_t expected = 0;
  for (std::int32_t i = 0; i < 700000; ++i) {
    text += "name" + std::to_string(i) + ", ";
    text += i % 10 == 0 ? std::string("?") : std::to_string(i % 150);
    text += i % 2 == 0 ? ",z\r\n" : "\n";
    expected += i % 10 == 0 ? 7 : std::min(i % 150, 100);
  }
  const auto t = column_sum(100);
  for (const std::size_t threads : {1, 2, 4}) {
    const ScopedThreads scoped(threads);
    EXPECT_EQ(element_in<std::int32_t>(t.invoke(Text{text, nullptr})), expected);
  }
  EXPECT_EQ(debug(t.map(Distance(Scalar(std::uint32_t{3})))), "300");
}

TEST(SplitDataframe, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto lift = [](const Table& table) -> Value { return Scalar(to_text(table)); };
  expect_stable_tables(split(), 2, lift);
  // Mutant: appends the first field of the first line to every record.
  const auto mutant = with_function(split(), whole_function([](const Value& value) -> Value {
                                      Table table = to_table(split().invoke(value));
                                      if (!table.empty()) {
                                        for (auto& record : table)
                                          record.push_back(table.front().front());
                                      }
                                      return to_frame(table, 3);
                                    }));
  EXPECT_FALSE(covers_tables(mutant, 2, lift));
}

}  // namespace
}  // namespace dp::test::split_dataframe_test
