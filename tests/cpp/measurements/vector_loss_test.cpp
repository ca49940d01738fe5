// Laws of integer vectors under Gaussian noise, of thresholds and of selections, checked against
// exact laws of small cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/accounting/pld.h"
#include "core/measurements/noise_loss.h"
#include "core/measurements/noise_threshold.h"
#include "core/measurements/selection_loss.h"
#include "core/measures/concentrated_law.h"
#include "core/measures/finite_loss_law.h"
#include "core/numeric/rational.h"
#include "support/exact_laws.h"

namespace dp::test::vector_loss_test {
namespace {

PrivacyProfile profile_of(const LossPair& pair) { return compose_loss_pairs({pair}); }

// Whether a profile bounds the truth, and its largest relative excess.
struct Verdict {
  int below = 0;
  double most = 0;
};

Verdict compared(const PrivacyProfile& profile,
                 const std::vector<double>& epsilons,
                 const std::function<Wide(double)>& exact) {
  Verdict verdict;
  for (const double epsilon : epsilons) {
    const Wide truth = exact(epsilon);
    if (truth < 1e-40) continue;
    const double excess = static_cast<double>(Wide(profile.delta(epsilon) / truth - 1));
    verdict.below += excess < 0;
    verdict.most = std::max(verdict.most, excess);
  }
  return verdict;
}

std::vector<double> up_to(double most) {
  std::vector<double> epsilons;
  for (int i = 0; i <= 12; ++i) epsilons.push_back(most * i / 12);
  return epsilons;
}

// All probabilities of <v, Z> for independent integers Z of the law.
std::map<long, Wide> projected(const Law& law, const std::vector<long>& v) {
  std::vector<Wide> masses;
  for (long z = -law.reach; z <= law.reach; ++z) masses.push_back(law.mass(z));
  std::map<long, Wide> sum = {{0, 1}};
  for (const long each : v) {
    std::map<long, Wide> next;
    for (const auto& [t, mass] : sum) {
      for (long z = -law.reach; z <= law.reach; ++z) {
        const Wide product = mass * masses[static_cast<std::size_t>(z + law.reach)];
        if (product > 1e-60) next[t + each * z] += product;
      }
    }
    sum = std::move(next);
  }
  return sum;
}

// Delta of integers that move by v, from the law of <v, Z>. The loss is (N - 2 T) / (2 sigma^2).
Wide vector_delta(const std::map<long, Wide>& law, long squares, double sigma, double epsilon) {
  Wide delta = 0;
  for (const auto& [t, mass] : law) {
    const Wide loss = Wide(squares - 2 * t) / (2 * Wide(sigma) * sigma);
    if (loss > epsilon) delta += mass * (1 - exp(epsilon - loss));
  }
  return delta;
}

const std::vector<std::vector<long>> kShifts = {{1}, {1, -1}, {1, 1, 1}, {2, 1}, {2, 1, 1}};

using VectorLaw = std::function<LossPair(double sigma, long squares)>;

LossPair ours(double sigma, long squares) {
  return gaussian_shift_loss(exact_rational(sigma), 8)(
      exact_rational(std::nextafter(std::sqrt(static_cast<double>(squares)), 1e9)));
}

Verdict vectors_compared(double sigma, const VectorLaw& law) {
  Verdict all;
  const Law noise = gaussian_law(Wide(sigma));
  for (const std::vector<long>& v : kShifts) {
    long squares = 0;
    for (const long each : v) squares += each * each;
    const auto exact = projected({noise.mass, static_cast<long>(9 * sigma)}, v);
    const double size = std::sqrt(static_cast<double>(squares)) / sigma;
    const Verdict found = compared(
        profile_of(law(sigma, squares)), up_to(size * size / 2 + 4 * size), [&](double epsilon) {
          return vector_delta(exact, squares, sigma, epsilon);
        });
    all.below += found.below;
    all.most = std::max(all.most, found.most);
  }
  return all;
}

TEST(VectorGaussianLoss, CoversIntegersThatMoveInAnyDirectionAndIsTight) {
  const Verdict verdict = vectors_compared(4, ours);
  EXPECT_EQ(verdict.below, 0);
  EXPECT_LT(verdict.most, 1e-4);
  EXPECT_EQ(vectors_compared(1.5, ours).below, 0) << "some by rho";
}

TEST(VectorGaussianLoss, ALittleLessNoiseOrShiftIsFound) {
  EXPECT_GT(
      vectors_compared(4, [](double sigma, long squares) { return ours(sigma * 1.001, squares); })
          .below,
      10);
  EXPECT_GT(vectors_compared(4,
                             [](double sigma, long squares) {
                               return squares == 1 ? ours(sigma, 1) : ours(sigma, squares - 1);
                             })
                .below,
            10);
}

TEST(VectorGaussianLoss, CoversAShorterVectorThanTheDistanceAllows) {
  const double sigma = 4;
  const auto exact = projected({gaussian_law(Wide(sigma)).mass, 36}, {1, 1});
  for (const long squares : {2L, 3L, 4L, 5L, 8L}) {
    const Verdict found = compared(profile_of(ours(sigma, squares)), up_to(2), [&](double epsilon) {
      return vector_delta(exact, 2, sigma, epsilon);
    });
    EXPECT_EQ(found.below, 0) << squares;
  }
}

TEST(VectorGaussianLoss, IsMuchLessThanRhoAndFallsBackToItWhereTheNoiseIsSmall) {
  const PrivacyProfile law = profile_of(ours(20, 2));
  const PrivacyProfile rho = profile_of(concentrated_pair(Rho(2.0 / 800)));
  EXPECT_LT(law.delta(0.1), 0.8 * rho.delta(0.1));
  const PrivacyProfile small = profile_of(ours(1, 30));
  const PrivacyProfile same = profile_of(concentrated_pair(Rho(15)));
  EXPECT_NEAR(small.delta(3), same.delta(3), 1e-9);
}

// Discrete Laplace law on values {0, 1, ...} of a key that only one of two maps contains. A second
// key moves by one. Enumerates every outcome of both.
Wide threshold_delta(const Law& law, long threshold, double epsilon) {
  const Wide factor = exp(Wide(epsilon));
  std::vector<std::pair<Wide, Wide>> common;
  Wide none = 0;
  Wide none_there = 0;
  for (long z = -law.reach; z <= law.reach; ++z) {
    // Values of 10 and 11.
    if (10 + z >= threshold) {
      common.push_back({law.mass(z), law.mass(z - 1)});
    } else {
      none += law.mass(z);
      none_there += law.mass(z - 1);
    }
  }
  common.push_back({none, none_there});
  Wide shown = 0;
  for (long z = threshold - 1; z <= law.reach; ++z) shown += law.mass(z);
  Wide delta = shown;
  for (const auto& [p, q] : common) {
    delta += std::max(Wide(0), Wide(p * (1 - shown) - factor * q));
  }
  return delta;
}

PrivacyProfile threshold_profile(double scale, long threshold, std::int32_t moved) {
  const Measurement noisy =
      make_laplace_threshold(MapDomain{std::make_shared<const Domain>(non_nan_atom(AtomType::i32)),
                                       std::make_shared<const Domain>(non_nan_atom(AtomType::i32))},
                             l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i32)),
                             scale,
                             Scalar(static_cast<std::int32_t>(threshold)));
  return compose_pld(
      {{noisy, 1}},
      Distance::Tuple{
          Scalar(static_cast<std::uint32_t>(moved)), Scalar(moved), Scalar(std::int32_t{1})});
}

TEST(ThresholdLoss, CoversAKeyThatMovesAndOneThatOnlyOneMapHas) {
  for (const double scale : {0.7, 2.0}) {
    for (const long threshold : {5L, 12L}) {
      const Law law = laplace_law(Wide(scale), static_cast<long>(150 * scale));
      const auto exact = [&](double epsilon) { return threshold_delta(law, threshold, epsilon); };
      const auto epsilons = up_to(2.5 / scale);
      EXPECT_EQ(compared(threshold_profile(scale, threshold, 2), epsilons, exact).below, 0);
      // The parts of the law belong to this pair of keys, each at its worst.
      EXPECT_EQ(compared(threshold_profile(scale, threshold, 1), epsilons, exact).below, 0);
      EXPECT_GT(compared(threshold_profile(scale, threshold + 1, 1), epsilons, exact).below, 0)
          << "a higher threshold";
    }
  }
}

// Permute-and-flip of scores in units of the scale, by inclusion and exclusion over the largest
// exponential noise. P[i] is the sum over subsets S of the others of (-1)^|S| q / (|S| + 1), where
// q is the product of all coins.
std::vector<Wide> flipped(const std::vector<double>& scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<Wide> coins;
  for (const double score : scores) coins.push_back(exp(Wide(score) - best));
  std::vector<Wide> law;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Wide total = 0;
    for (std::size_t set = 0; set < std::size_t{1} << scores.size(); ++set) {
      if (set >> i & 1) continue;
      Wide term = coins[i];
      int size = 0;
      for (std::size_t j = 0; j < scores.size(); ++j) {
        if (set >> j & 1) {
          term *= -coins[j];
          ++size;
        }
      }
      total += term / (size + 1);
    }
    law.push_back(total);
  }
  return law;
}

std::vector<Wide> softmax(const std::vector<double>& scores) {
  std::vector<Wide> law;
  Wide total = 0;
  for (const double score : scores) law.push_back(exp(Wide(score)));
  for (const Wide& each : law) total += each;
  for (Wide& each : law) each /= total;
  return law;
}

using Rule = std::vector<Wide> (*)(const std::vector<double>&);

// Scores on a lattice. Each stays or moves by eta. Returns the largest delta over all pairs.
std::vector<Wide> selection_deltas(Rule rule, double eta, const std::vector<double>& epsilons) {
  std::vector<Wide> largest(epsilons.size(), 0);
  const std::vector<std::vector<double>> starts = {
      {0, 0}, {0, -0.5}, {0, -1}, {0, -2}, {0, -4}, {0, -0.3, -0.6}, {0, 0, 0, 0}, {0, -1, -1, -3}};
  for (const std::vector<double>& start : starts) {
    const std::vector<Wide> before = rule(start);
    for (std::size_t moved = 0; moved < std::size_t{1} << start.size(); ++moved) {
      std::vector<double> end = start;
      for (std::size_t i = 0; i < end.size(); ++i) end[i] += moved >> i & 1 ? eta : 0;
      const std::vector<Wide> after = rule(end);
      for (std::size_t e = 0; e < epsilons.size(); ++e) {
        const Wide factor = exp(Wide(epsilons[e]));
        Wide there = 0;
        Wide back = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
          there += std::max(Wide(0), Wide(before[i] - factor * after[i]));
          back += std::max(Wide(0), Wide(after[i] - factor * before[i]));
        }
        largest[e] = std::max({largest[e], there, back});
      }
    }
  }
  return largest;
}

using SelectionLaw = LossPair (*)(const Rational&);

Verdict selections_compared(Rule rule, SelectionLaw law, double share) {
  Verdict all;
  for (const double eta : {0.2, 1.0, 3.0}) {
    const std::vector<double> epsilons = up_to(eta * 0.95);
    const std::vector<Wide> exact = selection_deltas(rule, eta, epsilons);
    const PrivacyProfile profile = profile_of(law(exact_rational(eta * share)));
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      const double excess = static_cast<double>(Wide(profile.delta(epsilons[i]) / exact[i] - 1));
      all.below += excess < 0;
      // A lattice of scores attains the worst case only at some epsilons: here at 0 and near eta.
      if (i == 0) all.most = std::max(all.most, excess);
    }
  }
  return all;
}

TEST(SelectionLoss, OfPermuteAndFlipCoversAllPairsOfScoresAndALittleLessDoesNot) {
  EXPECT_EQ(selections_compared(flipped, permute_and_flip_pair, 1).below, 0);
  EXPECT_GT(selections_compared(flipped, permute_and_flip_pair, 0.9).below, 5);
}

// Two candidates with gap g lose exactly this at epsilon = eta - 2 g, for any gap up to eta.
TEST(SelectionLoss, OfPermuteAndFlipIsAttainedByTwoCandidates) {
  for (const double eta : {0.25, 1.0, 4.0}) {
    const PrivacyProfile profile = profile_of(permute_and_flip_pair(exact_rational(eta)));
    for (const double gap : {eta / 16, eta / 8, eta / 4, eta / 2}) {
      const std::vector<Wide> before = flipped({0, -gap});
      const std::vector<Wide> after = flipped({0, eta - gap});
      const double epsilon = eta - 2 * gap;
      const Wide truth = before[0] - exp(Wide(epsilon)) * after[0];
      EXPECT_GE(profile.delta(epsilon), truth) << eta << ' ' << gap;
      EXPECT_LE(profile.delta(epsilon), truth * (1 + 1e-4) + 1e-9) << eta << ' ' << gap;
    }
  }
}

TEST(SelectionLoss, OfTheExponentialMechanismCoversAllPairsOfScoresAndALittleLessDoesNot) {
  EXPECT_EQ(selections_compared(softmax, exponential_mechanism_pair, 1).below, 0);
  const Verdict less = selections_compared(softmax, exponential_mechanism_pair, 0.8);
  EXPECT_GT(less.below, 3);
}

TEST(ConcentratedLaw, SumsOfRhoComeBeforeTheProfile) {
  const Rho part(0.01);
  const PrivacyProfile joined =
      compose_loss_pairs({concentrated_pair(part), concentrated_pair(Rho(0.02))});
  const PrivacyProfile whole = compose_loss_pairs({concentrated_pair(Rho(0.03 * (1 + 1e-15)))});
  for (const double epsilon : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(joined.delta(epsilon), whole.delta(epsilon), whole.delta(epsilon) * 1e-9);
  }
}

}  // namespace
}  // namespace dp::test::vector_loss_test
