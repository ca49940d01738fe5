#include "core/random/gaussian_ziggurat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/random/lazy_uniform.h"
#include "core/random/leading_bits.h"
#include "core/random/neg_log.h"
#include "core/random/uniform.h"

namespace dp {
namespace {

constexpr std::size_t kBlock = 512;
constexpr double kLogOf2 = 0.693147180559945309417;

// Where |x| / sigma is capped: there the curve is below every height but 0.
constexpr double kFar = 0x1p20;

// floor(factor * sigma) or less, or more, for factors below 2^60 in units of 2^-57.
class Multiples {
 public:
  explicit Multiples(const LeadingBits& sigma)
      : mantissa_(sigma.mantissa),
        surplus_(sigma.exact ? 0 : 1),
        shift_(static_cast<unsigned>(std::min<std::int64_t>(64 + 57 - sigma.exponent, 127))) {}

  std::uint64_t floor_below(std::uint64_t factor) const {
    return static_cast<std::uint64_t>((uint128_t{factor} * mantissa_) >> shift_);
  }
  std::uint64_t floor_above(std::uint64_t factor) const {
    return static_cast<std::uint64_t>((uint128_t{factor} * mantissa_ + factor * surplus_) >>
                                      shift_);
  }

 private:
  std::uint64_t mantissa_;
  std::uint64_t surplus_;
  unsigned shift_;
};

double reciprocal(const LeadingBits& x) {
  const auto exponent = static_cast<int>(std::clamp<std::int64_t>(-x.exponent, -1000, 1000));
  return std::ldexp(0x1p64 / static_cast<double>(x.mantissa), exponent);
}

// The number of tails before the first head.
unsigned tails(BitSource& bits) {
  for (unsigned count = 0;; count += 64) {
    const std::uint64_t word = bits.word();
    if (word != 0) return count + static_cast<unsigned>(__builtin_ctzll(word));
  }
}

// The words of a block of draws, erased in the end.
template <class Word>
class Words {
 public:
  ~Words() { erase(stock_, sizeof(stock_)); }

  void refill(std::size_t size, BitSource& bits) {
    bits.words(stock_, (size * sizeof(Word) + 7) / 8);
  }
  Word operator[](std::size_t i) const {
    Word word;
    std::memcpy(
        &word, reinterpret_cast<const unsigned char*>(stock_) + i * sizeof(Word), sizeof(Word));
    return word;
  }

 private:
  std::uint64_t stock_[kBlock * sizeof(Word) / 8];
};

std::array<GaussianZiggurat::Row, GaussianStrips::kCount> rows_of(const Multiples& sigma,
                                                                  std::uint64_t tail_block,
                                                                  const GaussianStrips& strips) {
  std::array<GaussianZiggurat::Row, GaussianStrips::kCount> rows;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::uint64_t outer = sigma.floor_above(strips.radius[k == 0 ? 0 : k - 1].upper);
    rows[k] = {2 * outer + 1, outer, sigma.floor_below(strips.radius[k].lower)};
  }
  rows[0].places += 4 * tail_block;  // two sides, and all blocks hold as much as two of the first
  return rows;
}

}  // namespace

GaussianZiggurat::GaussianZiggurat(const Integer& a, const Integer& b, const GaussianStrips& strips)
    : GaussianZiggurat(a, b, leading_bits(a, b), strips) {}

GaussianZiggurat::GaussianZiggurat(const Integer& a,
                                   const Integer& b,
                                   const LeadingBits& sigma,
                                   const GaussianStrips& strips)
    : a_(a),
      b_(b),
      strips_(strips),
      unit_(reciprocal(sigma)),
      tail_block_(Multiples(sigma).floor_above(strips.halving) + 1),
      rows_(rows_of(Multiples(sigma), tail_block_, strips)),
      choice_(weights()) {}

AliasTable::Weights GaussianZiggurat::weights() const {
  AliasTable::Weights weights;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = uint128_t{rows_[k].places} * strips_.rise(k);
  }
  return weights;
}

void GaussianZiggurat::fill(std::int64_t* out, std::size_t size, BitSource& bits) const {
  // Half a word for the place too, where it is seldom in doubt.
  if (rows_[0].places < std::uint64_t{1} << 24) {
    fill_by<std::uint32_t, std::uint64_t>(out, size, bits);
  } else {
    fill_by<std::uint64_t, uint128_t>(out, size, bits);
  }
}

template <class Word, class Wide>
void GaussianZiggurat::fill_by(std::int64_t* out, std::size_t size, BitSource& bits) const {
  Words<std::uint32_t> strip_words;
  Words<Word> place_words;
  while (size > 0) {
    const std::size_t part = std::min(size, kBlock);
    strip_words.refill(part, bits);
    place_words.refill(part, bits);
    for (std::size_t i = 0; i < part; ++i) {
      const AliasTable::Pick strip = choice_.pick(strip_words[i]);
      const Row& row = rows_[strip.outcome];
      const Wide place = static_cast<Wide>(place_words[i]) * static_cast<Wide>(row.places);
      const bool is_uniform = static_cast<Word>(place) >= row.places;  // or more words
      const std::uint64_t right = static_cast<Word>(place >> (8 * sizeof(Word))) - row.outer;
      const bool is_inner = right + row.inner <= 2 * row.inner;
      out[i] = (strip.is_certain & is_uniform & is_inner) != 0
                   ? static_cast<std::int64_t>(right)
                   : finish<Word, Wide>(strip_words[i], place_words[i], bits);
    }
    out += part;
    size -= part;
  }
}

// One draw, from these words and from more words if needed.
template <class Word, class Wide>
std::int64_t GaussianZiggurat::finish(std::uint32_t strip_word,
                                      Word place_word,
                                      BitSource& bits) const {
  for (;;) {
    const std::size_t strip = choice_.choose(strip_word, bits);
    const auto next_word = [&, is_first = true]() mutable {
      if (!is_first) place_word = static_cast<Word>(bits.word());
      is_first = false;
      return place_word;
    };
    const auto places = static_cast<Word>(rows_[strip].places);
    const Word place = below_by_multiplication<Word, Wide>(places, next_word);
    if (const auto x = settle(strip, place, bits)) return *x;
    strip_word = static_cast<std::uint32_t>(bits.word());
    place_word = static_cast<Word>(bits.word());
  }
}

// The draw at a place of a strip, or nothing if the point is above the curve.
std::optional<std::int64_t> GaussianZiggurat::settle(std::size_t strip,
                                                     std::uint64_t place,
                                                     BitSource& bits) const {
  const Row& row = rows_[strip];
  if (place > 2 * row.outer) return settle_tail(place - 2 * row.outer - 1, bits);
  const bool is_left = place < row.outer;
  const std::uint64_t size = is_left ? row.outer - place : place - row.outer;
  const auto x = static_cast<std::int64_t>(is_left ? 0 - size : size);
  if (size <= row.inner) return x;
  const std::uint64_t height = strips_.floor(strip) + uniform_below(strips_.rise(strip), bits);
  if (!is_below_curve(height, 0, size, bits)) return std::nullopt;
  return x;
}

// The draw at one of 4 * tail_block places in the tail, or nothing if the point is above the curve.
std::optional<std::int64_t> GaussianZiggurat::settle_tail(std::uint64_t place,
                                                          BitSource& bits) const {
  const bool is_left = (place / tail_block_) % 2 == 1;
  const std::uint64_t start = rows_[0].outer + 1 + place % tail_block_;
  const unsigned blocks = tails(bits);
  const std::uint64_t height = uniform_below(strips_.rise(0), bits);
  const uint128_t size = start + uint128_t{blocks} * tail_block_;
  if (size > std::numeric_limits<std::int64_t>::max()) {
    throw Error(ErrorKind::overflow, "A noise draw exceeds 64 bits.");
  }
  const auto x = static_cast<std::int64_t>(size);
  if (!is_below_curve(height, blocks, static_cast<std::uint64_t>(x), bits)) return std::nullopt;
  return is_left ? -x : x;
}

// Whether (height + U) * 2^-(62 + halvings) < exp(-x^2 / (2 sigma^2)) for a uniform U.
bool GaussianZiggurat::is_below_curve(std::uint64_t height,
                                      unsigned halvings,
                                      std::uint64_t x,
                                      BitSource& bits) const {
  if (height > 0) {
    const FixedInterval log = neg_log(height << 2, 2);
    const double z = std::min(static_cast<double>(x) * unit_, kFar);
    const double bar = z * z * 0.5;
    const double slack = (z * z + 1.0) * 0x1p-38;
    const double lead = halvings * kLogOf2;
    if (static_cast<double>(log.lower) * 0x1p-57 + lead > bar + slack) return true;
    if (static_cast<double>(log.upper) * 0x1p-57 + lead < bar - slack) return false;
  }
  LazyUniform point(height, GaussianStrips::kHeightBits + halvings, bits);
  const Integer scaled = b_ * x;
  return is_below_exp(point, scaled * scaled, 2 * a_ * a_);
}

}  // namespace dp
