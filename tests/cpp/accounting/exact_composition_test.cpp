// Compositions of few releases, checked against delta in exact rationals or to 256 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/accounting/atom_sums.h"
#include "core/accounting/pld.h"
#include "core/measurements/laplace.h"
#include "core/measurements/randomized_response.h"
#include "core/measures/finite_loss_law.h"
#include "core/numeric/rational.h"
#include "support/outcomes.h"

namespace dp::test::exact_composition_test {
namespace {

// Least epsilon for a delta above 0.
Wide epsilon_of(const Outcomes& outcomes, const Wide& delta, Wide high) {
  Wide low = 0;
  if (delta_of(outcomes, low) <= delta) return low;
  for (int i = 0; i < 120; ++i) {
    const Wide middle = (low + high) / 2;
    (delta_of(outcomes, middle) <= delta ? high : low) = middle;
  }
  return high;
}

Outcomes responses(const Wide& truth) { return {{truth, 1 - truth}, {1 - truth, truth}}; }

struct Member {
  Measurement measurement;
  Outcomes outcomes;
};

Member response(double truth) {
  return {make_randomized_response_bool(truth), responses(Wide(truth))};
}

const Distance kOne = Scalar(std::uint32_t{1});

// Uses DiscreteDistance, so both kinds can be composed.
Member noise(double scale, long d) {
  const Measurement laplace =
      make_laplace(non_nan_atom(AtomType::i32), absolute_distance(AtomType::i32), scale);
  const Member one = response(0.75);
  return {Measurement(
              one.measurement.input_domain(),
              one.measurement.input_metric(),
              max_divergence(),
              one.measurement.function(),
              [=](const Distance&) { return laplace.map(Scalar(std::int32_t(d))); },
              [=](const Distance&) { return laplace.loss_map()(Scalar(std::int32_t(d))); }),
          laplace_outcomes(Wide(scale), d)};
}

struct Case {
  std::string name;
  std::vector<Member> members;
  std::uint64_t times;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::uint64_t k : {1u, 2u, 5u, 10u, 20u}) {
    for (const double truth : {0.51, 0.75, 0.99}) {
      all.push_back({"response " + std::to_string(truth), {response(truth)}, k});
    }
    all.push_back({"noise 2, 1", {noise(2, 1)}, k});
    all.push_back({"noise 1.7, 3", {noise(1.7, 3)}, k});
    all.push_back({"noise 30, 7", {noise(30, 7)}, k});
  }
  for (const std::uint64_t k : {1u, 4u, 10u}) {
    all.push_back({"both", {response(0.75), noise(2, 1)}, k});
    all.push_back({"two responses", {response(0.6), response(0.9)}, k});
  }
  return all;
}

using Compose = std::function<PrivacyProfile(const Case&)>;

PrivacyProfile composed(const Case& each) {
  std::vector<RepeatedMeasurement> measurements;
  for (const Member& member : each.members)
    measurements.push_back({member.measurement, each.times});
  return compose_pld(measurements, kOne);
}

struct Verdict {
  int values = 0;
  int below = 0;
  double most = 0;  // relative excess
};

void judge(Verdict& verdict, double claimed, const Wide& truth) {
  ++verdict.values;
  const Wide excess = Wide(claimed) - truth;
  verdict.below += excess < 0;
  if (truth > 0) verdict.most = std::max(verdict.most, static_cast<double>(Wide(excess / truth)));
}

// For each case, judges delta at shares of the summed epsilons, and epsilon at several deltas.
Verdict judged(const Compose& compose) {
  Verdict verdict;
  for (const Case& each : cases()) {
    Outcomes outcomes = {{1, 1}};
    Wide sum = 0;
    for (const Member& member : each.members) {
      for (std::uint64_t i = 0; i < each.times; ++i) outcomes = product(outcomes, member.outcomes);
      sum += Wide(each.times) * log(member.outcomes[0].p / member.outcomes[0].q);
    }
    const PrivacyProfile profile = compose(each);
    for (const double share : {0.0, 0.3, 0.7}) {
      const auto epsilon = static_cast<double>(Wide(sum * share));
      judge(verdict, profile.delta(epsilon), delta_of(outcomes, epsilon));
    }
    for (const double delta : {1e-9, 1e-3}) {
      const Wide truth = epsilon_of(outcomes, delta, sum);
      if (truth > 0) judge(verdict, profile.epsilon(delta), truth);
    }
    const auto above = static_cast<double>(Wide(sum * (1 + ldexp(Wide(1), -40))));
    EXPECT_EQ(profile.delta(above), 0) << each.name << ' ' << each.times;
  }
  return verdict;
}

TEST(ExactComposition, OfAtomsIsNeverBelowTheTruthNorAboveByAMillionth) {
  const Verdict verdict = judged(composed);
  EXPECT_EQ(verdict.values, 180) << "three deltas and two epsilons of each of 36 cases";
  EXPECT_EQ(verdict.below, 0);
  EXPECT_LT(verdict.most, 1e-9);
}

TEST(ExactComposition, OnAGridWouldBeAboveByMore) {
  const Verdict verdict = judged([](const Case& each) {
    std::vector<RepeatedMeasurement> measurements;
    for (const Member& member : each.members) {
      measurements.push_back({member.measurement, each.times});
    }
    return compose_pld(measurements, kOne, 0x1p-10);
  });
  EXPECT_EQ(verdict.below, 0);
  EXPECT_GT(verdict.most, 1e-6);
}

TEST(ExactComposition, FindsLossesAndMassesThatAreALittleSmall) {
  const auto mistaken = [](double mass, double loss) {
    return [=](const Case& each) {
      std::vector<LossPair> pairs;
      for (const Member& member : each.members) {
        for (const LossPair& pair : member.measurement.loss_map()(kOne)) {
          std::vector<LossAtom> atoms = pair.forward->atoms();
          for (LossAtom& atom : atoms) atom = {atom.mass * mass, atom.loss - loss};
          const LossLawPtr law = law_of_atoms(atoms);
          pairs.push_back({law, law, each.times});
        }
      }
      return compose_loss_pairs(pairs);
    };
  };
  EXPECT_EQ(judged(mistaken(1, 0)).below, 0);
  EXPECT_GT(judged(mistaken(1 - 1e-9, 0)).below, 50);
  EXPECT_GT(judged(mistaken(1, 1e-9)).below, 50);
}

Rational power(int base, int exponent) {
  return Rational(boost::multiprecision::pow(Integer(base), static_cast<unsigned>(exponent)));
}

// Probabilities of 3/4 and 1/4, and exp(epsilon) = 3^j: all rational, so the reference is exact.
TEST(ExactComposition, OfResponsesOfThreeQuartersIsAboveTheRationalTruthByRounding) {
  for (const int k : {1, 2, 5, 11, 20}) {
    const Case each{"", {response(0.75)}, static_cast<std::uint64_t>(k)};
    const PrivacyProfile profile = composed(each);
    for (int j = 0; j < k; ++j) {
      Rational delta(0);
      Rational ways(1);
      for (int truths = k; truths >= 0; --truths) {
        const Rational all = power(4, k);
        const Rational p = ways * power(3, truths);
        const Rational q = ways * power(3, k - truths);
        const Rational gain = (p - power(3, j) * q) / all;
        if (gain > 0) delta += gain;
        ways = ways * truths / (k - truths + 1);
      }
      // A double just above j ln 3. Its delta is below the delta at j ln 3, by less than a share of
      // 2^-50 / (1 - 1/9), because the next loss is at least 2 ln 3 away.
      const double epsilon = std::nextafter(j * std::log(3.0), 1e9);
      const Rational claimed = exact_rational(profile.delta(epsilon));
      EXPECT_GE(claimed, delta * (1 - power_of_two(-44))) << k << ' ' << j;
      EXPECT_LE(claimed, delta * (1 + power_of_two(-34))) << k << ' ' << j;
    }
  }
}

TEST(AtomSums, GiveUpWhereThereWouldBeTooMany) {
  AtomSums sums;
  std::vector<LossAtom> atoms;
  for (int i = 0; i < 2000; ++i) atoms.push_back({0x1p-11, std::sqrt(i + 0.5)});
  EXPECT_TRUE(sums.add(atoms, 1));
  EXPECT_FALSE(sums.add(atoms, 1));
  EXPECT_EQ(sums.atoms().size(), 2000u) << "nothing is added";
}

TEST(AtomSums, OfThingsThatMayBeLostAreNotLostTwice) {
  AtomSums sums;
  const double never = 1 - 0x1p-3;
  EXPECT_TRUE(sums.add({{never, 0}, {0x1p-3, HUGE_VAL}}, 3));
  EXPECT_NEAR(sums.delta(1), 1 - never * never * never, 1e-15);
  EXPECT_GE(sums.delta(1), 1 - never * never * never);
}

}  // namespace
}  // namespace dp::test::exact_composition_test
