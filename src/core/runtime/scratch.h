// Uninitialised memory for whole data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/platform.h"

namespace dp {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

// Elements of a trivial type.
template <class T>
using Scratch = std::unique_ptr<T[], FreeMemory>;

// Room for `size` elements, in large pages if they are many. Throws std::bad_alloc.
template <class T>
Scratch<T> make_scratch(std::size_t size) {
  if (size > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
  return Scratch<T>(static_cast<T*>(large_memory(size * sizeof(T))));
}

}  // namespace dp
