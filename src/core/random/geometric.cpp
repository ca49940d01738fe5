#include "core/random/geometric.h"

#include "core/error.h"
#include "core/random/bernoulli.h"
#include "core/random/uniform.h"

namespace dp {

Integer geometric(const Rational& x, BitSource& bits) {
  return geometric(numerator(x), denominator(x), bits);
}

Integer geometric(const Integer& n, const Integer& d, BitSource& bits) {
  if (n < 0 || d <= 0) throw Error(ErrorKind::failed_function, "`x` must not be negative.");
  if (n == 0) return 0;
  Integer u;
  do {
    u = uniform_below(d, bits);
  } while (!bernoulli_exp(u, d, bits));
  Integer v = 0;
  while (bernoulli_exp(1, 1, bits)) ++v;
  return (u + d * v) / n;
}

}  // namespace dp
