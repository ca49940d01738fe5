// Uninitialised memory for whole data.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace dp {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

// Elements of a trivial type.
template <class T>
using Scratch = std::unique_ptr<T[], FreeMemory>;

// Room for `size` elements, in large pages where the system gives them: with small ones, their
// first touch takes as long as the work on them. Throws std::bad_alloc.
template <class T>
Scratch<T> make_scratch(std::size_t size) {
  constexpr std::size_t kLargePage = std::size_t{1} << 21;
  const std::size_t bytes = size * sizeof(T);
  void* memory = nullptr;
  if (bytes < 2 * kLargePage) {
    memory = std::malloc(bytes + 1);
  } else if (posix_memalign(&memory, kLargePage, bytes) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (bytes >= 2 * kLargePage) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish, not a need
#endif
  return Scratch<T>(static_cast<T*>(memory));
}

}  // namespace dp
