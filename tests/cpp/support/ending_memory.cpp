#include "support/ending_memory.h"

#include <cstddef>
#include <cstdlib>

namespace {

thread_local long g_allocations_left = -1;

}  // namespace

// Replaces the library's operators for the whole program. If they were inlined, GCC would see
// free() after new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (g_allocations_left == 0) throw std::bad_alloc();
  if (g_allocations_left > 0) --g_allocations_left;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Library operators that may call operator new above but need not: the sanitizer's do not.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace dp::test {

void limit_allocations(long count) { g_allocations_left = count; }

}  // namespace dp::test
