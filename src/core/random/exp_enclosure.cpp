#include "core/random/exp_enclosure.h"

namespace dp {

ExpEnclosure exp_minus(const Integer& a, const Integer& b, unsigned bits) {
  const Integer whole = a / b;
  if (whole >= bits) return {0, 1};  // exp(-x) < 2^-x
  const unsigned halvings = (whole == 0 ? 0 : msb(whole) + 1) + 8;
  const unsigned work = bits + halvings + 16;

  // Taylor's series at x / 2^halvings < 2^-8, in units of 2^-work.
  const Integer reduced = (a << (work - halvings)) / b;
  Integer term = Integer(1) << work;
  Integer sum = term;
  unsigned terms = 0;
  while (term != 0) {
    ++terms;
    term = ((term * reduced) >> work) / terms;
    if (terms % 2 == 1) {
      sum -= term;
    } else {
      sum += term;
    }
  }
  for (unsigned i = 0; i < halvings; ++i) sum = (sum * sum) >> work;

  const Integer slack = Integer(2 * terms + 6) << halvings;
  const unsigned drop = work - bits;
  const Integer one = Integer(1) << bits;
  ExpEnclosure result{sum > slack ? Integer((sum - slack) >> drop) : Integer(0),
                      ((sum + slack) >> drop) + 1};
  if (result.upper > one) result.upper = one;
  return result;
}

}  // namespace dp
