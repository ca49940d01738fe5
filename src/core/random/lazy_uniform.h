// A uniform number in [0, 1) that draws only the bits that a decision needs.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// Known to lie in [prefix, prefix + 1] * 2^-count.
class LazyUniform {
 public:
  // `leading` holds the first `count` bits.
  LazyUniform(std::uint64_t leading, unsigned count, BitSource& bits)
      : prefix_(leading), count_(count), bits_(bits) {}

  const Integer& prefix() const { return prefix_; }
  unsigned count() const { return count_; }

  void extend() {
    prefix_ = (prefix_ << 64) | bits_.word();
    count_ += 64;
  }

 private:
  Integer prefix_;
  unsigned count_;
  BitSource& bits_;
};

// Whether u < exp(-a / b), decided by drawing more of u until the answer is certain; a >= 0, b > 0.
bool is_below_exp(LazyUniform& u, const Integer& a, const Integer& b);

// Whether u < 2 p^k / (1 + p) with p = exp(-a / b); k >= 1.
bool is_below_folded_exp(LazyUniform& u, const Integer& a, const Integer& b, const Integer& k);

#ifdef DP_TEST_HOOKS
// Number of times that this thread has asked either question.
extern thread_local std::uint64_t arbitrary_precision_decisions;
#endif

}  // namespace dp
