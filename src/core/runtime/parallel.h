// Threads, the wish to stop, and how far a pass has come.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>

namespace dp {

inline constexpr std::size_t kNoTotal = std::numeric_limits<std::size_t>::max();

// Number of threads that a pass over rows may use, including the caller's; at least 1.
std::size_t thread_count();
void set_thread_count(std::size_t count);

// Number of threads worth waking for a pass over `rows` rows: for few, waking costs more than it
// saves.
std::size_t threads_for_rows(std::size_t rows);

// Asks the calling language whether the user wants to stop, and may throw in answer; may be empty.
// Called on the thread that called into the core only, and often: it decides when to ask indeed.
void set_interrupt_check(std::function<bool()> wants_to_stop);

// Throws interrupted if the user wants to stop. Any thread may call this in any loop. Threads of
// parallel_for() do not ask R; they stop when the others do.
void check_interrupt();

// Sets a function that learns how far parallel_for() has come, after each task of the calling
// thread and on that thread only: `done` of `total` tasks are begun, all of them when it returns or
// throws. May be empty; must not throw. Tasks are ranges of rows or the like: it learns how much
// data there is, and nothing else of them. Of a run without an end in sight (long_run.h) `total` is
// kNoTotal.
void set_progress(std::function<void(std::size_t done, std::size_t total)> progress);

// Calls task(0), ..., task(count - 1), each once, on the calling thread and up to `threads` - 1
// more. Stops at the first exception and rethrows it, or the exception of the calling thread if it
// has one; checks for interrupts between tasks. Threads live no longer than the call, so a fork can
// never inherit a broken pool.
void parallel_for(std::size_t count,
                  std::size_t threads,
                  const std::function<void(std::size_t)>& task);

}  // namespace dp
