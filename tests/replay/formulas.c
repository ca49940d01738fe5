// Expected first releases of releases.R: the formulas of the samplers in MPFR, on the words that
// replay_bits.c plays. It shares no code with the package.
//
//   formulas SEED LAPLACE GAUSSIAN BLOCK    how many draws of each
//
// One number per line: single draws of discrete Laplace noise of scale 3.5, single draws of discrete
// Gaussian noise of scale 2.5, and a vector with discrete Laplace noise of scale 100.25.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

enum { kBits = 400 };

static uint64_t state;

static uint64_t next_word(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// floor(scale * (-ln(digits / 2^63) + offset)), in `magnitude`.
static void magnitude_at(mpfr_t magnitude, uint64_t digits, double scale, mpfr_t offset) {
  mpfr_set_uj_2exp(magnitude, digits, -63, MPFR_RNDN);
  mpfr_log(magnitude, magnitude, MPFR_RNDN);
  mpfr_sub(magnitude, offset, magnitude, MPFR_RNDN);
  mpfr_mul_d(magnitude, magnitude, scale, MPFR_RNDN);
  mpfr_floor(magnitude, magnitude);
}

// Magnitude for a U that starts with the first 63 bits of `word`. More bits are never needed here.
static int64_t magnitude_of(uint64_t word, double scale, mpfr_t offset) {
  mpfr_t most, least;
  mpfr_inits2(kBits, most, least, (mpfr_ptr)0);
  magnitude_at(most, word >> 1, scale, offset);
  magnitude_at(least, (word >> 1) + 1, scale, offset);
  if (!mpfr_equal_p(most, least)) {
    fprintf(stderr, "63 bits do not decide: take another seed.\n");
    exit(2);
  }
  const int64_t magnitude = mpfr_get_sj(most, MPFR_RNDN);
  mpfr_clears(most, least, (mpfr_ptr)0);
  return magnitude;
}

// A geometric magnitude and a sign. A negative zero is drawn again.
static int64_t laplace(double scale, mpfr_t zero) {
  for (;;) {
    const uint64_t word = next_word();
    const int64_t magnitude = magnitude_of(word, scale, zero);
    if ((word & 1) == 0) return magnitude;
    if (magnitude != 0) return -magnitude;
  }
}

// A Laplace proposal y of scale t = floor(sigma) + 1, kept with probability
// exp(-(|y| / sigma - sigma / t)^2 / 2).
static int64_t gaussian(double sigma, mpfr_t zero) {
  const double t = (double)((int64_t)sigma + 1);
  mpfr_t gap, other;
  mpfr_inits2(kBits, gap, other, (mpfr_ptr)0);
  for (;;) {
    const int64_t y = laplace(t, zero);
    mpfr_set_si(gap, y < 0 ? -y : y, MPFR_RNDN);
    mpfr_div_d(gap, gap, sigma, MPFR_RNDN);
    mpfr_set_d(other, sigma, MPFR_RNDN);
    mpfr_div_d(other, other, t, MPFR_RNDN);
    mpfr_sub(gap, gap, other, MPFR_RNDN);
    mpfr_sqr(gap, gap, MPFR_RNDN);
    mpfr_div_si(gap, gap, -2, MPFR_RNDN);
    mpfr_exp(gap, gap, MPFR_RNDN);
    mpfr_set_uj_2exp(other, next_word(), -64, MPFR_RNDN);
    if (mpfr_less_p(other, gap)) {
      mpfr_clears(gap, other, (mpfr_ptr)0);
      return y;
    }
  }
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  state = strtoull(arguments[1], NULL, 10);
  mpfr_t zero, fold;
  mpfr_inits2(kBits, zero, fold, (mpfr_ptr)0);
  mpfr_set_zero(zero, 1);
  for (long i = atol(arguments[2]); i > 0; --i) printf("%lld\n", (long long)laplace(3.5, zero));
  for (long i = atol(arguments[3]); i > 0; --i) printf("%lld\n", (long long)gaussian(2.5, zero));
  // Each number of a vector uses one word: c = ln(2 / (1 + exp(-1 / s))) merges the two zeros.
  mpfr_set_si(fold, -1, MPFR_RNDN);
  mpfr_div_d(fold, fold, 100.25, MPFR_RNDN);
  mpfr_exp(fold, fold, MPFR_RNDN);
  mpfr_add_ui(fold, fold, 1, MPFR_RNDN);
  mpfr_ui_div(fold, 2, fold, MPFR_RNDN);
  mpfr_log(fold, fold, MPFR_RNDN);
  for (long i = atol(arguments[4]); i > 0; --i) {
    const uint64_t word = next_word();
    const int64_t magnitude = magnitude_of(word, 100.25, fold);
    printf("%lld\n", (long long)((word & 1) != 0 ? -magnitude : magnitude));
  }
  mpfr_clears(zero, fold, (mpfr_ptr)0);
  return 0;
}
