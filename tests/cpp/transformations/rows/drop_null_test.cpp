#include "core/transformations/rows/drop_null.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/counts/count.h"
#include "core/transformations/rows/cast.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/stable.h"

namespace dp::test::drop_null_test {
namespace {

Domain option_of(AtomType type) { return vector_of(OptionDomain{default_atom(type)}); }

TEST(DropNull, DropsNullsAndNaNInEitherRepresentation) {
  const auto options = make_drop_null(option_of(AtomType::f64), symmetric_distance());
  EXPECT_EQ(to_dataset<double>(options.invoke(to_value<double>(AtomType::f64, {kNaN, 23.0, {}}))),
            (Dataset<double>{23.0}));
  const auto floats =
      make_drop_null(vector_of(default_atom(AtomType::f64)), insert_delete_distance());
  EXPECT_EQ(to_dataset<double>(floats.invoke(to_value<double>(AtomType::f64, {1.0, kNaN, 2.0}))),
            (Dataset<double>{1.0, 2.0}));
}

TEST(DropNull, ForgetsSizeAndBounds) {
  const Domain sized = vector_of(default_atom(AtomType::f64), 10);
  EXPECT_EQ(make_drop_null(sized, symmetric_distance()).output_domain(),
            vector_of(non_nan_atom(AtomType::f64)));
}

TEST(DropNull, StreamsThroughAChainInBlocks) {
  const auto cast =
      make_cast(vector_of(default_atom(AtomType::string)), symmetric_distance(), AtomType::i32);
  const auto drop = make_chain_tt(make_drop_null(cast.output_domain(), cast.output_metric()), cast);
  const auto count =
      make_chain_tt(make_count(drop.output_domain(), drop.output_metric(), AtomType::i32), drop);
  Dataset<std::string> rows;
  Dataset<std::int32_t> numbers;
  for (int i = 0; i < 5000; ++i) {
    rows.emplace_back(i % 3 == 0 ? std::string("?") : std::to_string(i));
    if (i % 3 != 0) numbers.emplace_back(i);
  }
  const Value text = to_value(AtomType::string, rows);
  EXPECT_EQ(to_dataset<std::int32_t>(drop.invoke(text)), numbers);
  EXPECT_EQ(element_in<std::int32_t>(count.invoke(text)), static_cast<int>(numbers.size()));
}

TEST(DropNull, KeepsTextOfItsOwn) {
  const auto t = make_drop_null(option_of(AtomType::string), symmetric_distance());
  const Value out = [&] {
    return t.invoke(
        to_value<std::string>(AtomType::string, {std::string(50, 'a'), {}, std::string(50, 'b')}));
  }();
  EXPECT_EQ(to_dataset<std::string>(out),
            (Dataset<std::string>{std::string(50, 'a'), std::string(50, 'b')}));
}

TEST(DropNull, RefusesWhatItMust) {
  expect_error(ErrorKind::type, [] {
    make_drop_null(vector_of(default_atom(AtomType::i32)), symmetric_distance());
  });
  for (const Metric& metric : {change_one_distance(), hamming_distance()}) {
    expect_error(ErrorKind::metric_space,
                 [&] { make_drop_null(vector_of(default_atom(AtomType::f64), 10), metric); });
  }
}

TEST(DropNull, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const Metric& metric : {symmetric_distance(), insert_delete_distance()}) {
    const auto floats = make_drop_null(vector_of(default_atom(AtomType::f64)), metric);
    const std::vector<Row<double>> values = {kNaN, 2.0, 3.0};
    expect_stable(floats, values);
    expect_rejected(floats, Function(), values);
    const auto options = make_drop_null(option_of(AtomType::i32), metric);
    const std::vector<Row<std::int32_t>> ints = {{}, 2, 3};
    expect_stable(options, ints);
    // Mutant: stops at the first null, so later rows depend on it.
    expect_rejected(options,
                    whole_function([](const Value& rows) -> Value {
                      auto data = to_dataset<std::int32_t>(rows);
                      data.erase(std::find(data.begin(), data.end(), std::nullopt), data.end());
                      return to_value(AtomType::i32, data);
                    }),
                    ints);
  }
}

}  // namespace
}  // namespace dp::test::drop_null_test
