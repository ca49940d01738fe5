#include "core/transformations/frames/split_lines.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/rows/cast_inherent.h"
#include "core/transformations/rows/is_null.h"
#include "support/expect_error.h"
#include "support/tables.h"

namespace dp::test::split_lines_test {
namespace {

Value text(const std::string& characters) { return Scalar(characters); }

TEST(SplitLines, GivesTheLinesOfAnElementAndOfText) {
  const auto t = make_split_lines();
  const Dataset<std::string> expected = {"ant", "bat", "cat"};
  EXPECT_EQ(to_dataset<std::string>(t.invoke(text("ant\nbat\ncat\n"))), expected);
  EXPECT_EQ(to_dataset<std::string>(t.invoke(Text{"ant\nbat\ncat", nullptr})), expected);
  EXPECT_EQ(t.input_domain(), Domain(default_atom(AtomType::string)));
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::string)));
  expect_error(ErrorKind::failed_cast, [&] { t.invoke(Scalar(1.0)); });
}

TEST(SplitLines, ChainsWithCastsAsInTheWorkedExample) {
  const auto lines = make_split_lines();
  const auto cast = make_cast_inherent(lines.output_domain(), lines.output_metric(), AtomType::f64);
  const auto t = make_chain_tt(make_is_null(cast.output_domain(), cast.output_metric()),
                               make_chain_tt(cast, lines));
  EXPECT_EQ(to_dataset<bool>(t.invoke(text("nan\n1.\ninf"))), (Dataset<bool>{true, false, false}));
}

TEST(SplitLines, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto lift = [](const Table& table) { return text(to_text(table)); };
  expect_stable_tables(make_split_lines(), 2, lift);
  // Mutant: also splits at the separator, so one row becomes two.
  const auto mutant = with_function(make_split_lines(), whole_function([](const Value& value) {
                                      std::string all = element_in<std::string>(value);
                                      for (char& c : all) c = c == ',' ? '\n' : c;
                                      return make_split_lines().invoke(text(all));
                                    }));
  EXPECT_FALSE(covers_tables(mutant, 2, lift));
}

}  // namespace
}  // namespace dp::test::split_lines_test
