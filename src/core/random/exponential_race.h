// A choice with probabilities proportional to exp(-x_i), in one pass over all i.
//
// Each i draws a uniform U_i and arrives at the time E_i exp(x_i), where E_i = -ln U_i is
// exponential. The first to arrive is i with probability proportional to the rate of its arrival,
// exp(-x_i). On the scale of logarithms it is the least x_i + ln E_i (the Gumbel trick).
//
// One word of each U_i gives a certified interval of this number, by the same steps for every x_i.
// Runners that cannot be first by these intervals are out. Nearly always one is left. Otherwise,
// with a probability of about 2^-42, the remaining runners draw more bits until their order is
// certain: the choice is the one of real arithmetic (PROOFS.md, section 9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"
#include "core/random/neg_log.h"

namespace dp {

// The lower end of an interval for x_i, in units of 2^-57, is at most this many units of 1. From
// there on the upper end is kNever.
inline constexpr double kFarBehind = 63;
inline constexpr std::uint64_t kNever = UINT64_MAX;

class ExponentialRace {
 public:
  explicit ExponentialRace(std::size_t runners);
  ~ExponentialRace();
  ExponentialRace(const ExponentialRace&) = delete;
  ExponentialRace& operator=(const ExponentialRace&) = delete;

  // Draws for runner i; every runner has one turn. `x` encloses x_i >= 0.
  void run(std::size_t i, const FixedInterval& x, BitSource& bits) {
    words_[i] = bits.word();
    const FixedInterval arrival = arrival_of(words_[i], x);
    earliest_[i] = arrival.lower;
    limit_ = arrival.upper < limit_ ? arrival.upper : limit_;
  }

  // The first runner to arrive. `x` gives x_i exactly; it is called if the intervals do not decide.
  std::size_t first(const std::function<Rational(std::size_t)>& x, BitSource& bits) const;

 private:
  static FixedInterval arrival_of(std::uint64_t word, const FixedInterval& x);

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> earliest_;
  std::uint64_t limit_ = kNever;  // the first has arrived by then
};

#ifdef DP_TEST_HOOKS
// Number of times that this thread has compared two arrivals at any precision.
extern thread_local std::uint64_t close_finishes;
#endif

}  // namespace dp
