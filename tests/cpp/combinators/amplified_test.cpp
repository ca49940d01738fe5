// Amplified measurements in each combinator: the combinator rejects them, or the object built on
// them is rejected instead.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "combinators/compositor_support.h"
#include "core/accounting/pld.h"
#include "core/combinators/adaptive_composition.h"
#include "core/combinators/composition.h"
#include "core/combinators/drawn_sample.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/fully_adaptive_composition.h"
#include "core/combinators/measure_cast.h"
#include "core/combinators/poisson_subsample.h"
#include "core/combinators/population_amplification.h"
#include "core/combinators/privacy_filter.h"
#include "core/combinators/select_private_candidate.h"
#include "core/combinators/subsample_without_replacement.h"
#include "core/sample_aggregate/block_aggregate.h"
#include "core/transformations/rows/identity.h"
#include "support/expect_error.h"

namespace dp::test::amplified_test {
namespace {

const Domain kSample =
    vector_of(closed_atom(AtomType::i64, Scalar(std::int64_t{0}), Scalar(std::int64_t{1})), 10);
const Metric kChanges = change_one_distance();

struct Runs {
  int releases = 0;
};

// Releases 7 from ten rows. Either plain, or amplified on a population of a hundred.
Measurement seven(const Measure& measure, const Distance& loss, Runs* runs = nullptr) {
  return make_user_measurement(
      kSample,
      kChanges,
      measure,
      [runs](const Value&) -> Value {
        if (runs != nullptr) ++runs->releases;
        return Scalar(7);
      },
      [loss](const Distance&) { return loss; });
}

Measurement amplified(const Measurement& measurement) {
  return make_population_amplification(measurement, 100);
}

Measurement pure(Runs* runs = nullptr) {
  return amplified(seven(max_divergence(), Scalar(1.0), runs));
}

Measurement approximate_pair() {
  return amplified(seven(approximate(max_divergence()), pair_of(1, 1e-6)));
}

const Function kPostprocess = whole_function([](const Value& release) { return release; });

using Build = std::function<Measurement()>;

// Combinators that keep the mark: an object built on an amplified measurement is rejected like it.
const std::map<std::string, Build>& marked() {
  static const std::map<std::string, Build> table = {
      {"make_population_amplification", [] { return pure(); }},
      {"make_chain_mt", [] { return make_chain_mt(pure(), make_identity(kSample, kChanges)); }},
      {"make_chain_pm", [] { return make_chain_pm(kPostprocess, pure()); }},
      {"make_approximate", [] { return make_approximate(pure()); }},
      {"make_pureDP_to_zCDP", [] { return make_pureDP_to_zCDP(pure()); }},
      {"make_fixed_approxDP_to_approxDP",
       [] { return make_fixed_approxDP_to_approxDP(approximate_pair()); }},
      {"make_zCDP_to_approxDP", [] { return make_zCDP_to_approxDP(make_pureDP_to_zCDP(pure())); }},
      {"make_pureDP_to_RDP", [] { return make_pureDP_to_RDP(pure()); }},
      {"make_zCDP_to_RDP", [] { return make_zCDP_to_RDP(make_pureDP_to_zCDP(pure())); }},
      {"make_RDP_to_approxDP", [] { return make_RDP_to_approxDP(make_pureDP_to_RDP(pure())); }},
      {"make_fix_delta",
       [] {
         return make_fix_delta(make_zCDP_to_approxDP(make_pureDP_to_zCDP(pure())), Delta(0.1));
       }},
  };
  return table;
}

using Refusal = std::function<void(const Measurement&)>;

QueryablePtr conversation(const Measurement& compositor) {
  return *compositor.invoke(make_column(AtomType::i64, std::vector<std::int64_t>(10)))
              .as<QueryablePtr>();
}

Odometer odometer() { return make_fully_adaptive_composition(kSample, kChanges, max_divergence()); }

BlockResults one_column() {
  const BlocksFunction any = [](const BlockCells&, const BlockPlaces&) {
    return std::vector<std::vector<double>>(10);
  };
  return BlockResults({{"x", 0, 1, 0, 1, false}}, BlockDesign::partitions(20, 10, 1), any, 1);
}

// Combinators that run a measurement beside others, or more than once.
const std::map<std::string, Refusal>& compositors() {
  const Distance one = Scalar(1.0);
  const Distance near = Scalar(std::uint32_t{1});
  static const std::map<std::string, Refusal> table = {
      {"make_composition",
       [](const Measurement& m) {
         make_composition({seven(max_divergence(), Scalar(1.0)), m});
       }},
      {"make_adaptive_composition",
       [=](const Measurement& m) {
         conversation(
             make_adaptive_composition(kSample, kChanges, m.output_measure(), near, {one, one}))
             ->ask(query(m));
       }},
      {"make_fully_adaptive_composition",
       [](const Measurement& m) {
         odometer()
             .invoke(make_column(AtomType::i64, std::vector<std::int64_t>(10)))
             ->ask(query(m));
       }},
      {"make_privacy_filter",
       [=](const Measurement& m) {
         conversation(make_privacy_filter(odometer(), near, one))->ask(query(m));
       }},
      {"make_select_private_candidate",
       [](const Measurement& m) { make_select_private_candidate(m, 0.5, 1); }},
      {"make_population_amplification",
       [](const Measurement& m) { make_population_amplification(m, 1000); }},
      {"make_poisson_subsample", [](const Measurement& m) { make_poisson_subsample(m, 0.5); }},
      {"make_drawn_sample",
       [](const Measurement& m) {
         make_drawn_sample(m, m.input_domain(), {Function(), {nullptr, 1}, nullptr, false});
       }},
      {"make_subsample_without_replacement",
       [](const Measurement& m) { make_subsample_without_replacement(m, 10, 20); }},
      {"compose_pld",
       [=](const Measurement& m) {
         compose_pld({{m, 2}}, near);
       }},
      {"make_block_aggregate",
       [](const Measurement& m) {
         make_block_aggregate(one_column(), {BlockOutput(0, 1, std::nullopt)}, {m});
       }},
  };
  return table;
}

bool is_refused(const Measurement& measurement) {
  return measurement.privacy_map().needs_secret_sample();
}

TEST(Amplified, D_CMP_1_NoCompositorTakesOne) {
  for (const auto& [name, refuse] : compositors()) {
    SCOPED_TRACE(name);
    Runs runs;
    const std::string sentence =
        expect_error(ErrorKind::make_measurement, [&, check = refuse] { check(pure(&runs)); });
    EXPECT_NE(sentence.find("compose, then amplify"), std::string::npos) << sentence;
    EXPECT_EQ(runs.releases, 0) << "data were touched";
  }
}

TEST(Amplified, D_CMP_1_WhateverIsBuiltOnOneIsRefusedInItsPlace) {
  for (const auto& [name, build] : marked()) {
    SCOPED_TRACE(name);
    const Measurement built = build();
    EXPECT_TRUE(is_refused(built));
    expect_error(ErrorKind::make_measurement, [&] { make_composition({built}); });
    EXPECT_NO_THROW(built.map(Scalar(std::uint32_t{1})));  // on its own it has a loss
  }
  const Measurement plain = seven(max_divergence(), Scalar(1.0));
  EXPECT_FALSE(is_refused(make_chain_pm(kPostprocess, plain)));
  EXPECT_FALSE(is_refused(make_composition({plain, plain})));
}

TEST(Amplified, D_CMP_1_ARefusedQueryIsNotCharged) {
  const auto queryable =
      odometer().invoke(make_column(AtomType::i64, std::vector<std::int64_t>(10)));
  const Distance near = Scalar(std::uint32_t{1});
  expect_error(ErrorKind::make_measurement, [&] { queryable->ask(query(pure())); });
  EXPECT_EQ(number_in<double>(queryable->loss(near)), 0);
  expect_error(ErrorKind::make_measurement, [&] { queryable->loss_with(near, query(pure())); });
  const auto shares = conversation(
      make_adaptive_composition(kSample, kChanges, max_divergence(), near, {Scalar(1.0)}));
  expect_error(ErrorKind::make_measurement, [&] { shares->ask(query(pure())); });
  EXPECT_NO_THROW(shares->ask(query(seven(max_divergence(), Scalar(1.0)))));
}

TEST(Amplified, D_CMP_1_AMapThatDropsTheMarkTellsNoLoss) {
  const PrivacyMap inner = pure().privacy_map();
  const Measurement forgotten(
      kSample, kChanges, max_divergence(), kPostprocess, [inner](const Distance& d_in) {
        return inner(d_in);
      });
  EXPECT_FALSE(is_refused(forgotten));
  const Distance near = Scalar(std::uint32_t{1});
  expect_error(ErrorKind::failed_map, [&] { forgotten.map(near); });
  EXPECT_NO_THROW(inner(near));
}

TEST(Amplified, D_CMP_1_ThePairLosesMoreThanTheSumOfItsParts) {
  const Measurement one = seven(max_divergence(), Scalar(1.0));
  const double pair = loss(amplified(make_composition({one, one})), Scalar(std::uint32_t{1}));
  const double sum = 2 * loss(amplified(one), Scalar(std::uint32_t{1}));
  EXPECT_GT(pair, sum);
  EXPECT_NEAR(pair, std::log1p(0.1 * std::expm1(2.0)), 1e-12);
}

// Functions that a header declares with measurements as arguments, and all constructors of
// combinators.
std::set<std::string> declared_combinators() {
  const std::string here = __FILE__;
  const std::filesystem::path core = here.substr(0, here.rfind("tests/cpp/")) + "src/core";
  const std::regex declaration(R"((\w+)\(([^()]*)\)\s*;)");
  const std::regex takes(R"(\b(Measurement|Composable|RepeatedMeasurement|Odometer)\b)");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(core)) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string source = text.str();
    const bool combinator = entry.path().parent_path().filename() == "combinators";
    for (std::sregex_iterator found(source.begin(), source.end(), declaration), end; found != end;
         ++found) {
      const std::string name = (*found)[1];
      const bool constructor = name.compare(0, 5, "make_") == 0 || name == "compose_pld";
      if (constructor && (combinator || std::regex_search((*found)[2].str(), takes))) {
        names.insert(name);
      }
    }
  }
  return names;
}

TEST(Amplified, D_CMP_1_EveryCombinatorIsInOneOfTheTables) {
  std::set<std::string> tested = {"make_chain_tt"};  // takes no measurement
  for (const auto& row : marked()) tested.insert(row.first);
  for (const auto& row : compositors()) tested.insert(row.first);
  EXPECT_EQ(declared_combinators(), tested);
}

}  // namespace
}  // namespace dp::test::amplified_test
