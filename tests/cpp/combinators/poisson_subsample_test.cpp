#include "core/combinators/poisson_subsample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/accounting/pld.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/combinators/population_amplification.h"
#include "core/combinators/select_private_candidate.h"
#include "core/data/frame.h"
#include "core/measurements/user_measurement.h"
#include "core/measures/loss.h"
#include "core/transformations/counts/count.h"
#include "core/transformations/rows/identity.h"
#include "measurements/noise_support.h"
#include "random/enumeration.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/frames.h"
#include "support/tier.h"

namespace dp::test::poisson_subsample_test {
namespace {

const Domain kRows = vectors(AtomType::i32);
const Metric kEdits = symmetric_distance();

Distance rows_apart(std::uint32_t rows) { return Scalar(rows); }

// Number of rows with discrete Laplace noise, or with a given noise.
Measurement noisy_count(const std::function<Measurement(const Domain&, const Metric&)>& noise) {
  const Transformation count = make_count(kRows, kEdits, AtomType::i32);
  return make_chain_mt(noise(count.output_domain(), count.output_metric()), count);
}
Measurement laplace_count(double scale) {
  return noisy_count([=](const Domain& domain, const Metric& metric) {
    return make_laplace(domain, metric, scale);
  });
}
Measurement gaussian_count(double scale) {
  return noisy_count([=](const Domain& domain, const Metric& metric) {
    return make_gaussian(domain, metric, scale);
  });
}

// Releases which rows it received, each a power of two, as their sum. Its loss does not matter.
Measurement telling() {
  return make_user_measurement(
      kRows,
      kEdits,
      max_divergence(),
      [](const Value& arg) -> Value {
        const Column& rows = *rows_in(arg);
        BatchBuffer buffer;
        const Batch batch = rows.read(0, rows.size(), buffer);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          EXPECT_TRUE(i == 0 || batch.as<std::int32_t>()[i - 1] < batch.as<std::int32_t>()[i]);
          sum += batch.as<std::int32_t>()[i];
        }
        return Scalar(sum);
      },
      [](const Distance& d_in) -> Distance {
        return Scalar(static_cast<double>(number_in<std::uint32_t>(d_in)));
      });
}

std::int64_t sample_of_three(double rate, BitSource& bits) {
  const ScopedBitSource scripted(bits);
  const Value release = make_poisson_subsample(telling(), rate)
                            .invoke(make_column(AtomType::i32, std::vector<std::int32_t>{1, 2, 4}));
  return element_in<std::int64_t>(release);
}

std::string contradiction_at(double drawn_at, double claimed) {
  const Enumeration found = enumerate(
      kEnumeratedBits, [=](BitString& bits) -> Integer { return sample_of_three(drawn_at, bits); });
  return contradiction(
      found,
      [=](const Integer& rows) {
        double p = 1;
        for (int i = 0; i < 3; ++i)
          p *= (static_cast<int>(rows) >> i & 1) != 0 ? claimed : 1 - claimed;
        return p;
      },
      0,
      7);
}

TEST(PoissonSubsample, EachRowComesWithExactlyTheRate) {
  EXPECT_EQ(contradiction_at(0.375, 0.375), "");
  EXPECT_EQ(contradiction_at(1, 1), "");
  EXPECT_NE(contradiction_at(0.375, 0.37), "");
  EXPECT_NE(contradiction_at(0.5, 0.375), "");
}

TEST(PoissonSubsample, ASampleOfAFrameHasWholeRows) {
  const Measurement frame_rows = make_user_measurement(
      DataFrameDomain{AtomType::string},
      kEdits,
      max_divergence(),
      [](const Value& arg) -> Value {
        const Frame& frame = *frame_in(arg);
        const ColumnPtr a = frame.column(Scalar(std::string("a")), AtomType::i32);
        const ColumnPtr b = frame.column(Scalar(std::string("b")), AtomType::i32);
        EXPECT_EQ(a->size(), b->size());
        BatchBuffer of_a;
        BatchBuffer of_b;
        const std::int32_t* first = a->read(0, a->size(), of_a).as<std::int32_t>();
        const std::int32_t* second = b->read(0, b->size(), of_b).as<std::int32_t>();
        for (std::size_t i = 0; i < a->size(); ++i) EXPECT_EQ(first[i], -second[i]);
        return Scalar(static_cast<std::int64_t>(a->size()));
      },
      [](const Distance& d_in) -> Distance {
        return Scalar(static_cast<double>(number_in<std::uint32_t>(d_in)));
      });
  std::vector<std::int32_t> up;
  std::vector<std::int32_t> down;
  for (std::int32_t i = 0; i < 1000; ++i) {
    up.push_back(i);
    down.push_back(-i);
  }
  const auto frame = std::make_shared<const Frame>(
      AtomType::string,
      std::vector<NamedColumn>{{Scalar(std::string("a")), make_column(AtomType::i32, up)},
                               {Scalar(std::string("b")), make_column(AtomType::i32, down)}});
  const auto size = element_in<std::int64_t>(make_poisson_subsample(frame_rows, 0.5).invoke(frame));
  EXPECT_GT(size, 250);  // Chernoff: e^-130
  EXPECT_LT(size, 750);
}

// Law of a noisy row count in a sample of n.
FiniteLaw counted_law(int n, double rate, const std::function<Wide(long)>& noise, long reach) {
  FiniteLaw law(static_cast<std::size_t>(2 * reach + 1));
  Wide ways = 1;
  for (int drawn = 0; drawn <= n; ++drawn) {
    const Wide weight = ways * pow(Wide(rate), drawn) * pow(Wide(1) - rate, n - drawn);
    for (long z = -reach; z <= reach; ++z) {
      law[static_cast<std::size_t>(z + reach)] += weight * noise(z - drawn);
    }
    ways = ways * (n - drawn) / (drawn + 1);
  }
  return law;
}

// Largest shortfall of the claimed delta below the truth, for datasets of n and n + c rows.
using Claim = std::function<double(double epsilon)>;
Wide shortfall(const Claim& claim, int c, double rate, const std::function<Wide(long)>& noise) {
  Wide worst = -1;
  for (int n : {0, 1, 4}) {
    const FiniteLaw without = counted_law(n, rate, noise, 150);
    const FiniteLaw with = counted_law(n + c, rate, noise, 150);
    for (double epsilon : {0.0, 0.01, 0.1, 0.3, 0.7, 1.2, 2.0}) {
      const Wide truth = std::max(hockey_stick_of(with, without, epsilon),
                                  hockey_stick_of(without, with, epsilon));
      worst = std::max(worst, Wide(truth - claim(epsilon)));
    }
  }
  return worst;
}

Claim claim_of(const Measurement& measurement, std::uint32_t d_in) {
  const PrivacyProfile profile = compose_pld({{measurement, 1}}, rows_apart(d_in));
  return [profile](double epsilon) { return profile.delta(epsilon); };
}

TEST(PoissonSubsample, LawsCoverTheExactLawOfReleasesOnNeighbours) {
  const Law laplace = laplace_law(2, 400);
  const Law gaussian = gaussian_law(2);
  for (double rate : {0.01, 0.3, 0.8, 1.0}) {
    for (int c : in_tier<std::vector<int>>({1, 5}, {1, 2, 5})) {
      const auto d_in = static_cast<std::uint32_t>(c);
      const Measurement of_laplace = make_poisson_subsample(laplace_count(2), rate);
      const Measurement of_gaussian = make_poisson_subsample(gaussian_count(2), rate);
      EXPECT_LE(shortfall(claim_of(of_laplace, d_in), c, rate, laplace.mass), 0)
          << rate << ' ' << c;
      EXPECT_LE(shortfall(claim_of(of_gaussian, d_in), c, rate, gaussian.mass), 0)
          << rate << ' ' << c;
      // A map with a rho also has a profile, which different code computes.
      const PrivacyProfile map = profile_in(of_gaussian.map(rows_apart(d_in)));
      EXPECT_LE(shortfall([&](double e) { return map.delta(e); }, c, rate, gaussian.mass), 0)
          << rate << ' ' << c;
      const double epsilon = loss(of_laplace, d_in);
      EXPECT_LE(shortfall([=](double e) { return e < epsilon ? 1.0 : 0.0; }, c, rate, laplace.mass),
                0);
    }
  }
}

TEST(PoissonSubsample, TheCheckRejectsALossOfOneRowForSeveral) {
  const Law laplace = laplace_law(2, 400);
  const Measurement sampled = make_poisson_subsample(laplace_count(2), 0.3);
  EXPECT_GT(shortfall(claim_of(sampled, 1), 2, 0.3, laplace.mass), 1e-3);
  EXPECT_GT(
      shortfall(claim_of(make_poisson_subsample(laplace_count(2), 0.29), 1), 1, 0.3, laplace.mass),
      1e-4);
}

TEST(PoissonSubsample, OneRowLosesWhatTheClassicFormulaSays) {
  for (double rate : {1e-4, 0.1, 0.5, 1.0}) {
    const Measurement sampled = make_poisson_subsample(laplace_count(0.5), rate);
    const double formula = std::log1p(rate * std::expm1(2.0));
    const double found = loss(sampled, std::uint32_t{1});
    EXPECT_GE(found, formula * (1 - 1e-15));
    EXPECT_LE(found, formula * (1 + 1e-14));
    EXPECT_EQ(loss(sampled, std::uint32_t{0}), 0);
    EXPECT_LE(loss(sampled, std::uint32_t{3}), 3 * found * (1 + 1e-14));
  }
}

TEST(PoissonSubsample, PairsAndProfilesAreAmplifiedToo) {
  const Measurement pair = make_user_measurement(
      kRows,
      kEdits,
      approximate(max_divergence()),
      [](const Value& arg) { return arg; },
      [](const Distance& d_in) -> Distance {
        const double d = number_in<std::uint32_t>(d_in);
        return Distance::Tuple{Scalar(d), Scalar(1e-6 * d)};
      });
  const ApproximateLoss found =
      approximate_in(make_poisson_subsample(pair, 0.1).map(rows_apart(1)));
  EXPECT_NEAR(number_in<double>(found.inner), std::log1p(0.1 * std::expm1(1.0)), 1e-14);
  EXPECT_NEAR(found.delta, 1e-7, 1e-20);

  const Measurement sampled = make_poisson_subsample(gaussian_count(3), 0.1);
  EXPECT_EQ(sampled.output_measure(), smoothed_max_divergence());
  const Measurement fixed = make_fix_delta(sampled, Delta(1e-6));
  const Measurement whole = make_fix_delta(make_zCDP_to_approxDP(gaussian_count(3)), Delta(1e-6));
  const auto epsilon_of = [](const Measurement& measurement) {
    return number_in<double>(approximate_in(measurement.map(rows_apart(1))).inner);
  };
  EXPECT_LT(epsilon_of(fixed), epsilon_of(whole) / 2);
  EXPECT_EQ(profile_in(sampled.map(rows_apart(0))).delta(0), 0);
}

// Compositions within a sample are first combined into one law.
TEST(PoissonSubsample, AComposedReleaseIsSubsampledAsAWhole) {
  const Measurement two = make_composition({laplace_count(2), laplace_count(2)});
  const Claim claim = claim_of(make_poisson_subsample(two, 0.3), 1);
  // Losses of two noisy numbers add up before the sample hides them.
  const Law noise = laplace_law(2, 400);
  const auto delta_at = [&](const Wide& epsilon) {
    Wide sum = 0;
    for (long x = -60; x <= 61; ++x) {
      for (long y = -60; y <= 61; ++y) {
        const Wide with = noise.mass(x - 1) * noise.mass(y - 1);
        const Wide without = noise.mass(x) * noise.mass(y);
        const Wide gain = Wide(0.7) * without + Wide(0.3) * with - exp(epsilon) * without;
        if (gain > 0) sum += gain;
      }
    }
    return sum;
  };
  for (double epsilon : {0.0, 0.1, 0.3}) {
    EXPECT_GE(claim(epsilon), delta_at(epsilon) * (1 - Wide(1e-12))) << epsilon;
    EXPECT_LE(claim(epsilon), delta_at(epsilon) * Wide(1.01)) << epsilon;
  }
}

// A transformation may turn an added row into a removed row for one release but not for the other.
TEST(PoissonSubsample, BehindATransformationBothDirectionsAreOne) {
  const Measurement sampled = make_poisson_subsample(laplace_count(1), 0.3);
  const std::vector<LossPair> direct = sampled.loss_map()(rows_apart(1));
  ASSERT_EQ(direct.size(), 1u);
  EXPECT_FALSE(direct[0].forward->equals(*direct[0].backward));
  const Measurement behind = make_chain_mt(sampled, make_identity(kRows, kEdits));
  const std::vector<LossPair> turned = behind.loss_map()(rows_apart(1));
  ASSERT_EQ(turned.size(), 1u);
  EXPECT_EQ(turned[0].forward, turned[0].backward);
  // One release removes the row, the other adds it.
  const PrivacyProfile mixed = compose_loss_pairs(
      {{direct[0].forward, direct[0].backward, 3}, {direct[0].backward, direct[0].forward, 3}});
  const PrivacyProfile claim = compose_pld({{behind, 6}}, rows_apart(1));
  for (double epsilon : {0.0, 0.2, 0.8, 1.5}) {
    EXPECT_GE(claim.delta(epsilon), mixed.delta(epsilon) * (1 - 1e-9)) << epsilon;
  }
}

TEST(PoissonSubsample, CompositorsLeaveItToTheAccountant) {
  const Measurement sampled = make_poisson_subsample(laplace_count(1), 0.5);
  for (const auto& refuse : std::vector<std::function<void()>>{
           [&] { make_composition({sampled}); },
           [&] { make_composition({make_pureDP_to_zCDP(sampled)}); },
           [&] { make_composition({make_chain_mt(sampled, make_identity(kRows, kEdits))}); },
           [&] { make_poisson_subsample(sampled, 0.5); },
           [&] { make_select_private_candidate(sampled, 0.5, 1); }}) {
    const std::string sentence = expect_error(ErrorKind::make_measurement, refuse);
    EXPECT_NE(sentence.find("compose, then subsample"), std::string::npos) << sentence;
  }
  EXPECT_GT(compose_pld({{sampled, 10}}, rows_apart(1)).delta(0.5), 0);
}

TEST(PoissonSubsample, ArgumentsAreRefused) {
  for (double rate : {0.0, -0.5, 1.5, std::nan("")}) {
    expect_error(ErrorKind::make_measurement,
                 [&] { make_poisson_subsample(laplace_count(1), rate); });
  }
  const auto flat = [](const Domain& domain, const Metric& metric, const Measure& measure) {
    return make_user_measurement(
        domain,
        metric,
        measure,
        [](const Value& arg) { return arg; },
        [](const Distance&) -> Distance { return Scalar(1.0); });
  };
  expect_error(ErrorKind::make_measurement, [&] {
    make_poisson_subsample(flat(vectors(AtomType::i32, 10), kEdits, max_divergence()), 0.5);
  });
  expect_error(ErrorKind::type, [&] {
    make_poisson_subsample(
        flat(vectors(AtomType::i32, 10), change_one_distance(), max_divergence()), 0.5);
  });
  expect_error(ErrorKind::type,
               [&] { make_poisson_subsample(flat(kRows, kEdits, renyi_divergence()), 0.5); });
  const Measurement unordered = make_poisson_subsample(flat(kRows, kEdits, max_divergence()), 0.5);
  expect_error(ErrorKind::failed_map, [&] { unordered.map(rows_apart(1)); });
  expect_error(ErrorKind::failed_map, [&] { compose_pld({{unordered, 1}}, rows_apart(1)); });
}

}  // namespace
}  // namespace dp::test::poisson_subsample_test
