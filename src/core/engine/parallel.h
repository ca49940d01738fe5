// Threads, and the wish to stop.
#pragma once

#include <cstddef>
#include <functional>

namespace dp {

// How many threads a pass over rows may use, the caller's included; at least 1.
std::size_t thread_count();
void set_thread_count(std::size_t count);

// Asks the calling language whether the user wants to stop; may be empty. Only ever called from the
// thread that called into the core.
void set_interrupt_check(std::function<bool()> wants_to_stop);

// Throws interrupted if the user wants to stop.
void check_interrupt();

// Calls task(0), ..., task(count - 1), each once, on the calling thread and up to `threads` - 1
// more. Stops at the first exception and rethrows it; checks for interrupts between tasks. Threads
// live no longer than the call, so a fork can never inherit a broken pool.
void parallel_for(std::size_t count,
                  std::size_t threads,
                  const std::function<void(std::size_t)>& task);

}  // namespace dp
