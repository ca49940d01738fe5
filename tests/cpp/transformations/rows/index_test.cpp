#include "core/transformations/rows/index.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/rows/find_bin.h"
#include "support/expect_error.h"
#include "support/stable.h"

namespace dp::test::index_test {
namespace {

const Scalar kA = std::string("A"), kB = std::string("B"), kC = std::string("C"),
             kD = std::string("D");

Domain places(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::usize), size);
}

TEST(Index, GivesCategoriesAndNullPastTheEnd) {
  const auto t = make_index(places(), symmetric_distance(), {kA, kB, kC}, kD, AtomType::string);
  const auto out = to_dataset<std::string>(
      t.invoke(to_value<std::uint64_t>(AtomType::usize, {0, 1, 2, 3, 2342, ~std::uint64_t{0}})));
  EXPECT_EQ(out, (Dataset<std::string>{"A", "B", "C", "D", "D", "D"}));
}

TEST(Index, OutlivesItsArgumentsInAChain) {
  const auto bins = make_find_bin(
      vector_of(default_atom(AtomType::f64)), symmetric_distance(), {Scalar(0.0), Scalar(1.0)});
  const auto t = [&] {
    const std::vector<Scalar> names = {std::string(100, 'x'), std::string(100, 'y')};
    return make_chain_tt(make_index(bins.output_domain(),
                                    bins.output_metric(),
                                    names,
                                    std::string(100, 'z'),
                                    AtomType::string),
                         bins);
  }();
  const auto out = to_dataset<std::string>(t.invoke(to_value<double>(AtomType::f64, {-1.0, 5.0})));
  EXPECT_EQ(out, (Dataset<std::string>{std::string(100, 'x'), std::string(100, 'z')}));
}

TEST(Index, TakesRepeatedAndNoCategoriesOfAnyType) {
  const auto bools = make_index(places(),
                                symmetric_distance(),
                                {Scalar(true), Scalar(true)},
                                Scalar(false),
                                AtomType::boolean);
  EXPECT_EQ(to_dataset<bool>(bools.invoke(to_value<std::uint64_t>(AtomType::usize, {1, 2}))),
            (Dataset<bool>{true, false}));
  const auto none = make_index(places(), symmetric_distance(), {}, Scalar(7.0), AtomType::f64);
  EXPECT_EQ(none.output_domain(), vector_of(default_atom(AtomType::f64)));  // NaN allowed
  EXPECT_EQ(to_dataset<double>(none.invoke(to_value<std::uint64_t>(AtomType::usize, {0}))),
            (Dataset<double>{7.0}));
}

TEST(Index, RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  for (const AtomType type : {AtomType::u64, AtomType::i32, AtomType::string}) {
    expect_error(ErrorKind::type, [&] {
      make_index(vector_of(default_atom(type)), metric, {kA}, kD, AtomType::string);
    });
  }
  expect_error(ErrorKind::failed_cast, [&] {
    make_index(places(), metric, {kA, Scalar(1)}, kD, AtomType::string);
  });
  expect_error(ErrorKind::failed_cast,
               [&] { make_index(places(), metric, {kA}, Scalar(1), AtomType::string); });
}

TEST(Index, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const auto& [metric, size] : dataset_spaces()) {
    const auto t = make_index(places(size), metric, {kA, kB}, kD, AtomType::string);
    const std::vector<Row<std::uint64_t>> values = {0, 1, 2};
    expect_stable(t, values);
    // Mutant: names rows after the previous row.
    expect_rejected(
        t,
        whole_function([](const Value& rows) -> Value {
          const auto data = to_dataset<std::uint64_t>(rows);
          Dataset<std::string> out;
          for (std::size_t i = 0; i < data.size(); ++i) {
            out.emplace_back(std::to_string(*data[i]) + std::to_string(i == 0 ? 0 : *data[i - 1]));
          }
          return to_value(AtomType::string, out);
        }),
        values);
  }
}

}  // namespace
}  // namespace dp::test::index_test
