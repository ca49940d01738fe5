// Random bytes from the operating system's generator, or an error: there is no second source.
#pragma once

#include <cstddef>

namespace dp {

// Fills `out` with `size` bytes: RAND_priv_bytes of OpenSSL where configure found it, which reseeds
// itself in a forked child, else the system call. Throws ErrorKind::entropy when the source fails;
// what was written to `out` by then must not be used.
void system_entropy(void* out, std::size_t size);

#ifdef DP_TEST_HOOKS
// Reads like random_bytes() of platform.h. Null restores the system.
using EntropyCall = std::ptrdiff_t (*)(void* out, std::size_t size);
void replace_entropy_call(EntropyCall call);
#endif

}  // namespace dp
