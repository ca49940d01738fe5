// make_cast, make_cast_default and make_cast_inherent: one conversion, three forms of a missing
// value.
#include "core/transformations/rows/cast.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/cast_inherent.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/is_null.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::cast_test {
namespace {

constexpr AtomType kPrim[] = {AtomType::i8,
                              AtomType::i16,
                              AtomType::i32,
                              AtomType::i64,
                              AtomType::u8,
                              AtomType::u16,
                              AtomType::u32,
                              AtomType::u64,
                              AtomType::usize,
                              AtomType::f32,
                              AtomType::f64,
                              AtomType::boolean,
                              AtomType::string};

Domain rows_of(AtomType type) { return vector_of(default_atom(type)); }

template <class O, class I>
Dataset<O> run(const Transformation& t, AtomType type, const Dataset<I>& data) {
  return to_dataset<O>(t.invoke(to_value(type, data)));
}

TEST(Cast, GivesNullWhereThereIsNoValue) {
  const auto t = make_cast(rows_of(AtomType::f64), symmetric_distance(), AtomType::i64);
  EXPECT_EQ(t.output_domain(), vector_of(OptionDomain{default_atom(AtomType::i64)}));
  EXPECT_EQ((run<std::int64_t, double>(t, AtomType::f64, {1.0, 1e10, 0.5, kNaN, -kInf, kInf})),
            (Dataset<std::int64_t>{1, 10000000000, 0, {}, {}, {}}));
  const auto u8 = make_cast(rows_of(AtomType::f64), symmetric_distance(), AtomType::u8);
  EXPECT_EQ((run<std::uint8_t, double>(u8, AtomType::f64, {-1.0, kNaN, -kInf, kInf, -0.9})),
            (Dataset<std::uint8_t>{{}, {}, {}, {}, 0}));
}

TEST(Cast, TurnsNanIntoNullAlsoWhenItWasText) {
  const auto t = make_cast(rows_of(AtomType::string), symmetric_distance(), AtomType::f64);
  EXPECT_EQ((run<double, std::string>(t, AtomType::string, {"nan", "1.", "inf", "x", ""})),
            (Dataset<double>{{}, 1.0, kInf, {}, {}}));
}

TEST(Cast, ThenImputationFillsTheNulls) {
  const auto cast = make_cast(rows_of(AtomType::f64), symmetric_distance(), AtomType::i32);
  const auto impute = make_impute_constant(cast.output_domain(), cast.output_metric(), Scalar(-1));
  const auto t = make_chain_tt(impute, cast);
  EXPECT_EQ((run<std::int32_t, double>(t, AtomType::f64, {kNaN, 2.0})),
            (Dataset<std::int32_t>{-1, 2}));
}

TEST(CastDefault, GivesTheDefaultOfTheType) {
  const Metric metric = insert_delete_distance();
  const Domain text = rows_of(AtomType::string);
  EXPECT_EQ(
      (run<std::uint8_t, std::string>(
          make_cast_default(text, metric, AtomType::u8), AtomType::string, {"2", "3", "a", ""})),
      (Dataset<std::uint8_t>{2, 3, 0, 0}));
  EXPECT_EQ(
      (run<bool, std::string>(
          make_cast_default(text, metric, AtomType::boolean), AtomType::string, {"1", "", "1"})),
      (Dataset<bool>{true, false, true}));
  EXPECT_EQ(
      (run<std::string, double>(make_cast_default(rows_of(AtomType::f64), metric, AtomType::string),
                                AtomType::f64,
                                {kNaN, -kInf, kInf})),
      (Dataset<std::string>{"NaN", "-inf", "inf"}));
  EXPECT_EQ((run<double, std::string>(make_cast_default(text, metric, AtomType::f64),
                                      AtomType::string,
                                      {"1e+2", "1.e+02", "1.0E+00002", "01.E+02"})),
            (Dataset<double>{100.0, 100.0, 100.0, 100.0}));
}

TEST(CastDefault, KeepsNanAndSaysSoInTheDomain) {
  const auto t = make_cast_default(rows_of(AtomType::f64), symmetric_distance(), AtomType::f32);
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::f32)));
  EXPECT_TRUE(std::isnan(*(run<float, double>(t, AtomType::f64, {kNaN}))[0]));
}

TEST(CastInherent, GivesNan) {
  const auto t = make_cast_inherent(rows_of(AtomType::string), symmetric_distance(), AtomType::f64);
  const auto out = run<double, std::string>(t, AtomType::string, {"abc", "1", "1."});
  EXPECT_TRUE(std::isnan(*out[0]));
  EXPECT_EQ(out[1], 1.0);
  EXPECT_EQ(out[2], 1.0);
}

TEST(IsNull, SeesNullsAndNan) {
  const Metric metric = symmetric_distance();
  const auto inherent = make_cast_inherent(rows_of(AtomType::string), metric, AtomType::f64);
  const auto cast = make_cast(rows_of(AtomType::string), metric, AtomType::f64);
  for (const auto& first : {inherent, cast}) {
    const auto t = make_chain_tt(make_is_null(first.output_domain(), metric), first);
    EXPECT_EQ((run<bool, std::string>(t, AtomType::string, {"nan", "1.", "inf"})),
              (Dataset<bool>{true, false, false}));
  }
  const auto option = make_is_null(vector_of(OptionDomain{default_atom(AtomType::f64)}), metric);
  EXPECT_EQ((run<bool, double>(option, AtomType::f64, {kNaN, {}, 1.0})),
            (Dataset<bool>{true, true, false}));
  expect_error(ErrorKind::type, [&] { make_is_null(rows_of(AtomType::i32), metric); });
}

TEST(Cast, LosesBoundsAndKeepsSizes) {
  const Domain bounded = vector_of(closed_atom(AtomType::i32, Scalar(0), Scalar(9)), 3);
  const Metric metric = change_one_distance();
  EXPECT_EQ(make_cast_default(bounded, metric, AtomType::i32).output_domain(),
            vector_of(default_atom(AtomType::i32), 3));
  EXPECT_EQ(make_cast(bounded, metric, AtomType::u8).output_domain(),
            vector_of(OptionDomain{default_atom(AtomType::u8)}, 3));
}

TEST(Cast, RefusesWhatItMust) {
  const Domain option = vector_of(OptionDomain{default_atom(AtomType::i32)});
  const Metric metric = symmetric_distance();
  const Metric absolute = absolute_distance(AtomType::i32);
  const Domain ints = rows_of(AtomType::i32);
  for (const auto make : {make_cast, make_cast_default, make_cast_inherent}) {
    expect_error(ErrorKind::failed_cast, [&] { make(option, metric, AtomType::f64); });
    expect_error(ErrorKind::failed_cast,
                 [&] { make(default_atom(AtomType::i32), metric, AtomType::f64); });
    expect_error(ErrorKind::type, [&] { make(ints, absolute, AtomType::f64); });
    expect_error(ErrorKind::type, [&] { make(ints, metric, AtomType::i128); });
  }
  expect_error(ErrorKind::type, [&] { make_cast_inherent(ints, metric, AtomType::i32); });
}

TEST(Cast, D_SEN_1_D_DOM_1_EveryPairOfTypesIsStableAndStaysInItsDomain) {
  for (const AtomType from : kPrim) {
    for (const AtomType to : kPrim) {
      visit_atom(from, [&](auto tag) {
        using I = typename decltype(tag)::type;
        for (const auto make : {make_cast, make_cast_default}) {
          StabilityCheck<I> check(make(rows_of(from), symmetric_distance(), to));
          fuzz(check, 4, 100);
          EXPECT_TRUE(check.passed()) << name(from) << " to " << name(to) << ": " << check.report();
        }
      });
    }
  }
}

TEST(Cast, D_SEN_1_FourMetricsAndPlantedMutants) {
  for (const Metric& metric : {symmetric_distance(),
                               insert_delete_distance(),
                               change_one_distance(),
                               hamming_distance()}) {
    const auto size = is_bounded(metric) ? std::optional<std::uint64_t>(4) : std::nullopt;
    const auto t =
        make_cast(vector_of(default_atom(AtomType::string), size), metric, AtomType::i32);
    StabilityCheck<std::string> check(t);
    fuzz(check, 5, 2000);
    exhaust<std::string>(check, {std::string("1"), std::string("2"), std::string("x")}, 4);
    EXPECT_TRUE(check.passed()) << check.report();
    EXPECT_EQ(check.tightness(), 1);
    StabilityCheck<std::string> mutant(
        with_map(t, [](const Distance&) -> Distance { return Scalar(std::uint32_t{1}); }));
    fuzz(mutant, 5, 200);
    EXPECT_TRUE(mutant.is_refuted());
  }
}

TEST(Cast, D_DOM_3_ASpecialRowChangesNoOtherRow) {
  const auto t = make_cast(rows_of(AtomType::f64), symmetric_distance(), AtomType::i32);
  const Dataset<double> plain = {1.0, 2.0, 3.0};
  for (const auto& special : special_rows<double>(default_atom(AtomType::f64), false)) {
    Dataset<double> data = plain;
    data[1] = special;
    const auto out = run<std::int32_t, double>(t, AtomType::f64, data);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[2], 3);
  }
}

}  // namespace
}  // namespace dp::test::cast_test
