// Random conversations with compositors in compositors, against exact rationals.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "combinators/compositor_support.h"
#include "core/combinators/adaptive_composition.h"
#include "core/combinators/fully_adaptive_composition.h"
#include "core/combinators/privacy_filter.h"
#include "core/numeric/rational.h"
#include "support/scripted_bits.h"

namespace dp::test {
namespace {

using Shares = std::vector<double>;

double uniform(SplitMix& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

Shares shares_of(SplitMix& random, double most) {
  Shares shares(1 + random() % 4);
  for (double& share : shares) share = most * uniform(random);
  return shares;
}

Measurement compositor(const Shares& shares) {
  std::vector<Distance> d_mids;
  for (double share : shares) d_mids.push_back(Scalar(share));
  return make_adaptive_composition(kNumber, kStep, max_divergence(), Scalar(1), d_mids);
}

// Asks for `wishes` and what comes to mind, sometimes through compositors of its own, and returns
// the exact loss of all that was answered.
Rational talk(Queryable& queryable, const Shares& wishes, SplitMix& random, int depth) {
  Rational spent = 0;
  const auto ask = [&](double loss) {
    try {
      if (depth > 0 && random() % 2 == 0) {
        const Shares shares = shares_of(random, loss / 2);
        spent += talk(*child(queryable, compositor(shares)), shares, random, depth - 1);
      } else {
        queryable.ask(query(costing(loss)));
        spent += exact_rational(loss);
      }
    } catch (const Error&) {  // refused
    }
  };
  for (double wish : wishes) {
    if (random() % 4 == 0) ask(uniform(random));
    ask(wish);
  }
  ask(uniform(random));
  return spent;
}

// What is promised for shares, by the map or by a wrong one.
using Claim = std::function<double(const Shares&)>;

bool covers_conversations(const Claim& claim) {
  SplitMix random(43);
  for (int trial = 0; trial < 5000; ++trial) {
    const Shares shares = shares_of(random, 1);
    const Rational spent = talk(*start(compositor(shares), 7), shares, random, 3);
    if (spent > exact_rational(claim(shares))) return false;
  }
  return true;
}

TEST(Conversations, D_CMP_1_NoneGetsMoreThanThePromiseExactly) {
  EXPECT_TRUE(
      covers_conversations([](const Shares& shares) { return loss(compositor(shares), 1); }));
}

TEST(Conversations, D_CMP_1_TheCheckRejectsSumsRoundedToNearestAndTheLargestShare) {
  EXPECT_FALSE(covers_conversations(
      [](const Shares& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }));
  EXPECT_FALSE(covers_conversations(
      [](const Shares& shares) { return *std::max_element(shares.begin(), shares.end()); }));
}

TEST(Conversations, D_CMP_1_OdometersNeverTellLessThanWasAnswered) {
  SplitMix random(44);
  const Odometer odometer = make_fully_adaptive_composition(kNumber, kStep, max_divergence());
  for (int trial = 0; trial < 1000; ++trial) {
    const OdometerQueryablePtr queryable = odometer.invoke(Scalar(7));
    const Rational spent = talk(*queryable, shares_of(random, 1), random, 3);
    ASSERT_LE(spent, exact_rational(number_in<double>(queryable->loss(Scalar(1)))));
  }
}

TEST(Conversations, D_CMP_1_FiltersNeverAnswerBeyondTheirBudget) {
  SplitMix random(45);
  const Odometer odometer = make_fully_adaptive_composition(kNumber, kStep, max_divergence());
  for (int trial = 0; trial < 1000; ++trial) {
    const double budget = 2 * uniform(random);
    const Measurement filter = make_privacy_filter(odometer, Scalar(1), Scalar(budget));
    const Rational spent = talk(*start(filter, 7), shares_of(random, 1), random, 3);
    ASSERT_LE(spent, exact_rational(loss(filter, 1)));
  }
}

}  // namespace
}  // namespace dp::test
