// Random conversations with nested compositors, checked against exact rationals.
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

namespace dp::test::conversations_test {
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

// Asks for `wishes` and random extras, sometimes through child compositors. Returns the exact loss
// of all answered queries.
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

// Loss claimed for shares, by the map or by a mutant.
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

// A measure, a generator of its losses, and their addition.
struct Kind {
  const char* name;
  Measure measure;
  bool has_delta;
};

const std::vector<Kind> kKinds = {{"pure", max_divergence(), false},
                                  {"concentrated", zero_concentrated_divergence(), false},
                                  {"approximate", approximate(max_divergence()), true},
                                  {"both", approximate(zero_concentrated_divergence()), true}};

// Exact loss, in either form.
struct Loss {
  Rational inner = 0;
  Rational delta = 0;

  void add(const Loss& other) {
    inner += other.inner;
    delta += other.delta;
  }
  bool within(const Loss& other) const { return inner <= other.inner && delta <= other.delta; }
};

Loss loss_in(const Kind& kind, const Distance& distance) {
  if (!kind.has_delta) return {exact_rational(number_in<double>(distance)), 0};
  const Distance::Tuple& parts = *distance.as<Distance::Tuple>();
  return {exact_rational(number_in<double>(parts[0])), exact_rational(number_in<double>(parts[1]))};
}

Distance distance_of(const Kind& kind, double inner, double delta) {
  return kind.has_delta ? pair_of(inner, delta) : Distance(Scalar(inner));
}

Distance random_loss(const Kind& kind, SplitMix& random, double most) {
  const double inner = most * uniform(random);
  const bool pure = random() % 3 == 0;
  return distance_of(kind, inner, pure ? 0 : 1e-3 * uniform(random));
}

// Many simultaneous conversations with nested compositors, asked in random order. A query may cost
// too much, fail on the data, or use a different measure. A child may be asked again after a later
// one was answered, whether or not its parent's theorem allows this.
class Interleaved {
 public:
  Interleaved(const Kind& kind, QueryablePtr root, SplitMix& random)
      : kind_(kind), random_(random), open_{std::move(root)} {}

  // Exact loss of all answered queries. Queries that failed on the data count too, because they
  // were charged.
  Loss talk(int turns, double most) {
    for (int turn = 0; turn < turns; ++turn) ask(*open_[random_() % open_.size()], most);
    return answered_;
  }

  int refused() const { return refused_; }
  int children() const { return static_cast<int>(open_.size()) - 1; }

 private:
  void ask(Queryable& queryable, double most) {
    const Distance loss = random_loss(kind_, random_, most);
    const auto kind = random_() % 8;
    try {
      if (kind < 3) {
        std::vector<Distance> shares;
        for (std::uint64_t i = 0, n = 1 + random_() % 3; i < n; ++i) {
          shares.push_back(random_loss(kind_, random_, most / 2));
        }
        open_.push_back(
            child(queryable,
                  make_adaptive_composition(kNumber, kStep, kind_.measure, Scalar(1), shares)));
      } else if (kind == 3) {
        // Queries with a different measure or at a different distance are never answered.
        const Kind& other = kKinds[random_() % kKinds.size()];
        if (other.measure == kind_.measure) return;
        queryable.ask(query(costing(other.measure, random_loss(other, random_, most))));
        ADD_FAILURE() << kind_.name << " answered a query of " << other.name;
      } else if (kind == 4) {
        queryable.ask(query(make_user_measurement(
            kNumber,
            kStep,
            kind_.measure,
            [this, loss](const Value&) -> Value {
              answered_.add(loss_in(kind_, loss));
              throw Error(ErrorKind::failed_function, "failed on the data");
            },
            [loss](const Distance&) { return loss; })));
      } else {
        queryable.ask(query(costing(kind_.measure, loss)));
        answered_.add(loss_in(kind_, loss));
      }
    } catch (const Error&) {
      ++refused_;
    }
  }

  const Kind& kind_;
  SplitMix& random_;
  std::vector<QueryablePtr> open_;
  Loss answered_;
  int refused_ = 0;
};

TEST(Conversations, D_CMP_1_InterleavedOnesGetNoMoreThanThePromiseUnderAnyMeasure) {
  for (const Kind& kind : kKinds) {
    SplitMix random(46);
    int refused = 0;
    int children = 0;
    bool more_than_half = false;
    for (int trial = 0; trial < 1000; ++trial) {
      std::vector<Distance> shares;
      for (std::uint64_t i = 0, n = 1 + random() % 5; i < n; ++i) {
        shares.push_back(random_loss(kind, random, 1));
      }
      const Measurement measurement =
          make_adaptive_composition(kNumber, kStep, kind.measure, Scalar(1), shares);
      const Loss promised = loss_in(kind, measurement.map(Scalar(1)));
      Interleaved all(kind, start(measurement, 7), random);
      const Loss answered = all.talk(20, 0.4);
      ASSERT_TRUE(answered.within(promised)) << kind.name;
      more_than_half = more_than_half || 2 * answered.inner > promised.inner;
      refused += all.refused();
      children += all.children();
    }
    // The test shows little unless queries are both answered and refused.
    EXPECT_GT(refused, 1000) << kind.name;
    EXPECT_GT(children, 400) << kind.name;
    EXPECT_TRUE(more_than_half) << kind.name;
  }
}

TEST(Conversations, D_CMP_1_InterleavedOnesWithOdometersAndFiltersAreCovered) {
  for (const Kind& kind : kKinds) {
    SplitMix random(47);
    const Odometer odometer = make_fully_adaptive_composition(kNumber, kStep, kind.measure);
    int refused = 0;
    for (int trial = 0; trial < 500; ++trial) {
      const OdometerQueryablePtr released = odometer.invoke(Scalar(7));
      const Loss answered = Interleaved(kind, released, random).talk(12, 0.4);
      ASSERT_TRUE(answered.within(loss_in(kind, released->loss(Scalar(1))))) << kind.name;
      const Measurement filter =
          make_privacy_filter(odometer, Scalar(1), random_loss(kind, random, 1.5));
      Interleaved within(kind, start(filter, 7), random);
      ASSERT_TRUE(within.talk(12, 0.4).within(loss_in(kind, filter.map(Scalar(1))))) << kind.name;
      refused += within.refused();
    }
    EXPECT_GT(refused, 1000) << kind.name;
  }
}

}  // namespace
}  // namespace dp::test::conversations_test
