#include "core/transformations/sums/sum.h"

#include <gtest/gtest.h>

#include <string>

#include "core/combinators/chain.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/lipschitz_float_mul.h"
#include "core/transformations/rows/metric_cast.h"
#include "core/transformations/rows/ordering.h"
#include "core/transformations/rows/resize.h"
#include "core/transformations/sums/float_sum.h"
#include "core/transformations/sums/int_sum.h"
#include "core/transformations/sums/mean.h"
#include "support/expect_error.h"
#include "support/reductions.h"
#include "transformations/sum_oracle.h"

namespace dp::test::sum_test {
namespace {

Scalar parse(AtomType type, const std::string& text) {
  return visit_number(type, [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(std::strtod(text.c_str(), nullptr));
    else
      return static_cast<T>(std::stoll(text));
  });
}

Transformation build(const SumOracle& row) {
  const std::string name = row.constructor;
  const bool is_float = name.find("float") != std::string::npos;
  const Summation summation = is_float ? parse_summation(row.type) : Summation{};
  const AtomType type = is_float ? summation.type : parse_atom_type(row.type);
  std::optional<Bounds> bounds;
  if (row.lower != nullptr) bounds = Bounds{parse(type, row.lower), parse(type, row.upper)};
  if (row.space != Space::own) {
    const Metric metric =
        row.space == Space::symmetric ? symmetric_distance() : insert_delete_distance();
    const Domain domain =
        vector_of(AtomDomain{type, bounds, false},
                  row.size == kUnknown ? std::nullopt : std::optional<std::uint64_t>(row.size));
    return name == "make_mean" ? make_mean(domain, metric) : make_sum(domain, metric);
  }
  using Float = Transformation (*)(std::uint64_t, const Bounds&, Summation);
  using Sized = Transformation (*)(std::uint64_t, const Bounds&, AtomType);
  using Unsized = Transformation (*)(const Bounds&, AtomType);
  const std::pair<const char*, Float> floats[] = {
      {"make_bounded_float_checked_sum", make_bounded_float_checked_sum},
      {"make_sized_bounded_float_checked_sum", make_sized_bounded_float_checked_sum},
      {"make_bounded_float_ordered_sum", make_bounded_float_ordered_sum},
      {"make_sized_bounded_float_ordered_sum", make_sized_bounded_float_ordered_sum}};
  const std::pair<const char*, Sized> sized[] = {
      {"make_sized_bounded_int_checked_sum", make_sized_bounded_int_checked_sum},
      {"make_sized_bounded_int_monotonic_sum", make_sized_bounded_int_monotonic_sum},
      {"make_sized_bounded_int_ordered_sum", make_sized_bounded_int_ordered_sum},
      {"make_sized_bounded_int_split_sum", make_sized_bounded_int_split_sum}};
  const std::pair<const char*, Unsized> unsized[] = {
      {"make_bounded_int_monotonic_sum", make_bounded_int_monotonic_sum},
      {"make_bounded_int_ordered_sum", make_bounded_int_ordered_sum},
      {"make_bounded_int_split_sum", make_bounded_int_split_sum}};
  for (const auto& [known, make] : floats) {
    if (name == known) return make(row.size, *bounds, summation);
  }
  for (const auto& [known, make] : sized) {
    if (name == known) return make(row.size, *bounds, type);
  }
  for (const auto& [known, make] : unsized) {
    if (name == known) return make(*bounds, type);
  }
  throw std::logic_error("unknown constructor " + name);
}

// Whether `number` equals the oracle's text: integers directly, floats as the equal double.
bool is_number_of(const Scalar& number, const std::string& text) {
  return std::visit(
      [&](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_floating_point_v<T>) {
          return static_cast<double>(x) == std::strtod(text.c_str(), nullptr);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return false;
        } else {
          return Integer(x) == Integer(text);
        }
      },
      number);
}

std::string describe(const SumOracle& row) {
  return std::string(row.constructor) + " of " + row.type + " at " + row.d_in + ": " + row.d_out;
}

TEST(Sum, MapsAreThoseOfTheOracle) {
  for (const SumOracle& row : kSumOracle) {
    const std::string expected = row.d_out;
    const bool fails = expected.compare(0, 6, "error:") == 0;
    std::optional<Transformation> sum;
    try {
      sum = build(row);
      ASSERT_STRNE(row.d_in, "") << describe(row) << ", but it was built";
      const auto d_in = static_cast<std::uint32_t>(std::stoul(row.d_in));
      const Distance d_out = sum->map(Distance(Scalar(d_in)));
      EXPECT_TRUE(!fails && is_number_of(*d_out.as<Scalar>(), expected))
          << describe(row) << ", not " << debug(d_out);
    } catch (const Error& error) {
      EXPECT_TRUE(fails && expected.substr(6) == variant(error.kind()))
          << describe(row) << ", not " << variant(error.kind()) << ": " << error.what();
      EXPECT_EQ(sum.has_value(), std::string(row.d_in) != "") << describe(row) << ": wrong stage";
    }
  }
}

Domain rows_within(AtomType type,
                   const char* lower,
                   const char* upper,
                   std::optional<std::uint64_t> size = {}) {
  return vector_of(closed_atom(type, parse(type, lower), parse(type, upper)), size);
}

double map_of(const Transformation& t, std::uint32_t d_in) {
  return number_in<double>(t.map(Distance(Scalar(d_in))));
}

TEST(Sum, ChainsWithOtherTransformationsAsInTheOracle) {
  const auto i32 = vector_of(default_atom(AtomType::i32));
  const auto clamped = [&](std::int32_t low, std::int32_t high) {
    return make_clamp(i32, symmetric_distance(), {Scalar(low), Scalar(high)});
  };
  const auto bounds = [](std::int32_t low, std::int32_t high) {
    return Bounds{Scalar(low), Scalar(high)};
  };
  expect_error(ErrorKind::domain_mismatch, [&] {
    make_chain_tt(make_bounded_int_split_sum(bounds(0, 11), AtomType::i32), clamped(0, 10));
  });
  expect_error(ErrorKind::metric_mismatch, [&] {
    make_chain_tt(make_bounded_int_ordered_sum(bounds(0, 10), AtomType::i32), clamped(0, 10));
  });

  const auto clamp = clamped(-4, 10);
  const auto ordered = make_chain_tt(
      make_bounded_int_ordered_sum(bounds(-4, 10), AtomType::i32),
      make_chain_tt(make_ordered_random(clamp.output_domain(), clamp.output_metric()), clamp));
  EXPECT_EQ(number_in<std::int32_t>(ordered.map(Distance(Scalar(std::uint32_t{3})))), 30);

  const auto unbounded =
      make_metric_unbounded(rows_within(AtomType::i32, "0", "10", 5), change_one_distance());
  const auto sum = make_sum(unbounded.output_domain(), unbounded.output_metric());
  EXPECT_EQ(number_in<std::int32_t>(
                make_chain_tt(sum, unbounded).map(Distance(Scalar(std::uint32_t{3})))),
            30);

  const auto scaled_bounds = Bounds{Scalar(-3.0), Scalar(4.0)};
  const auto float_sum = make_sized_bounded_float_ordered_sum(
      10, {Scalar(0.0), Scalar(10.0)}, {SumOrder::pairwise, AtomType::f64});
  const auto scaled = make_chain_tt(
      make_lipschitz_float_mul(
          float_sum.output_domain(), float_sum.output_metric(), Scalar(0.1), scaled_bounds),
      float_sum);
  EXPECT_EQ(map_of(scaled, 2), 1.0000000000000153);
  EXPECT_EQ(invoke_on(scaled, std::vector<double>(10, 3.0)), 0.4);

  const auto floats = make_clamp(
      vector_of(non_nan_atom(AtomType::f64)), symmetric_distance(), {Scalar(0.0), Scalar(10.0)});
  const auto sized = make_resize(
      floats.output_domain(), floats.output_metric(), 100, Scalar(5.0), symmetric_distance());
  const auto mean = make_mean(sized.output_domain(), sized.output_metric());
  EXPECT_EQ(map_of(make_chain_tt(mean, make_chain_tt(sized, floats)), 1), 0.10000000000003129);
}

TEST(Sum, AddsSmallNumbers) {
  const auto ints = make_sum(rows_within(AtomType::i32, "0", "10"), symmetric_distance());
  EXPECT_EQ(invoke_on<std::int32_t>(ints, {1, 2, 4}), 7);
  EXPECT_EQ(invoke_on<std::int32_t>(ints, {}), 0);
  const auto floats = make_sum(rows_within(AtomType::f64, "0", "10"), insert_delete_distance());
  EXPECT_EQ(invoke_on<double>(floats, {1, 2, 4}), 7.0);
  EXPECT_EQ(invoke_on<double>(floats, {}), 0.0);
}

TEST(Sum, PicksTheVariantOfTheTable) {
  const auto begins_with_whole_stage = [](const Transformation& t) {
    return std::holds_alternative<std::shared_ptr<const WholeStage>>(t.function().stages().front());
  };
  // Checked sums keep the order. A sum that may overflow shuffles first.
  EXPECT_FALSE(begins_with_whole_stage(
      make_sum(rows_within(AtomType::f64, "0", "1", 100), symmetric_distance())));
  EXPECT_TRUE(begins_with_whole_stage(
      make_sum(rows_within(AtomType::f64, "0", "1e306", 1000), symmetric_distance())));
  EXPECT_FALSE(begins_with_whole_stage(
      make_sum(rows_within(AtomType::f64, "0", "1e306", 1000), insert_delete_distance())));
  // i8: -128 + 127 + 127 depends on the order, so it is split under one metric and ordered under
  // the other.
  const std::vector<std::int8_t> rows = {-100, -100, 100, 100, 100};
  const auto split = make_sum(rows_within(AtomType::i8, "-100", "100"), symmetric_distance());
  const auto ordered = make_sum(rows_within(AtomType::i8, "-100", "100"), insert_delete_distance());
  EXPECT_EQ(invoke_on(split, rows), -1);     // 127 - 128
  EXPECT_EQ(invoke_on(ordered, rows), 127);  // -100, -128, -28, 72, 127
}

TEST(Sum, DropsTheNanFlagOfBoundedFloatsAlikeInEveryBranch) {
  for (const char* upper : {"1", "1e306"}) {
    for (const std::optional<std::uint64_t> size :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1000)}) {
      for (const Metric& metric : {symmetric_distance(), insert_delete_distance()}) {
        AtomDomain atom = closed_atom(AtomType::f64, Scalar(0.0), parse(AtomType::f64, upper));
        const Domain clean = vector_of(atom, size);
        atom.nan = true;
        EXPECT_EQ(make_sum(vector_of(atom, size), metric).input_domain(), clean);
      }
    }
  }
}

TEST(Sum, D_DOM_2_RefusesWhatItCannotAdd) {
  const auto symmetric = symmetric_distance();
  expect_error(ErrorKind::make_transformation,
               [&] { make_sum(vector_of(default_atom(AtomType::f64)), symmetric); });
  expect_error(ErrorKind::type,
               [&] { make_sum(vector_of(default_atom(AtomType::string)), symmetric); });
  expect_error(ErrorKind::type,
               [&] { make_sum(vector_of(default_atom(AtomType::boolean)), symmetric); });
  expect_error(ErrorKind::type,
               [&] { make_sum(rows_within(AtomType::i32, "0", "1", 3), change_one_distance()); });
  expect_error(ErrorKind::type,
               [&] { make_sum(rows_within(AtomType::i128, "0", "1"), symmetric); });
  expect_error(ErrorKind::failed_cast, [&] {
    make_sum(vector_of(OptionDomain{closed_atom(AtomType::i32, Scalar(0), Scalar(1))}), symmetric);
  });
  expect_error(ErrorKind::failed_cast,
               [&] { make_sum(closed_atom(AtomType::i32, Scalar(0), Scalar(1)), symmetric); });
  expect_error(ErrorKind::overflow,
               [&] { make_sum(rows_within(AtomType::f64, "-1e308", "1e308"), symmetric); });
  expect_error(ErrorKind::overflow,
               [&] { make_sum(rows_within(AtomType::f64, "0", "inf"), symmetric); });
}

}  // namespace
}  // namespace dp::test::sum_test
