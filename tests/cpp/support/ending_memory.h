// Limited memory: the program's operator new fails in this thread after a number of allocations.
#pragma once

#include <new>

namespace dp::test {

// Lets `count` allocations of this thread succeed, then fails. Negative means no limit.
void limit_allocations(long count);

// Runs `body` with at most `allocations` allocations. Returns whether they were enough.
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
