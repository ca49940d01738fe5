#include "core/random/exponential_race.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/numeric/enclosure.h"
#include "core/random/lazy_uniform.h"

namespace dp {

#ifdef DP_TEST_HOOKS
thread_local std::uint64_t close_finishes = 0;
#endif

namespace {

constexpr std::uint64_t kUnit = std::uint64_t{1} << 57;
constexpr std::uint64_t kOrigin = 45 * kUnit;  // beyond 64 ln 2, so that no arrival is negative

// All bits if `holds`, else none.
std::uint64_t all_if(bool holds) { return std::uint64_t{0} - (holds ? 1 : 0); }

// x + ln E of one runner, to any precision.
class Arrival {
 public:
  Arrival(std::uint64_t word, Rational x, BitSource& bits)
      : uniform_(word, 64, bits), x_(std::move(x)) {}

  const Rational& x() const { return x_; }

  // ln E, from as much of U as the precision `bits` can use. False if U may still be 0 or 1.
  bool enclose_log(unsigned bits, Enclosure& log_of_time) {
    while (uniform_.count() + 64 < bits) uniform_.extend();
    const Integer all = Integer(1) << uniform_.count();
    const Integer next = uniform_.prefix() + 1;
    if (uniform_.prefix() == 0 || next == all) return false;
    const Enclosure zero = enclose(Rational(0));
    const Enclosure least = zero - log(Rational(next, all), bits);
    const Enclosure most = zero - log(Rational(uniform_.prefix(), all), bits);
    if (!(least.lower > 0)) return false;
    log_of_time = log(Enclosure{least.lower, most.upper}, bits);
    return true;
  }

 private:
  LazyUniform uniform_;
  Rational x_;
};

bool is_earlier(Arrival& a, Arrival& b) {
#ifdef DP_TEST_HOOKS
  ++close_finishes;
#endif
  const Enclosure head_start = enclose(b.x() - a.x());
  for (const unsigned bits : kEnclosureTiers) {
    Enclosure of_a;
    Enclosure of_b;
    if (!a.enclose_log(bits, of_a) || !b.enclose_log(bits, of_b)) continue;
    const Enclosure behind = of_a - of_b;
    if (behind.upper < head_start.lower) return true;
    if (behind.lower > head_start.upper) return false;
  }
  // 2000 bits of both are alike: with probability below 2^-1900.
  throw Error(ErrorKind::entropy, "the random bits repeat themselves.");
}

}  // namespace

ExponentialRace::ExponentialRace(std::size_t runners) : words_(runners), earliest_(runners) {}

ExponentialRace::~ExponentialRace() {
  erase(words_.data(), words_.size() * sizeof(words_[0]));
  erase(earliest_.data(), earliest_.size() * sizeof(earliest_[0]));
}

FixedInterval ExponentialRace::arrival_of(std::uint64_t word, const FixedInterval& x) {
  // Without branches: for a word of 0 the time has no end, for one near 2^64 it may be 0.
  const FixedInterval time = neg_log(word + (word == 0 ? 1 : 0), 0);
  const std::uint64_t early = time.lower + (time.lower == 0 ? 1 : 0);
  // -ln(E 2^57 / 2^64), which is large for small E
  const std::uint64_t most = std::min(neg_log(early, 0).upper, kOrigin);
  const std::uint64_t least = neg_log(time.upper, 0).lower;
  const std::uint64_t lower = x.lower + (kOrigin - most);
  const std::uint64_t upper = x.upper + (kOrigin - std::min(least, kOrigin));
  const std::uint64_t no_lower = all_if(time.lower == 0);
  return {lower & ~no_lower, upper | all_if(word == 0) | all_if(x.upper == kNever)};
}

std::size_t ExponentialRace::first(const std::function<Rational(std::size_t)>& x,
                                   BitSource& bits) const {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (earliest_[i] <= limit_) left.push_back(i);
  }
  if (left.size() == 1) return left[0];
  std::vector<Arrival> arrivals;
  for (const std::size_t i : left) arrivals.emplace_back(words_[i], x(i), bits);
  std::size_t winner = 0;
  for (std::size_t i = 1; i < left.size(); ++i) {
    if (is_earlier(arrivals[i], arrivals[winner])) winner = i;
  }
  return left[winner];
}

}  // namespace dp
