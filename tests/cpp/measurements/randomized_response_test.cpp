#include "core/measurements/randomized_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::randomized_response_test {
namespace {

double eps(const Measurement& measurement, std::uint32_t d_in) { return loss(measurement, d_in); }

// Integers 0, ..., t - 1.
Measurement integers(int t, double prob) {
  std::vector<Scalar> categories;
  for (int i = 0; i < t; ++i) categories.emplace_back(i);
  return make_randomized_response(categories, AtomType::i32, prob);
}

TEST(RandomizedResponse, AgreesWithEveryRowOfTheOracle) {
  const auto bools = oracle_rows("make_randomized_response_bool");
  const auto categories = oracle_rows("make_randomized_response");
  ASSERT_EQ(bools.size(), 10u);
  ASSERT_EQ(categories.size(), 7u);
  const auto expect = [](const OracleRow& row, const Measurement& response) {
    const double wanted = oracle_number(row.d_out);
    const double found = eps(response, static_cast<std::uint32_t>(std::stoul(row.d_in)));
    if (std::isinf(wanted)) {
      EXPECT_EQ(found, wanted);
    } else {
      EXPECT_NEAR(found, wanted, 1e-9 * wanted) << row.args;
    }
  };
  for (const OracleRow& row : bools) {
    expect(row, make_randomized_response_bool(oracle_number(*row.arg("prob"))));
  }
  for (const OracleRow& row : categories) {
    expect(row, integers(std::stoi(*row.arg("categories")), oracle_number(*row.arg("prob"))));
  }
}

// Law of the answer to `truth`, which is a category if it is below t.
FiniteLaw response_law(std::size_t t, double prob, std::size_t truth) {
  if (truth >= t) return FiniteLaw(t, Wide(1) / t);
  FiniteLaw law(t, (1 - Wide(prob)) / (t - 1));
  law[truth] = prob;
  return law;
}

// Largest loss between any two inputs, minus the claim.
Wide excess(std::size_t t, double law_prob, double claim) {
  Wide worst = 0;
  for (std::size_t x = 0; x <= t; ++x) {
    for (std::size_t y = 0; y <= t; ++y) {
      worst = std::max(
          worst, max_divergence_of(response_law(t, law_prob, x), response_law(t, law_prob, y)));
    }
  }
  return worst - claim;
}

TEST(RandomizedResponse, D_EPS_2_NoPairOfInputsLosesMoreThanTheClaim) {
  for (std::size_t t : {2u, 3u, 4u, 7u, 49u}) {
    const double least = 1 / static_cast<double>(t);
    for (double prob : {least, std::nextafter(least, 1), 0.5, 0.51, 0.75, 0.999}) {
      if (prob < least) continue;
      const double claim = eps(integers(static_cast<int>(t), prob), 1);
      const Wide over = excess(t, prob, claim);
      EXPECT_LE(over, slack()) << t << ' ' << prob;
      EXPECT_GE(over, -1e-14) << "not tight: " << t << ' ' << prob;
    }
  }
}

TEST(RandomizedResponse, D_EPS_2_TheDoubleBelowOneInTIsChargedForItsLies) {
  // 1/49 as a double is below 1/49, so lies are likelier than the truth.
  ASSERT_LT(Rational(1 / 49.0), Rational(1, 49));
  EXPECT_GT(eps(integers(49, 1 / 49.0), 1), 0);
}

TEST(RandomizedResponse, D_EPS_2_TheCheckRejectsAClaimThatForgetsTheNumberOfLies) {
  EXPECT_GT(excess(4, 0.75, std::log(3.0)), 1);
  EXPECT_GT(excess(2, 0.76, eps(make_randomized_response_bool(0.75), 1)), 0.01);
}

constexpr std::size_t kDraws = 100000;
constexpr double kAlpha = 1e-6 / 12;

double response_fit(const Measurement& response, int truth, const FiniteLaw& law) {
  ReplayedBits bits(static_cast<std::uint64_t>(truth) + 7);
  const ScopedBitSource scope(bits);
  std::vector<double> counts(law.size());
  for (std::size_t i = 0; i < kDraws; ++i) {
    counts[static_cast<std::size_t>(element_in<std::int32_t>(response.invoke(Scalar(truth))))] += 1;
  }
  return fit(counts, law);
}

TEST(RandomizedResponse, AnswersHaveTheirLaw) {
  for (int truth = 0; truth <= 5; ++truth) {
    const auto at = static_cast<std::size_t>(truth);
    EXPECT_GT(response_fit(integers(5, 0.4), truth, response_law(5, 0.4, at)), kAlpha) << truth;
  }
  EXPECT_LT(response_fit(integers(5, 0.42), 3, response_law(5, 0.4, 3)), kAlpha);
}

TEST(RandomizedResponse, BoolsHaveTheirLawAlsoInConstantTime) {
  for (bool steady : {false, true}) {
    const Measurement response = make_randomized_response_bool(0.7, steady);
    for (bool truth : {false, true}) {
      ReplayedBits bits(3);
      const ScopedBitSource scope(bits);
      std::vector<double> counts(2);
      for (std::size_t i = 0; i < kDraws; ++i) {
        counts[element_in<bool>(response.invoke(Scalar(truth))) == truth ? 1 : 0] += 1;
      }
      EXPECT_GT(fit(counts, {1 - Wide(0.7), Wide(0.7)}), kAlpha) << steady << truth;
      EXPECT_LT(fit(counts, {1 - Wide(0.68), Wide(0.68)}), kAlpha) << steady << truth;
    }
  }
}

TEST(RandomizedResponse, CertaintyTellsTheTruth) {
  EXPECT_EQ(element_in<std::int32_t>(integers(3, 1).invoke(Scalar(2))), 2);
  EXPECT_TRUE(element_in<bool>(make_randomized_response_bool(1).invoke(Scalar(true))));
  EXPECT_EQ(eps(integers(3, 1), 0), 0);
}

TEST(RandomizedResponse, AnswersAreCategoriesOfAnyHashableType) {
  const std::vector<Scalar> words = {
      std::string("b"), std::string("a"), std::string("b"), std::string("")};
  const Measurement response = make_randomized_response(words, AtomType::string, 0.5);
  EXPECT_NEAR(eps(response, 1), std::log(2.0), 1e-15);  // three distinct categories
  EXPECT_EQ(type_name(response.input_domain()), "AtomDomain<String>");
  for (int i = 0; i < 50; ++i) {
    const auto answer = element_in<std::string>(response.invoke(Scalar(std::string("zzz"))));
    EXPECT_TRUE(answer == "a" || answer == "b" || answer.empty());
  }
}

TEST(RandomizedResponse, D_DOM_4_TakesTextWhereItLies) {
  const Measurement response = make_randomized_response(
      {Scalar(std::string("a")), Scalar(std::string("b"))}, AtomType::string, 1);
  EXPECT_EQ(element_in<std::string>(response.invoke(Text{"b", nullptr})), "b");
}

TEST(RandomizedResponse, RefusesWhatIsNoResponse) {
  const ErrorKind kind = ErrorKind::make_measurement;
  for (double prob : {0.49, 1.01, std::nan(""), -1.0}) {
    EXPECT_EQ(expect_error(kind, [&] { make_randomized_response_bool(prob); }),
              "probability must be within [0.5, 1]");
  }
  EXPECT_EQ(expect_error(kind, [] { integers(4, 0.24); }),
            "probability must be within [1/num_categories, 1]");
  EXPECT_EQ(expect_error(kind,
                         [] {
                           make_randomized_response({Scalar(1), Scalar(1)}, AtomType::i32, 0.9);
                         }),
            "length of categories must be at least two");
  expect_error(ErrorKind::failed_cast, [] {
    make_randomized_response({Scalar(1), Scalar(true)}, AtomType::i32, 0.9);
  });
  expect_error(ErrorKind::type, [] {
    make_randomized_response({Scalar(1.0), Scalar(2.0)}, AtomType::f64, 0.9);
  });
  expect_error(ErrorKind::failed_cast, [] { integers(3, 0.5).invoke(Scalar(1.0)); });
}

}  // namespace
}  // namespace dp::test::randomized_response_test
