#include "core/random/lazy_uniform.h"

#include "core/random/exp_enclosure.h"

namespace dp {

#ifdef DP_TEST_HOOKS
thread_local std::uint64_t arbitrary_precision_decisions = 0;
#endif

namespace {

void count_decision() {
#ifdef DP_TEST_HOOKS
  ++arbitrary_precision_decisions;
#endif
}

}  // namespace

bool is_below_exp(LazyUniform& u, const Integer& a, const Integer& b) {
  count_decision();
  for (;; u.extend()) {
    const ExpEnclosure bound = exp_minus(a, b, u.count());
    if (u.prefix() < bound.lower) return true;
    if (u.prefix() >= bound.upper) return false;
  }
}

bool is_below_folded_exp(LazyUniform& u, const Integer& a, const Integer& b, const Integer& k) {
  count_decision();
  for (;; u.extend()) {
    const unsigned n = u.count();
    const ExpEnclosure p = exp_minus(a, b, n);
    const ExpEnclosure power = exp_minus(a * k, b, n);
    const Integer one = Integer(1) << n;
    // u (1 + p) < 2 p^k, both sides in units of 2^-2n
    if ((u.prefix() + 1) * (one + p.upper) <= power.lower << (n + 1)) return true;
    if (u.prefix() * (one + p.lower) >= power.upper << (n + 1)) return false;
  }
}

}  // namespace dp
