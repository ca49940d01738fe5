// Discrete Gaussian noise in bulk: a ziggurat on the integers, exact and at any sigma.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/numeric/integer.h"
#include "core/random/alias_table.h"
#include "core/random/bit_source.h"
#include "core/random/gaussian_strips.h"
#include "core/random/leading_bits.h"

namespace dp {

// A point below the curve exp(-x^2 / (2 sigma^2)), x an integer, uniformly: its x has the law. The
// point is drawn from strips that cover the curve; most of them lie below it as a whole, and the
// others are compared with it. Source: Marsaglia and Tsang (2000); Karney (2016) for integers.
class GaussianZiggurat {
 public:
  // Setting up costs about as much as this many single draws.
  static constexpr std::size_t kWorthwhile = 64;

  // The integers of a strip, |x| <= outer. Up to `inner` they are below the curve for the whole
  // strip. Positions 0, 1, ... are -outer, ..., outer and, in strip 0, the tail.
  struct Row {
    std::uint64_t places;
    std::uint64_t outer;
    std::uint64_t inner;
  };

  // sigma = a / b in (0, 2^55). `strips` must outlive this.
  GaussianZiggurat(const Integer& a,
                   const Integer& b,
                   const GaussianStrips& strips = gaussian_strips());

  // Throws ErrorKind::overflow if a point that is drawn lies beyond int64: probability below
  // 2^-360.
  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const;

  const Row& row(std::size_t strip) const { return rows_[strip]; }

  // The tail is covered by blocks of this length, each half as high as the one before.
  std::uint64_t tail_block() const { return tail_block_; }

  AliasTable::Weights weights() const;

 private:
  GaussianZiggurat(const Integer& a,
                   const Integer& b,
                   const LeadingBits& sigma,
                   const GaussianStrips& strips);

  template <class Word, class Wide>
  void fill_by(std::int64_t* out, std::size_t size, BitSource& bits) const;
  template <class Word, class Wide>
  std::int64_t finish(std::uint32_t strip_word, Word place_word, BitSource& bits) const;
  std::optional<std::int64_t> settle(std::size_t strip, std::uint64_t place, BitSource& bits) const;
  std::optional<std::int64_t> settle_tail(std::uint64_t place, BitSource& bits) const;
  bool is_below_curve(std::uint64_t height,
                      unsigned halvings,
                      std::uint64_t x,
                      BitSource& bits) const;

  Integer a_;
  Integer b_;
  const GaussianStrips& strips_;
  double unit_;  // 1 / sigma to a relative 2^-50, or 2^1000 if it is beyond
  std::uint64_t tail_block_;
  std::array<Row, GaussianStrips::kCount> rows_;
  AliasTable choice_;
};

}  // namespace dp
