#include "support/ending_memory.h"

#include <cstddef>
#include <cstdlib>

namespace {

thread_local long g_allocations_left = -1;

}  // namespace

// For the whole program, which they serve as the library's own would. Inlined, GCC would see free()
// after new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (g_allocations_left == 0) throw std::bad_alloc();
  if (g_allocations_left > 0) --g_allocations_left;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Those of the library's that may call the one above, and need not: the sanitizer's does not.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace dp::test {

void limit_allocations(long count) { g_allocations_left = count; }

}  // namespace dp::test
