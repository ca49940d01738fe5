#include "core/combinators/subsample_without_replacement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/accounting/pld.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/combinators/poisson_subsample.h"
#include "core/combinators/population_amplification.h"
#include "core/combinators/select_private_candidate.h"
#include "core/measurements/user_measurement.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss.h"
#include "core/measures/subsampled_law.h"
#include "core/transformations/rows/gather.h"
#include "core/transformations/rows/identity.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"

namespace dp::test::subsample_without_replacement_test {
namespace {

const Metric kReplaced = change_one_distance();

Distance rows_apart(std::uint32_t rows) { return Scalar(rows); }

using Release = std::function<Value(const Value&)>;

// Measurement on vectors of `size` rows. Each replaced row costs `epsilon`.
Measurement losing(
    std::uint64_t size,
    double epsilon,
    const Release& release = [](const Value& arg) { return arg; },
    AtomType type = AtomType::i32,
    const Metric& metric = kReplaced) {
  return make_user_measurement(vectors(type, size),
                               metric,
                               max_divergence(),
                               release,
                               [=](const Distance& d_in) -> Distance {
                                 return Scalar(epsilon * number_in<std::uint32_t>(d_in));
                               });
}

// Samples with their number of occurrences.
using Samples = std::map<std::vector<std::int32_t>, int>;

std::vector<std::int32_t> released(const Measurement& measurement, std::int32_t population) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(population));
  std::iota(rows.begin(), rows.end(), 0);
  const Value out = measurement.invoke(make_column(AtomType::i32, rows));
  BatchBuffer buffer;
  const Column& column = *rows_in(out);
  const std::int32_t* cells = column.read(0, column.size(), buffer).as<std::int32_t>();
  return {cells, cells + column.size()};
}

Samples all_samples(std::uint64_t size,
                    std::int32_t population,
                    const std::function<void(std::vector<std::size_t>&)>& spoil = nullptr) {
  const Measurement sampled = make_subsample_without_replacement(losing(size, 1), size, population);
  Samples found;
  std::vector<std::size_t> order = places_in_order(static_cast<std::size_t>(population));
  do {
    const ScopedShuffle scripted([&](std::vector<std::size_t>& places) {
      places = order;
      if (spoil) spoil(places);
    });
    ++found[released(sampled, population)];
  } while (std::next_permutation(order.begin(), order.end()));
  return found;
}

// Whether all sequences of `size` different rows are equally frequent.
bool is_uniform(const Samples& found, std::uint64_t size, std::int32_t population) {
  std::size_t sequences = 1;
  for (std::uint64_t i = 0; i < size; ++i) sequences *= static_cast<std::size_t>(population) - i;
  return found.size() == sequences &&
         std::all_of(found.begin(), found.end(), [&](const Samples::value_type& entry) {
           std::vector<std::int32_t> rows = entry.first;
           std::sort(rows.begin(), rows.end());
           return rows.size() == size && rows.front() >= 0 && rows.back() < population &&
                  std::adjacent_find(rows.begin(), rows.end()) == rows.end() &&
                  entry.second == found.begin()->second;
         });
}

TEST(SubsampleWithoutReplacement, D_SAM_1_AllSequencesOfRowsAreEquallyLikely) {
  for (std::int32_t population : {1, 2, 5, 6}) {
    for (std::uint64_t size = 1; size <= static_cast<std::uint64_t>(population); ++size) {
      EXPECT_TRUE(is_uniform(all_samples(size, population), size, population))
          << size << " of " << population;
    }
  }
}

TEST(SubsampleWithoutReplacement, D_SAM_1_TheCheckRejectsMutants) {
  const auto first_stays = [](std::vector<std::size_t>& places) {
    std::swap(places.front(), *std::find(places.begin(), places.end(), std::size_t{0}));
  };
  EXPECT_FALSE(is_uniform(all_samples(2, 5, first_stays), 2, 5));
  const auto in_order = [](std::vector<std::size_t>& places) {
    std::sort(places.begin(), places.begin() + 3);
  };
  EXPECT_FALSE(is_uniform(all_samples(2, 5, in_order), 2, 5));
}

TEST(SubsampleWithoutReplacement, EachReleaseDrawsASampleOfItsOwn) {
  const Measurement sampled = make_subsample_without_replacement(losing(100, 1), 100, 10000);
  const std::vector<std::int32_t> first = released(sampled, 10000);
  EXPECT_EQ(first.size(), 100u);
  EXPECT_NE(first, released(sampled, 10000));  // equal with probability 1e-400
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
}

TEST(SubsampleWithoutReplacement, TextIsSampledToo) {
  const Measurement sampled = make_subsample_without_replacement(
      losing(
          2, 1, [](const Value& arg) { return arg; }, AtomType::string),
      2,
      3);
  const std::vector<std::string> rows{"a", "longer than what fits into the string itself", ""};
  const Value out = sampled.invoke(make_column(AtomType::string, rows));
  BatchBuffer buffer;
  const Column& column = *rows_in(out);
  ASSERT_EQ(column.size(), 2u);
  const Batch batch = column.read(0, 2, buffer);
  for (int i = 0; i < 2; ++i) {
    const std::string text(batch.as<std::string>()[i]);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), text), 1) << text;
  }
}

// Randomized response on a function of the sampled bits. Its law covers samples of `size` rows,
// over all sequences.
using Question = std::function<int(const std::vector<int>& sample)>;

const std::vector<Question> kQuestions{
    [](const std::vector<int>& s) { return *std::max_element(s.begin(), s.end()); },
    [](const std::vector<int>& s) { return *std::min_element(s.begin(), s.end()); },
    [](const std::vector<int>& s) { return std::accumulate(s.begin(), s.end(), 0) % 2; },
    [](const std::vector<int>& s) { return s.front(); },
    [](const std::vector<int>& s) { return s.front() < s.back() ? 1 : 0; }};

FiniteLaw law_of_response(const std::vector<int>& rows,
                          std::size_t size,
                          const Question& question,
                          double epsilon) {
  std::vector<std::size_t> order = places_in_order(rows.size());
  Wide yes = 0;
  Wide all = 0;
  do {
    std::vector<int> sample;
    for (std::size_t i = 0; i < size; ++i) sample.push_back(rows[order[i]]);
    yes += question(sample);
    all += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  yes /= all;
  const Wide truth = 1 / (1 + exp(Wide(-epsilon)));
  const Wide said = yes * truth + (1 - yes) * (1 - truth);
  return {said, 1 - said};
}

FiniteLaw squared(const FiniteLaw& law) {
  FiniteLaw both;
  for (const Wide& a : law) {
    for (const Wide& b : law) both.push_back(a * b);
  }
  return both;
}

const double kAsked[] = {0.0, 0.05, 0.2, 0.5, 0.9};

using Claim = std::function<double(double epsilon)>;

// Largest shortfall and smallest excess of claims against the exact loss. They cover all datasets
// of bits that differ in at most `changed` rows.
struct Found {
  Wide shortfall = -1;
  Wide slack = 1;  // smallest relative excess of the claim over the loss
};
Found compare(
    const Claim& claim, std::size_t size, std::size_t population, int changed, int times) {
  constexpr double kEpsilon = 1;
  std::vector<Wide> worst(std::size(kAsked), Wide(0));
  for (const Question& question : kQuestions) {
    std::vector<FiniteLaw> laws;
    for (unsigned bits = 0; bits < 1u << population; ++bits) {
      std::vector<int> rows;
      for (std::size_t i = 0; i < population; ++i) rows.push_back(static_cast<int>(bits >> i & 1));
      const FiniteLaw law = law_of_response(rows, size, question, kEpsilon);
      laws.push_back(times == 2 ? squared(law) : law);
    }
    for (unsigned x = 0; x < laws.size(); ++x) {
      for (unsigned y = 0; y < laws.size(); ++y) {
        if (x == y || __builtin_popcount(x ^ y) > changed) continue;
        for (std::size_t i = 0; i < std::size(kAsked); ++i) {
          worst[i] = std::max(worst[i], hockey_stick_of(laws[x], laws[y], kAsked[i]));
        }
      }
    }
  }
  Found found;
  for (std::size_t i = 0; i < std::size(kAsked); ++i) {
    const Wide claimed = claim(kAsked[i]);
    found.shortfall = std::max(found.shortfall, Wide(worst[i] - claimed));
    if (worst[i] > 0) found.slack = std::min(found.slack, Wide(claimed / worst[i] - 1));
  }
  return found;
}

Claim claim_of(const Measurement& measurement, std::uint32_t d_in, std::uint64_t times = 1) {
  const PrivacyProfile profile = compose_pld({{measurement, times}}, rows_apart(d_in));
  return [profile](double epsilon) { return profile.delta(epsilon); };
}
Claim claim_of_pair(const LossLawPtr& law, std::uint64_t times) {
  const PrivacyProfile profile = compose_loss_pairs({{law, law, times}});
  return [profile](double epsilon) { return profile.delta(epsilon); };
}

TEST(SubsampleWithoutReplacement, LawsCoverTheExactLawOnAllNeighbours) {
  for (const auto& [size, population] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 4}, {2, 4}, {3, 4}, {4, 4}, {2, 5}}) {
    const Measurement sampled =
        make_subsample_without_replacement(losing(size, 1), size, population);
    for (int times : {1, 2}) {
      const Found one = compare(claim_of(sampled, 1, times), size, population, 1, times);
      EXPECT_LE(one.shortfall, 0) << size << " of " << population << ", " << times;
      EXPECT_LE(one.slack, times == 1 ? 1e-12 : 0.5) << size << " of " << population;
    }
    const Measurement with_rho =
        make_subsample_without_replacement(make_pureDP_to_zCDP(losing(size, 1)), size, population);
    const PrivacyProfile map = profile_in(with_rho.map(rows_apart(1)));
    const Claim of_map = [&](double e) { return map.delta(e); };
    EXPECT_LE(compare(of_map, size, population, 1, 1).shortfall, 0) << size << " of " << population;
    const Found two = compare(claim_of(sampled, 2), size, population, 2, 1);
    EXPECT_LE(two.shortfall, 0) << size << " of " << population;
    for (std::uint32_t c : {1u, 2u}) {
      const double epsilon = loss(sampled, c);
      const Claim step = [=](double e) { return e < epsilon ? 1.0 : 0.0; };
      EXPECT_LE(compare(step, size, population, static_cast<int>(c), 1).shortfall, 0);
    }
  }
}

TEST(SubsampleWithoutReplacement, TheCheckRejectsMutants) {
  const auto shortfall = [](const Claim& claim, int times = 1) {
    return compare(claim, 2, 4, 1, times).shortfall;
  };
  const LossLawPtr response = approximate_dp_pair(Epsilon(1), Delta(0)).forward;
  EXPECT_LE(shortfall(claim_of_pair(replaced_pair(*response, 0.5).forward, 1)), 0);
  EXPECT_GT(shortfall(claim_of_pair(replaced_pair(*response, 0.25).forward, 1)), 1e-2)
      << "half of the rate";
  EXPECT_GT(shortfall(claim_of_pair(subsampled_pair(*response, 0.5).backward, 1)), 1e-2)
      << "the rate on the other side";
  EXPECT_GT(shortfall(claim_of_pair(subsampled_pair(*response, 0.5).backward, 2), 2), 1e-2);
  const Measurement larger = make_subsample_without_replacement(losing(2, 1), 2, 5);
  EXPECT_GT(shortfall(claim_of(larger, 1)), 1e-2) << "another population";
  EXPECT_GT(compare(claim_of(make_subsample_without_replacement(losing(2, 1), 2, 5), 1), 2, 5, 2, 1)
                .shortfall,
            1e-2)
      << "one row for two";
}

// A row may increase one release's answer and decrease the other's. The mirror image covers this:
// (P, Q) for the first release and (Q, P) for the second.
TEST(SubsampleWithoutReplacement, ReleasesThatARowMovesInBothDirectionsAreCovered) {
  const Question any = kQuestions[0];
  const FiniteLaw with = law_of_response({1, 0, 0, 0}, 2, any, 1);
  const FiniteLaw without = law_of_response({0, 0, 0, 0}, 2, any, 1);
  FiniteLaw there, back;
  for (const auto& [a, b] : {std::make_pair(0, 0), {0, 1}, {1, 0}, {1, 1}}) {
    there.push_back(with[static_cast<std::size_t>(a)] * without[static_cast<std::size_t>(b)]);
    back.push_back(without[static_cast<std::size_t>(a)] * with[static_cast<std::size_t>(b)]);
  }
  const Claim claim = claim_of(make_subsample_without_replacement(losing(2, 1), 2, 4), 1, 2);
  for (double epsilon : kAsked) {
    EXPECT_GE(claim(epsilon), hockey_stick_of(there, back, epsilon)) << epsilon;
  }
}

TEST(SubsampleWithoutReplacement, OneRowLosesWhatTheClassicFormulaSays) {
  for (const auto& [size, population] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {1, 10000}, {7, 100}, {50, 100}, {100, 100}}) {
    const Measurement sampled =
        make_subsample_without_replacement(losing(size, 2), size, population);
    const double rate = static_cast<double>(size) / static_cast<double>(population);
    const double formula = std::log1p(rate * std::expm1(2.0));
    const double found = loss(sampled, std::uint32_t{1});
    EXPECT_GE(found, formula * (1 - 1e-15));
    EXPECT_LE(found, formula * (1 + 1e-14));
    EXPECT_EQ(loss(sampled, std::uint32_t{0}), 0);
    EXPECT_LE(loss(sampled, std::uint32_t{3}), 3 * found * (1 + 1e-14));
    const Domain domain = vectors(AtomType::i32, population);
    EXPECT_EQ(sampled.input_domain(), domain);
    EXPECT_EQ(sampled.output_measure(), max_divergence());
  }
}

TEST(SubsampleWithoutReplacement, RhoAndProfilesBecomeProfiles) {
  const Measurement rho = make_pureDP_to_zCDP(losing(10, 0.5));
  const Measurement sampled = make_subsample_without_replacement(rho, 10, 100);
  EXPECT_EQ(sampled.output_measure(), smoothed_max_divergence());
  const auto epsilon_of = [](const Measurement& measurement) {
    const Measurement fixed = make_fix_delta(measurement, Delta(1e-6));
    return number_in<double>(approximate_in(fixed.map(rows_apart(1))).inner);
  };
  EXPECT_LT(epsilon_of(sampled), epsilon_of(make_zCDP_to_approxDP(rho)) / 2);
  EXPECT_EQ(profile_in(sampled.map(rows_apart(0))).delta(0), 0);
  const Measurement pair =
      make_subsample_without_replacement(make_approximate(losing(10, 0.5)), 10, 100);
  EXPECT_EQ(approximate_in(pair.map(rows_apart(1))).delta, 0);
}

TEST(SubsampleWithoutReplacement, CompositorsLeaveItToTheAccountant) {
  const Measurement sampled = make_subsample_without_replacement(losing(2, 1), 2, 10);
  const Domain rows = vectors(AtomType::i32, 10);
  for (const auto& refuse : std::vector<std::function<void()>>{
           [&] { make_composition({sampled}); },
           [&] { make_composition({make_pureDP_to_zCDP(sampled)}); },
           [&] { make_composition({make_chain_mt(sampled, make_identity(rows, kReplaced))}); },
           [&] { make_subsample_without_replacement(sampled, 10, 20); },
           [&] { make_population_amplification(sampled, 20); },
           [&] { make_select_private_candidate(sampled, 0.5, 1); }}) {
    const std::string sentence = expect_error(ErrorKind::make_measurement, refuse);
    EXPECT_NE(sentence.find("compose, then subsample"), std::string::npos) << sentence;
  }
  EXPECT_GT(compose_pld({{sampled, 10}}, rows_apart(1)).delta(0.5), 0);
}

TEST(SubsampleWithoutReplacement, ArgumentsAreRefused) {
  for (const auto& [size, population] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 10}, {11, 10}, {5, 10}}) {
    expect_error(ErrorKind::make_measurement, [&, n = size, all = population] {
      make_subsample_without_replacement(losing(4, 1), n, all);
    });
  }
  const Release as_is = [](const Value& arg) { return arg; };
  expect_error(ErrorKind::type, [&] {
    make_subsample_without_replacement(
        losing(4, 1, as_is, AtomType::i32, symmetric_distance()), 4, 10);
  });
  EXPECT_EQ(make_subsample_without_replacement(
                losing(4, 1, as_is, AtomType::i32, hamming_distance()), 4, 10)
                .input_metric(),
            hamming_distance());
  expect_error(ErrorKind::type, [&] {
    make_subsample_without_replacement(make_pureDP_to_RDP(losing(4, 1)), 4, 10);
  });
}

}  // namespace
}  // namespace dp::test::subsample_without_replacement_test
