#include "core/random/entropy.h"

#include <cerrno>
#include <climits>

#include "core/error.h"
#include "core/platform.h"

#if defined(DP_HAVE_OPENSSL)
#include <openssl/rand.h>
#endif

namespace dp {
namespace {

[[noreturn]] void fail() {
  throw Error(ErrorKind::entropy, "The operating system did not provide random bytes.");
}

#if !defined(DP_HAVE_OPENSSL) || defined(DP_TEST_HOOKS)
// A short count and a signal are not failures. Everything else is, EAGAIN and ENOSYS included.
template <class Call>
void read_fully(Call call, unsigned char* out, std::size_t size) {
  while (size > 0) {
    const std::ptrdiff_t got = call(out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || static_cast<std::size_t>(got) > size) fail();
    out += got;
    size -= static_cast<std::size_t>(got);
  }
}
#endif

#ifdef DP_TEST_HOOKS
EntropyCall replacement = nullptr;
#endif

}  // namespace

void system_entropy(void* out, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(out);
#ifdef DP_TEST_HOOKS
  if (replacement != nullptr) return read_fully(replacement, bytes, size);
#endif
#if defined(DP_HAVE_OPENSSL)
  if (size > INT_MAX || RAND_priv_bytes(bytes, static_cast<int>(size)) != 1) fail();
#else
  read_fully(random_bytes, bytes, size);
#endif
}

#ifdef DP_TEST_HOOKS
void replace_entropy_call(EntropyCall call) { replacement = call; }
#endif

}  // namespace dp
