#include "core/random/entropy.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include "core/error.h"

#if defined(DP_HAVE_OPENSSL)
#include <openssl/rand.h>
#endif
#if defined(__linux__)
#include <sys/random.h>
#endif
#include <unistd.h>

namespace dp {
namespace {

[[noreturn]] void fail() {
  throw Error(ErrorKind::entropy, "The operating system did not provide random bytes.");
}

#if !defined(DP_HAVE_OPENSSL)
ssize_t operating_system_call(void* out, std::size_t size) {
#if defined(__linux__)
  return getrandom(out, size, 0);
#else
  // getentropy(3) serves at most 256 bytes at a time, and all of them or none.
  const std::size_t part = std::min<std::size_t>(size, 256);
  return getentropy(out, part) == 0 ? static_cast<ssize_t>(part) : -1;
#endif
}
#endif

#if !defined(DP_HAVE_OPENSSL) || defined(DP_TEST_HOOKS)
// A short count and a signal are not failures. Everything else is, EAGAIN and ENOSYS included.
template <class Call>
void read_fully(Call call, unsigned char* out, std::size_t size) {
  while (size > 0) {
    const ssize_t got = call(out, size);
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
  read_fully(operating_system_call, bytes, size);
#endif
}

#ifdef DP_TEST_HOOKS
void replace_entropy_call(EntropyCall call) { replacement = call; }
#endif

}  // namespace dp
