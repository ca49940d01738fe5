// Random bytes from the operating system's generator, or an error: there is no second source.
#pragma once

#include <cstddef>

namespace dp {

// Fills `out` with `size` bytes: by OpenSSL's RAND_priv_bytes if configure found it, which reseeds
// itself in a forked child, otherwise by the system call. Throws ErrorKind::entropy if the source
// fails; do not use the bytes in `out` then.
void system_entropy(void* out, std::size_t size);

#ifdef DP_TEST_HOOKS
// Reads like random_bytes() of platform.h. Null restores the system.
using EntropyCall = std::ptrdiff_t (*)(void* out, std::size_t size);
void replace_entropy_call(EntropyCall call);
#endif

}  // namespace dp
