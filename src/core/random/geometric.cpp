#include "core/random/geometric.h"

#include "core/error.h"
#include "core/random/bernoulli.h"
#include "core/random/uniform.h"

namespace dp {

Integer geometric(const Rational& x, BitSource& bits) {
  if (x < 0) throw Error(ErrorKind::failed_function, "`x` must not be negative.");
  if (x == 0) return 0;
  const Integer n = numerator(x);
  const Integer d = denominator(x);
  Integer u;
  do {
    u = uniform_below(d, bits);
  } while (!bernoulli_exp(u, d, bits));
  Integer v = 0;
  while (bernoulli_exp(1, 1, bits)) ++v;
  return (u + d * v) / n;
}

}  // namespace dp
