#include "core/data/membership.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/combinators/fully_adaptive_composition.h"
#include "core/data/public_size.h"
#include "core/data/records.h"
#include "core/engine/function.h"
#include "core/measurements/laplace.h"
#include "core/measurements/user_measurement.h"
#include "core/transformations/rows/user_transformation.h"
#include "core/transformations/sums/mean.h"
#include "support/expect_error.h"
#include "support/recorded_bits.h"

namespace dp::test::membership_test {
namespace {

const char* const kRefusal = "arg must be a member of the input domain.";

Value floats(std::size_t n) { return make_column(AtomType::f64, std::vector<double>(n, 0.5)); }

Value records(std::size_t n) {
  return RecordsPtr(
      std::make_shared<OwnedRecords>(std::vector<std::vector<std::string>>(n, {"a", "b"})));
}

Value columns(std::size_t first, std::size_t second) {
  return Value::Tuple{floats(first), floats(second)};
}

const AtomDomain kUnit = closed_atom(AtomType::f64, Scalar(0.0), Scalar(1.0));
const Domain kThree = vector_of(kUnit, 3);

TEST(Membership, D_DOM_4_SizesAndSingleElementsAreTold) {
  const Domain pairs = vector_of(PairDomain{kUnit, kUnit}, 3);
  const Domain lists = vector_of(vector_of(default_atom(AtomType::string)), 3);
  const Domain nulls = vector_of(OptionDomain{non_nan_atom(AtomType::f64)}, 3);
  const Domain bits = make_bitvector_domain(1, 16);
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(fits(floats(n), kThree), n == 3) << n;
    EXPECT_EQ(fits(floats(n), nulls), n == 3) << n;
    EXPECT_EQ(fits(records(n), lists), n == 3) << n;
    EXPECT_EQ(fits(columns(n, 3), pairs), n == 3) << n;
    EXPECT_EQ(fits(columns(n, n), pairs), n == 3) << n;
    EXPECT_EQ(fits(columns(2, n), vector_of(PairDomain{kUnit, kUnit})), n == 2) << n;
    EXPECT_EQ(fits(Value::Bits{std::vector<std::uint8_t>(n)}, bits), n == 2) << n;
    EXPECT_TRUE(fits(floats(n), vector_of(kUnit))) << n;
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Value vector = Value::Bits{{static_cast<std::uint8_t>(byte), 0}};
    const bool light = (byte & (byte - 1)) == 0;  // at most one bit is set
    EXPECT_EQ(fits(vector, bits), light) << byte;
    EXPECT_EQ(member(bits, vector), light) << byte;
    EXPECT_TRUE(member(make_bitvector_domain(std::nullopt, 16), vector)) << byte;
    EXPECT_FALSE(member(make_bitvector_domain(std::nullopt, 8), vector)) << byte;
  }
  expect_error(ErrorKind::failed_cast, [&] { member(bits, floats(2)); });
  for (double x : {-0.1, 1.1, HUGE_VAL, std::nan("")}) {
    EXPECT_FALSE(fits(Scalar(x), kUnit)) << x;
  }
  EXPECT_TRUE(fits(Scalar(1.0), kUnit));
  EXPECT_TRUE(fits(Scalar(std::nan("")), default_atom(AtomType::f64)));
  EXPECT_FALSE(fits(Scalar(std::nan("")), non_nan_atom(AtomType::f64)));
  EXPECT_FALSE(fits(Scalar(1), kUnit));  // a different carrier
}

// Every function that takes data, called with `n` rows where three are declared.
std::vector<std::function<void(const Value&)>> takers() {
  const auto loss = [](const Distance&) -> Distance { return Scalar(1.0); };
  const auto same = [](const Value& arg) { return arg; };
  const Transformation mean = make_mean(kThree, symmetric_distance());
  const Measurement user =
      make_user_measurement(kThree, symmetric_distance(), max_divergence(), same, loss);
  const Odometer odometer =
      make_fully_adaptive_composition(kThree, symmetric_distance(), max_divergence());
  const Function read = on_carrier(mean.input_domain(), mean.function());
  return {[=](const Value& arg) { mean.invoke(arg); },
          [=](const Value& arg) { user.invoke(arg); },
          [=](const Value& arg) { odometer.invoke(arg); },
          [=](const Value& arg) { read(arg); }};
}

TEST(Membership, D_DOM_4_APublicSizeIsComparedWithoutTheCells) {
  const Value outside = make_column(AtomType::f64, std::vector<double>(3, 7));
  EXPECT_TRUE(has_public_size(outside, kThree));
  EXPECT_FALSE(fits(outside, kThree));
  EXPECT_FALSE(has_public_size(floats(2), kThree));
  EXPECT_TRUE(has_public_size(floats(2), vector_of(kUnit)));
  EXPECT_FALSE(has_public_size(columns(2, 2), vector_of(PairDomain{kUnit, kUnit}, 3)));
}

TEST(Membership, D_DOM_4_ADeclaredSizeIsEnforcedInOneSentenceBeforeAnyDraw) {
  RecordedBits none{};  // throws something else if it is asked
  const ScopedBitSource scope(none);
  for (const auto& take : takers()) {
    for (std::size_t n : {0u, 2u, 4u, 1000u}) {
      EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { take(floats(n)); }), kRefusal);
    }
    EXPECT_NO_THROW(take(floats(3)));
  }
  const Measurement noisy =
      make_laplace(vector_of(non_nan_atom(AtomType::f64), 3), l1_distance(AtomType::f64), 1);
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { noisy.invoke(floats(4)); }), kRefusal);
}

TEST(Membership, D_DOM_4_AUsersFunctionKeepsTheSizeThatItDeclares) {
  const auto repeat = [](std::size_t n) {
    return make_user_transformation(
        vector_of(kUnit),
        symmetric_distance(),
        kThree,
        symmetric_distance(),
        [n](const Value&) { return floats(n); },
        [](const Distance& d_in) { return d_in; });
  };
  EXPECT_NO_THROW(repeat(3).invoke(floats(1)));
  const auto sentence = [&](std::size_t n) {
    return expect_error(ErrorKind::failed_function, [&] { repeat(n).invoke(floats(1)); });
  };
  EXPECT_EQ(sentence(2), sentence(4));
}

}  // namespace
}  // namespace dp::test::membership_test
