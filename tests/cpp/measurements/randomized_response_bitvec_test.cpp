#include "core/measurements/randomized_response_bitvec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::randomized_response_bitvec_test {
namespace {

Measurement response(std::uint32_t max_weight,
                     double f,
                     bool constant_time = false,
                     std::uint64_t size = 64) {
  return make_randomized_response_bitvec(
      BitVectorDomain{max_weight, size}, discrete_distance(), f, constant_time);
}

double eps(const Measurement& measurement) { return loss(measurement, std::uint32_t{1}); }

TEST(RandomizedResponseBitvec, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_randomized_response_bitvec");
  ASSERT_EQ(rows.size(), 7u);
  for (const OracleRow& row : rows) {
    const Measurement measurement =
        response(static_cast<std::uint32_t>(std::stoul(*row.arg("max_weight"))),
                 oracle_number(*row.arg("f")));
    const auto d_in = static_cast<std::uint32_t>(std::stoul(row.d_in));
    if (row.is_error()) {
      EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { loss(measurement, d_in); }),
                "d_in must be 0 or 1.");
    } else {
      const double wanted = oracle_number(row.d_out);
      EXPECT_NEAR(loss(measurement, d_in), wanted, 1e-9 * wanted) << row.args;
    }
  }
  EXPECT_EQ(loss(response(4, 0.5), std::uint32_t{0}), 0);
}

// Law of the answer to `truth`, over all vectors of `size` bits.
FiniteLaw answer_law(unsigned truth, unsigned size, double f) {
  FiniteLaw law(std::size_t{1} << size);
  const Wide flip = Wide(f) / 2;
  for (unsigned answer = 0; answer < law.size(); ++answer) {
    law[answer] = 1;
    for (unsigned bit = 0; bit < size; ++bit) {
      const bool flipped = ((truth ^ answer) >> bit & 1) != 0;
      law[answer] *= flipped ? flip : Wide(1 - flip);
    }
  }
  return law;
}

// Largest loss between any two vectors of 5 bits with at most `weight` bits set.
Wide worst_loss(unsigned weight, double f) {
  std::vector<FiniteLaw> laws;
  for (unsigned x = 0; x < 32; ++x) laws.push_back(answer_law(x, 5, f));
  Wide worst = 0;
  for (unsigned x = 0; x < 32; ++x) {
    for (unsigned y = 0; y < 32; ++y) {
      const auto heavy = [&](unsigned v) { return __builtin_popcount(v) > int(weight); };
      if (heavy(x) || heavy(y)) continue;
      worst = std::max(worst, max_divergence_of(laws[x], laws[y]));
    }
  }
  return worst;
}

TEST(RandomizedResponseBitvec, D_EPS_2_NoPairOfVectorsLosesMoreThanTheClaim) {
  for (unsigned weight : {1u, 2u}) {
    for (double f : {0.3, 0.75}) {
      const Wide over = worst_loss(weight, f) - eps(response(weight, f));
      EXPECT_LE(over, slack());
      EXPECT_GE(over, -1e-13);
    }
  }
}

TEST(RandomizedResponseBitvec, D_EPS_2_NoMoreBitsDifferThanThereAre) {
  for (unsigned weight : {3u, 4u, 5u}) {
    const Wide over = worst_loss(weight, 0.5) - eps(response(weight, 0.5, false, 5));
    EXPECT_LE(over, slack());
    EXPECT_GE(over, -1e-13);
  }
}

TEST(RandomizedResponseBitvec, D_EPS_2_TheCheckRejectsAClaimForOneSideOnly) {
  EXPECT_GT(worst_loss(2, 0.5), 1.9 * eps(response(1, 0.5)));
}

TEST(RandomizedResponseBitvec, D_EPS_4_EveryBitOfEveryByteIsFlippedAtItsRate) {
  constexpr double kRate = 0.35;
  constexpr double kDraws = 20000;
  for (bool steady : {false, true}) {
    ReplayedBits source(5);
    const ScopedBitSource scope(source);
    const Measurement flips = response(12, 2 * kRate, steady, 24);
    const Value::Bits truth{{0xA5, 0x00, 0xFF}};
    std::vector<double> flipped(24);
    for (int i = 0; i < kDraws; ++i) {
      const Value out = flips.invoke(truth);
      for (std::size_t bit = 0; bit < 24; ++bit) {
        const int difference = bits_in(out).bytes[bit / 8] ^ truth.bytes[bit / 8];
        flipped[bit] += difference >> (bit % 8) & 1;
      }
    }
    for (double count : flipped) {
      EXPECT_GT(fit({count, kDraws - count}, {Wide(kRate), 1 - Wide(kRate)}), 1e-6 / 48);
    }
    EXPECT_LT(fit({flipped[23], kDraws - flipped[23]}, {Wide(0.32), 1 - Wide(0.32)}), 1e-6);
  }
}

TEST(RandomizedResponseBitvec, LengthsStayAndEmptyVectorsWork) {
  const Measurement empty = response(1, 1, false, 0);
  EXPECT_TRUE(bits_in(empty.invoke(Value::Bits{})).bytes.empty());
  EXPECT_EQ(eps(empty), 0);
  EXPECT_EQ(bits_in(response(4, 1, false, 24).invoke(Value::Bits{{1, 2, 3}})).bytes.size(), 3u);
}

TEST(RandomizedResponseBitvec, D_DOM_4_ASizeOrWeightNotDeclaredIsOneFixedErrorBeforeAnyDraw) {
  RecordedBits none{};  // throws something else if it is asked
  const ScopedBitSource scope(none);
  for (bool steady : {false, true}) {
    const Measurement two_bytes = response(1, 0.5, steady, 16);
    const auto refused = [&](const std::vector<std::uint8_t>& bytes) {
      return expect_error(ErrorKind::failed_function,
                          [&] { two_bytes.invoke(Value::Bits{bytes}); });
    };
    for (std::size_t bytes : {0u, 1u, 3u, 100u}) {
      EXPECT_EQ(refused(std::vector<std::uint8_t>(bytes)),
                "arg must be a member of the input domain.");
    }
    for (const auto& heavy : {std::vector<std::uint8_t>{3, 0}, {0x80, 1}, {0xff, 0xff}}) {
      EXPECT_EQ(refused(heavy), "arg must be a member of the input domain.");
    }
  }
}

TEST(RandomizedResponseBitvec, RefusesDomainsAndRatesItHasNoLossFor) {
  const ErrorKind kind = ErrorKind::make_measurement;
  EXPECT_EQ(
      expect_error(
          kind,
          [] { make_randomized_response_bitvec(BitVectorDomain{}, discrete_distance(), 0.5); }),
      "make_randomized_response_bitvec requires a max_weight on the input_domain");
  EXPECT_NE(
      expect_error(
          kind,
          [] { make_randomized_response_bitvec(BitVectorDomain{2}, discrete_distance(), 0.5); })
          .find("requires a size"),
      std::string::npos);
  for (double f : {0.0, -0.5, 1.5, std::nan("")}) {
    EXPECT_EQ(expect_error(kind, [f] { response(1, f); }), "f must be in (0, 1]");
  }
  expect_error(ErrorKind::failed_cast, [] {
    make_randomized_response_bitvec(scalars(AtomType::i32), discrete_distance(), 0.5);
  });
  expect_error(ErrorKind::metric_space, [] {
    make_randomized_response_bitvec(BitVectorDomain{2, 8}, symmetric_distance(), 0.5);
  });
  EXPECT_THROW(response(1, 5e-324), Error);
  expect_error(ErrorKind::failed_cast, [] { response(1, 0.5).invoke(Scalar(1)); });
}

}  // namespace
}  // namespace dp::test::randomized_response_bitvec_test
