// A certified interval for -ln U, if 64 bits of U are known.
//
// Integers only: the result does not depend on libm, rounding mode, fused multiply-add or x87
// registers, so it is the same on every machine. Proof of the interval: PROOFS.md, section 2.
#pragma once

#include <cstdint>

namespace dp {

// In units of 2^-57.
struct FixedInterval {
  std::uint64_t lower;
  std::uint64_t upper;
};

// Encloses -ln U for every U in [w, w + 2^unread] * 2^-64; w > 0 and unread <= 4.
FixedInterval neg_log(std::uint64_t w, unsigned unread);

#ifdef DP_TEST_HOOKS
// Widens every certified interval by this many units of 2^-57, so that the rare tiers decide;
// answers must not change.
extern std::uint64_t certified_slack;
#else
constexpr std::uint64_t certified_slack = 0;
#endif

}  // namespace dp
