#include "core/measurements/joint_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/numeric/rational.h"
#include "support/exact_laws.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/recorded_bits.h"
#include "support/scripted_bits.h"
#include "support/tier.h"

namespace dp::test::joint_choice_test {
namespace {

using Places = std::vector<std::size_t>;

// Calls visit() with all places in order.
void each_tuple(std::size_t size,
                std::size_t count,
                Places& tuple,
                const std::function<void()>& visit) {
  if (tuple.size() == count) return visit();
  for (std::size_t i = tuple.empty() ? 0 : tuple.back(); i < size; ++i) {
    tuple.push_back(i);
    each_tuple(size, count, tuple, visit);
    tuple.pop_back();
  }
}

struct Choice : RankedPlaces {
  Choice(RankedPlaces places, Rational each) : RankedPlaces(std::move(places)), rate(each) {}
  Choice() : RankedPlaces{{}, 0, {}} {}

  Rational rate;
};

// Weight of a tuple, directly from the definition.
Wide weight(const Choice& choice, const Places& tuple) {
  Integer miss = 0;
  Integer last = 0;
  for (std::size_t j = 0; j <= tuple.size(); ++j) {
    const Integer rank(j < tuple.size() ? choice.ranks[tuple[j]] : choice.total);
    miss += abs(Integer(rank - last - Integer(choice.steps[j])));
    last = rank;
  }
  return exp(-Wide(Rational(choice.rate * miss)));
}

struct TupleLaw {
  std::vector<Places> tuples;
  FiniteLaw law;
};

TupleLaw law_of(const Choice& choice) {
  TupleLaw all;
  Wide total = 0;
  Places tuple;
  each_tuple(choice.ranks.size(), choice.steps.size() - 1, tuple, [&] {
    all.tuples.push_back(tuple);
    total += all.law.emplace_back(weight(choice, tuple));
  });
  for (Wide& p : all.law) p /= total;
  return all;
}

std::vector<double> tally(const Choice& choice, const TupleLaw& law, int draws, BitSource& bits) {
  std::vector<double> counts(law.tuples.size());
  const JointChoice chooser(choice.rate);
  for (int i = 0; i < draws; ++i) {
    const Places drawn = chooser.draw(choice, bits);
    const auto place = std::find(law.tuples.begin(), law.tuples.end(), drawn);
    counts.at(static_cast<std::size_t>(place - law.tuples.begin())) += 1;
  }
  return counts;
}

// Ranks with ties, with steps of 0, and steps that overlap or leave out ranks.
std::vector<Choice> choices() {
  return {
      {{{1, 3, 4, 4, 9}, 10, {5, 5}}, Rational(1, 3)},
      {{{0, 0, 2, 7, 7, 8}, 8, {2, 4, 2}}, Rational(2, 7)},
      {{{1, 2, 3, 5, 5}, 6, {0, 3, 3, 0}}, Rational(1, 5)},
      {{{5, 5, 5, 5}, 5, {5, 0, 0}}, Rational(1)},
      {{{0, 1, 2, 3, 4, 5}, 5, {1, 1, 1, 1, 1}}, Rational(1, 2)},
      {{{0}, 0, {0, 0, 0}}, Rational(3)},
  };
}

constexpr int kDraws = in_tier(1000, 100000);

TEST(JointChoice, D_SAM_1_HasTheLawOfItsDefinition) {
  for (const Choice& choice : choices()) {
    const TupleLaw law = law_of(choice);
    ReplayedBits bits(11);
    EXPECT_GT(fit(tally(choice, law, kDraws, bits), law.law), 1e-7);
  }
}

TEST(JointChoice, TheSameTestRejectsAnotherRate) {
  for (const Choice& choice : choices()) {
    // If all tuples are equally likely, the rate is zero.
    if (choice.ranks.front() == choice.ranks.back()) continue;
    Choice mutant = choice;
    mutant.rate *= 2;
    const TupleLaw law = law_of(choice);
    ReplayedBits bits(11);
    EXPECT_LT(fit(tally(mutant, law, kDraws, bits), law.law), 1e-7);
  }
}

Choice random_choice(SplitMix& random) {
  Choice choice;
  const std::size_t size = 1 + random() % 40;
  const std::uint64_t gap = std::uint64_t{1} << (random() % 30);
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < size; ++i) {
    rank += random() % 3 == 0 ? 0 : random() % gap;
    choice.ranks.push_back(rank);
  }
  choice.total = rank + random() % gap;
  std::uint64_t left = choice.total;
  for (std::size_t j = random() % 6; j > 0; --j) {
    choice.steps.push_back(left == 0 ? 0 : random() % left);
    left -= choice.steps.back();
  }
  choice.steps.push_back(left / 2);
  choice.steps.push_back(left - left / 2);
  choice.rate = Rational(Integer(1 + random() % 100), Integer(gap) * (1 + random() % 1000));
  return choice;
}

// Draws that the fast path cannot decide use more bits and give the same result. This test makes
// the fast path doubt nearly all draws.
TEST(JointChoice, D_SAM_2_MoreBitsChangeNoDraw) {
  SplitMix random(3);
  for (int i = 0; i < in_tier(60, 3000); ++i) {
    const Choice choice = random_choice(random);
    const JointChoice chooser(choice.rate);
    const std::uint64_t seed = random();
    ScriptedBits fast(seed);
    const Places places = chooser.draw(choice, fast);
    joint_choice_doubt = 43;
    ScriptedBits slow(seed);
    EXPECT_EQ(chooser.draw(choice, slow), places);
    joint_choice_doubt = 0;
  }
  EXPECT_GT(wide_joint_choices, 5u);
}

// Place by exact arithmetic, for uniforms with a known first word and zeros after it.
Places exact_places(const Choice& choice, const std::vector<std::uint64_t>& words) {
  const TupleLaw law = law_of(choice);
  const std::size_t count = choice.steps.size() - 1;
  Places places(count);
  for (std::size_t j = count; j-- > 0;) {
    std::vector<Wide> sums(choice.ranks.size());
    Wide all = 0;
    for (std::size_t t = 0; t < law.tuples.size(); ++t) {
      if (!std::equal(places.begin() + static_cast<std::ptrdiff_t>(j) + 1,
                      places.end(),
                      law.tuples[t].begin() + static_cast<std::ptrdiff_t>(j) + 1)) {
        continue;
      }
      sums[law.tuples[t][j]] += law.law[t];
      all += law.law[t];
    }
    const Wide aim = ldexp(Wide(words[j]), -64) * all;
    Wide sum = 0;
    while ((sum += sums[places[j]]) <= aim) ++places[j];
  }
  return places;
}

TEST(JointChoice, D_SAM_1_UniformsGiveThePlacesOfRealArithmetic) {
  SplitMix random(5);
  for (const Choice& choice : choices()) {
    const JointChoice chooser(choice.rate);
    for (int i = 0; i < 40; ++i) {
      std::vector<std::uint64_t> words;
      for (std::size_t j = 0; j + 1 < choice.steps.size(); ++j) words.push_back(random());
      std::vector<std::uint64_t> recorded = words;
      recorded.resize(words.size() + 20);
      RecordedBits bits(recorded);
      EXPECT_EQ(chooser.draw(choice, bits), exact_places(choice, words));
    }
  }
}

// At the boundary of a place, 64 bits do not decide. The next words do, in either direction.
TEST(JointChoice, D_SAM_2_AnEndIsDecidedByLaterBits) {
  const Choice even({{0, 2}, 2, {1, 1}}, Rational(1));
  for (const std::uint64_t later : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const std::uint64_t before = wide_joint_choices;
    RecordedBits bits({(std::uint64_t{1} << 63) - 1, later, later, 0});
    EXPECT_EQ(JointChoice(even.rate).draw(even, bits), Places{0});
    EXPECT_EQ(wide_joint_choices, before + 1);
  }
  RecordedBits beyond({std::uint64_t{1} << 63, 1, 0, 0});
  EXPECT_EQ(JointChoice(even.rate).draw(even, beyond), Places{1});
}

TEST(JointChoice, RefusesWhatItsNumbersDoNotHold) {
  ReplayedBits bits(1);
  const Rational tiny(Integer(1), Integer(kMostRank));
  expect_error(ErrorKind::overflow, [&] {
    JointChoice(tiny).draw({{0, 1}, kMostRank + 1, {1, 1}}, bits);
  });
  expect_error(ErrorKind::overflow, [&] {
    JointChoice(Rational(Integer(kMostRateTotal))).draw({{0, 1}, 2, {1, 1}}, bits);
  });
  const RankedPlaces most{{0, kMostRank}, kMostRank, {kMostRank, 0}};
  EXPECT_EQ(JointChoice(Rational(1, 64)).draw(most, bits), Places{1});
}

}  // namespace
}  // namespace dp::test::joint_choice_test
