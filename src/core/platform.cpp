#include "core/platform.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>

#ifdef _WIN32
#include "core/platform_windows.h"
#else
#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>
#endif

namespace dp {

#ifdef _WIN32

std::ptrdiff_t random_bytes(void* out, std::size_t size) {
  const auto part = static_cast<ULONG>(std::min<std::size_t>(size, std::size_t{1} << 30));
  const NTSTATUS status =
      BCryptGenRandom(nullptr, static_cast<PUCHAR>(out), part, BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  if (status == 0) return static_cast<std::ptrdiff_t>(part);
  errno = EIO;
  return -1;
}

void* private_pages(std::size_t size) {
  void* pages = VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (pages == nullptr) throw std::bad_alloc();
  return pages;
}

void release_pages(void* pages, std::size_t) { VirtualFree(pages, 0, MEM_RELEASE); }

void after_fork(void (*)()) {}

long process_id() { return static_cast<long>(GetCurrentProcessId()); }

ThreadPointer::ThreadPointer(void (*end)(void*)) : key_(FlsAlloc(end)) {
  if (key_ == FLS_OUT_OF_INDEXES) throw std::bad_alloc();
}

void* ThreadPointer::get() const { return FlsGetValue(static_cast<DWORD>(key_)); }

void ThreadPointer::set(void* pointer) const {
  if (!FlsSetValue(static_cast<DWORD>(key_), pointer)) throw std::bad_alloc();
}

// Large pages need a privilege there, and cannot be requested with a fallback. malloc() aligns for
// all types.
void* large_memory(std::size_t size) {
  void* memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

#else

std::ptrdiff_t random_bytes(void* out, std::size_t size) {
#ifdef __linux__
  return getrandom(out, size, 0);
#else
  // getentropy(3) serves at most 256 bytes at a time, and all of them or none.
  const std::size_t part = std::min<std::size_t>(size, 256);
  return getentropy(out, part) == 0 ? static_cast<std::ptrdiff_t>(part) : -1;
#endif
}

void* private_pages(std::size_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_WIPEONFORK
  madvise(pages, size, MADV_WIPEONFORK);  // since Linux 4.14; after_fork() stands in before
#endif
  return pages;
}

void release_pages(void* pages, std::size_t size) { munmap(pages, size); }

void after_fork(void (*forget)()) {
  if (pthread_atfork(nullptr, nullptr, forget) != 0) throw std::bad_alloc();
}

long process_id() { return static_cast<long>(getpid()); }

ThreadPointer::ThreadPointer(void (*end)(void*)) {
  pthread_key_t key;
  if (pthread_key_create(&key, end) != 0) throw std::bad_alloc();
  key_ = key;
}

void* ThreadPointer::get() const { return pthread_getspecific(static_cast<pthread_key_t>(key_)); }

void ThreadPointer::set(void* pointer) const {
  if (pthread_setspecific(static_cast<pthread_key_t>(key_), pointer) != 0) throw std::bad_alloc();
}

void* large_memory(std::size_t size) {
  void* memory = nullptr;
  if (size < 2 * kLargePage) {
    memory = std::malloc(std::max<std::size_t>(size, 1));
  } else if (posix_memalign(&memory, kLargePage, size) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (size >= 2 * kLargePage) madvise(memory, size, MADV_HUGEPAGE);  // a wish, not a need
#endif
  return memory;
}

#endif

}  // namespace dp
