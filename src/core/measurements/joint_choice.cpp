#include "core/measurements/joint_choice.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/error.h"
#include "core/numeric/exponentials.h"
#include "core/numeric/floor_number.h"
#include "core/numeric/rational.h"
#include "core/random/lazy_uniform.h"
#include "core/runtime/parallel.h"

namespace dp {

#ifdef DP_TEST_HOOKS
thread_local std::uint64_t wide_joint_choices = 0;
thread_local std::uint64_t joint_choice_doubt = 0;
#endif

namespace {

constexpr std::size_t kPlacesBetweenInterrupts = std::size_t{1} << 16;

// Sum over a window whose ends never move back: the suffix sums of an older part plus the sum of a
// newer one. Nothing is ever subtracted.
template <class Number>
class WindowSum {
 public:
  explicit WindowSum(std::size_t size) : terms_(size), suffixes_(size) {}

  void push(const Number& term) {
    terms_[end_++] = term;
    newer_ = newer_ + term;
  }

  // Sum of the terms from `begin` on.
  Number from(std::size_t begin) {
    if (begin >= split_) {
      Number suffix;
      for (std::size_t i = end_; i-- > begin;) suffixes_[i] = suffix = suffix + terms_[i];
      split_ = end_;
      newer_ = Number{};
    }
    return begin < split_ ? suffixes_[begin] + newer_ : newer_;
  }

 private:
  std::vector<Number> terms_;
  std::vector<Number> suffixes_;
  std::size_t split_ = 0;  // where the newer part begins
  std::size_t end_ = 0;
  Number newer_;
};

// a 2^i < b 2^j, for a, b >= 0.
bool is_less(const Integer& a, std::int64_t i, const Integer& b, std::int64_t j) {
  if (a == 0 || b == 0) return a < b;
  const std::int64_t top_of_a = static_cast<std::int64_t>(msb(a)) + i;
  const std::int64_t top_of_b = static_cast<std::int64_t>(msb(b)) + j;
  if (top_of_a != top_of_b) return top_of_a < top_of_b;
  // At this point i and j differ by at most the lengths of a and b.
  return i >= j ? Integer(a << static_cast<unsigned>(i - j)) < b
                : a < Integer(b << static_cast<unsigned>(j - i));
}

template <class Word>
class Chain {
 public:
  using Number = FloorNumber<Word>;

  Chain(const RankedPlaces& choice, const ExponentialPair<Word>& powers)
      : choice_(choice),
        size_(choice.ranks.size()),
        rise_(powers.rise),
        fall_(powers.fall),
        rising_(size_),
        falling_(size_) {
    each_place([&](std::size_t i) {
      rising_[i] = rise_(choice.ranks[i]);
      falling_[i] = fall_(choice.ranks[i]);
    });
    for (std::size_t j = 0; j + 1 < choice.steps.size(); ++j) {
      beginnings_.push_back(j == 0 ? first() : next(beginnings_[j - 1], choice.steps[j]));
    }
  }

  // Empty if an error may have changed the answer.
  std::optional<std::vector<std::size_t>> draw(std::vector<LazyUniform>& uniforms) const {
    std::vector<std::size_t> places(beginnings_.size());
    End end{choice_.total, rise_(choice_.total), fall_(choice_.total), size_};
    for (std::size_t j = beginnings_.size(); j-- > 0;) {
      const std::optional<std::size_t> place =
          select(sums_to(end, beginnings_[j], choice_.steps[j + 1]), uniforms[j]);
      if (!place) return std::nullopt;
      places[j] = *place;
      end = {choice_.ranks[*place], rising_[*place], falling_[*place], *place + 1};
    }
    return places;
  }

 private:
  // The end after a position: a rank, its exponentials, and the number of allowed earlier
  // positions.
  struct End {
    std::uint64_t rank;
    Number rising;
    Number falling;
    std::size_t before;
  };

  template <class F>
  void each_place(F&& f) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (i % kPlacesBetweenInterrupts == 0) check_interrupt();
      f(i);
    }
  }

  std::vector<Number> first() const {
    const std::uint64_t step = choice_.steps[0];
    const Number up = rise_(step);
    const Number down = fall_(step);
    std::vector<Number> sums(size_);
    each_place([&](std::size_t i) {
      sums[i] = choice_.ranks[i] >= step ? falling_[i] * up : rising_[i] * down;
    });
    return sums;
  }

  std::vector<Number> next(const std::vector<Number>& before, std::uint64_t step) const {
    const Number up = rise_(step);
    const Number down = fall_(step);
    std::vector<Number> sums(size_);
    WindowSum<Number> near(size_);
    Number far;
    std::size_t count_of_far = 0;
    each_place([&](std::size_t i) {
      near.push(before[i] * falling_[i]);
      while (count_of_far <= i && choice_.ranks[count_of_far] + step <= choice_.ranks[i]) {
        far = far + before[count_of_far] * rising_[count_of_far];
        ++count_of_far;
      }
      sums[i] = falling_[i] * up * far + rising_[i] * down * near.from(count_of_far);
    });
    return sums;
  }

  // Cumulative weights of positions, if `end` comes next.
  std::vector<Number> sums_to(const End& end,
                              const std::vector<Number>& weights,
                              std::uint64_t step) const {
    const Number of_far = end.falling * rise_(step);
    const Number of_near = end.rising * fall_(step);
    std::vector<Number> sums(size_);
    Number sum;
    each_place([&](std::size_t i) {
      const bool far = choice_.ranks[i] + step <= end.rank;
      const Number weight = weights[i] * (far ? rising_[i] * of_far : falling_[i] * of_near);
      sum = sum + (i < end.before ? weight : Number{});
      sums[i] = sum;
    });
    return sums;
  }

  // The true sums are between these and these plus a fraction of 2^-known_bits().
  unsigned known_bits() const {
    const Integer operations = Integer(choice_.steps.size() + 2) * (size_ + 8192);
    unsigned known = Number::kBits - 4 - msb(operations);
#ifdef DP_TEST_HOOKS
    if (Number::kBits == 64) known -= static_cast<unsigned>(joint_choice_doubt);
#endif
    return known;
  }

  // The first position where the sum exceeds a fraction u of the total.
  std::optional<std::size_t> select(const std::vector<Number>& sums, LazyUniform& u) const {
    while (u.count() < Number::kBits) u.extend();
    const auto bits = static_cast<std::int64_t>(u.count());
    const Integer all(sums.back().mantissa);
    const std::int64_t scale = sums.back().exponent - bits;
    const Integer low = u.prefix() * all;
    const auto found = std::partition_point(sums.begin(), sums.end(), [&](const Number& sum) {
      return !is_less(low, scale, Integer(sum.mantissa), sum.exponent);
    });
    const auto place = static_cast<std::size_t>(found - sums.begin());
    // Whether u selects this position for every possible error of the sums.
    const unsigned known = known_bits();
    const Integer more = (Integer(1) << known) + 1;
    const Integer high = (u.prefix() + 1) * all * more;
    const bool above = place > 0 && is_less(Integer(low << known),
                                            scale,
                                            Integer(sums[place - 1].mantissa) * more,
                                            sums[place - 1].exponent);
    const bool below =
        place + 1 < size_ &&
        is_less(Integer(sums[place].mantissa) << known, sums[place].exponent, high, scale);
    if (above || below) return std::nullopt;
    return place;
  }

  const RankedPlaces& choice_;
  std::size_t size_;
  const Exponentials<Word>& rise_;
  const Exponentials<Word>& fall_;
  std::vector<Number> rising_;   // exp(rate r_i)
  std::vector<Number> falling_;  // exp(-rate r_i)
  std::vector<std::vector<Number>> beginnings_;
};

// The largest total whose exponents all fit their bits.
std::uint64_t most_total(const Rational& rate) {
  const Integer most = floor(Rational(Integer(kMostRateTotal)) / rate);
  return most < kMostRank ? static_cast<std::uint64_t>(most) : kMostRank;
}

}  // namespace

struct JointChoice::Tables {
  std::once_flag made;
  std::optional<ExponentialPair<std::uint64_t>> powers;
};

JointChoice::JointChoice(const Rational& rate)
    : rate_(rate), most_(most_total(rate)), tables_(std::make_shared<Tables>()) {}

JointChoice::~JointChoice() = default;

std::vector<std::size_t> JointChoice::draw(const RankedPlaces& places, BitSource& bits) const {
  if (places.total > most_) {
    throw Error(ErrorKind::overflow, "there are too many rows for this scale.");
  }
  std::call_once(tables_->made, [this] { tables_->powers.emplace(rate_, most_); });
  std::vector<LazyUniform> uniforms;
  for (std::size_t j = 0; j + 1 < places.steps.size(); ++j) {
    uniforms.emplace_back(bits.word(), 64, bits);
  }
  if (auto drawn = Chain<std::uint64_t>(places, *tables_->powers).draw(uniforms)) return *drawn;
#ifdef DP_TEST_HOOKS
  ++wide_joint_choices;
#endif
  using Word = FixedWord<256>;
  const auto powers = std::make_unique<const ExponentialPair<Word>>(rate_, most_);
  if (auto drawn = Chain<Word>(places, *powers).draw(uniforms)) return *drawn;
  // 220 bits of a uniform agree with an end of a position.
  throw Error(ErrorKind::entropy, "the random bits repeat themselves.");
}

}  // namespace dp
