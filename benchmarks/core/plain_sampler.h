// The rival: discrete Laplace and Gaussian sampling as Canonne, Kamath and Steinke (2020) write it
// down, Algorithms 1 to 3, in the exact rationals of GMP, one operation after another. Bits come
// from the same source as ours.
#pragma once

#include <gmpxx.h>

#include "core/random/bit_source.h"

namespace dp::bench {

// Uniform below n, by rejection. Draws the bit length of n.
inline mpz_class uniform_below(const mpz_class& n, BitSource& bits) {
  const std::size_t count = mpz_sizeinbase(n.get_mpz_t(), 2);
  mpz_class u;
  do {
    u = 0;
    for (std::size_t have = 0; have < count; have += 64) {
      u = (u << 64) + mpz_class(static_cast<unsigned long>(bits.word()));
    }
    mpz_fdiv_r_2exp(u.get_mpz_t(), u.get_mpz_t(), count);
  } while (u >= n);
  return u;
}

inline bool bernoulli(const mpq_class& p, BitSource& bits) {
  return uniform_below(p.get_den(), bits) < p.get_num();
}

// Bernoulli(exp(-x)).
inline bool bernoulli_exp(mpq_class x, BitSource& bits) {
  for (; x > 1; x -= 1) {
    if (!bernoulli_exp(1, bits)) return false;
  }
  mpz_class k = 1;
  while (bernoulli(x / k, bits)) k += 1;
  return mpz_odd_p(k.get_mpz_t()) != 0;
}

inline mpz_class discrete_laplace(const mpq_class& scale, BitSource& bits) {
  const mpz_class& s = scale.get_den();
  const mpz_class& t = scale.get_num();
  for (;;) {
    const mpz_class u = uniform_below(t, bits);
    if (!bernoulli_exp(mpq_class(u) / t, bits)) continue;
    mpz_class v = 0;
    while (bernoulli_exp(1, bits)) v += 1;
    const mpz_class magnitude = (u + t * v) / s;
    const bool negative = uniform_below(2, bits) == 1;
    if (negative && magnitude == 0) continue;
    return negative ? mpz_class(-magnitude) : magnitude;
  }
}

inline mpz_class discrete_gaussian(const mpq_class& sigma, BitSource& bits) {
  const mpq_class variance = sigma * sigma;
  const mpz_class t = sigma.get_num() / sigma.get_den() + 1;
  for (;;) {
    const mpz_class y = discrete_laplace(t, bits);
    const mpq_class off = abs(mpq_class(y)) - variance / t;
    if (bernoulli_exp(off * off / (2 * variance), bits)) return y;
  }
}

}  // namespace dp::bench
