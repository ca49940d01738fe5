// A RAND_priv_bytes() that plays known bytes, for LD_PRELOAD: words of SplitMix64 (Steele, Lea,
// Flood 2014) from the seed in PSILENCE_REPLAY, in the order of the requests. It overrides
// OpenSSL's function, so the shipped library can be replayed unchanged. Without the variable it
// returns no bytes.
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_uint_fast64_t steps;

int RAND_priv_bytes(unsigned char *bytes, int size) {
  const char *seed = getenv("PSILENCE_REPLAY");
  if (seed == NULL || size % 8 != 0) return 0;
  for (int i = 0; i < size; i += 8) {
    uint64_t z = strtoull(seed, NULL, 10) + 0x9E3779B97F4A7C15u * (atomic_fetch_add(&steps, 1) + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    for (int j = 0; j < 8; ++j) bytes[i + j] = (unsigned char)(z >> 8 * j);
  }
  return 1;
}
