// Memory that ends: the program's operator new fails in this thread after so many allocations.
#pragma once

#include <new>

namespace dp::test {

// Allocations of this thread until one fails; negative for none that does.
void limit_allocations(long count);

// Whether there was memory for it: runs `body` with so many allocations.
template <class Body>
bool has_memory(long allocations, Body body) {
  limit_allocations(allocations);
  try {
    body();
  } catch (const std::bad_alloc&) {
    limit_allocations(-1);
    return false;
  } catch (...) {
    limit_allocations(-1);
    throw;
  }
  limit_allocations(-1);
  return true;
}

}  // namespace dp::test
