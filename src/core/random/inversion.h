// Geometric and folded Laplace magnitudes by inversion of one lazily drawn uniform.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"
#include "core/random/lazy_uniform.h"
#include "core/random/neg_log.h"

namespace dp {

// floor(s * (-ln U + c)) for a rational s in (0, 2^20) and U uniform, exactly: an interval of
// integers first, and where its ends disagree, comparisons of U with exp at any precision.
class Inversion {
 public:
  enum class Law {
    geometric,  // c = 0: P[M >= k] = exp(-k / s)
    folded      // c = ln(2 / (1 + p)), p = exp(-1 / s): P[M >= k] = 2 p^k / (1 + p) for k >= 1,
                // the law of |X| for a discrete Laplace X
  };

  // s = a / (b * 2^halvings).
  Inversion(Integer a, Integer b, Law law, unsigned halvings = 0);

  const Integer& a() const { return a_; }
  const Integer& b() const { return b_; }

  // The magnitude for a uniform whose first 63 bits are the upper bits of `word`; its lowest bit is
  // ignored. Draws from `bits` only when 63 do not decide.
  std::uint64_t magnitude(std::uint64_t word, BitSource& bits) const;

  // c, in units of 2^-57.
  FixedInterval offset() const { return offset_; }

  // s with a relative error below 2^-52; 0 if s is below the range of double.
  double approximate_scale() const;

 private:
  std::uint64_t decide(std::uint64_t word, std::uint64_t at_least, BitSource& bits) const;
  bool reaches(const Integer& k, LazyUniform& u) const;

  Integer a_;
  Integer b_;
  Law law_;
  unsigned halvings_;
  FixedInterval offset_;
  // s lies in [mantissa_, mantissa_ + surplus_] * 2^(57 - shift_)
  std::uint64_t mantissa_;
  std::uint64_t surplus_;
  std::uint64_t shift_;
};

}  // namespace dp
