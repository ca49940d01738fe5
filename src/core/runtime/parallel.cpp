#include "core/runtime/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"

namespace dp {
namespace {

std::atomic<std::size_t> g_thread_count{1};
std::function<bool()> g_wants_to_stop;
std::function<void(std::size_t, std::size_t)> g_progress;

// On a thread that parallel_for() started: whether its region has failed.
thread_local const std::atomic<bool>* t_failed = nullptr;

// One parallel_for: what its threads share.
class Region {
 public:
  Region(std::size_t count, const std::function<void(std::size_t)>& task)
      : count_(count), task_(task) {}

  void work(bool is_caller) {
    if (!is_caller) t_failed = &failed_;
    try {
      for (std::size_t i = next_++; i < count_ && !failed_; i = next_++) {
        check_interrupt();
        task_(i);
        if (is_caller && t_failed == nullptr && g_progress) g_progress(begun(), count_);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      // The caller alone hears that the user wants to stop, and only once: nothing may hide that.
      if (!failed_ || is_caller) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  // The tasks that somebody has begun.
  std::size_t begun() const { return std::min(next_.load(), count_); }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& task_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

// Joins on every way out, also when starting a later thread fails.
class Crew {
 public:
  ~Crew() {
    for (std::thread& thread : threads_) thread.join();
  }
  template <class F>
  void add(F&& body) {
    threads_.emplace_back(std::forward<F>(body));
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

std::size_t thread_count() { return g_thread_count; }

void set_thread_count(std::size_t count) { g_thread_count = std::max<std::size_t>(count, 1); }

std::size_t threads_for_rows(std::size_t rows) {
  constexpr std::size_t kWorthwhile = std::size_t{1} << 19;
  return rows >= kWorthwhile ? thread_count() : 1;
}

void set_interrupt_check(std::function<bool()> wants_to_stop) {
  g_wants_to_stop = std::move(wants_to_stop);
}

void set_progress(std::function<void(std::size_t, std::size_t)> progress) {
  g_progress = std::move(progress);
}

void check_interrupt() {
  if (t_failed != nullptr) {
    if (*t_failed) throw Error(ErrorKind::interrupted, "stopped with the others.");
    return;
  }
  if (g_wants_to_stop && g_wants_to_stop()) {
    throw Error(ErrorKind::interrupted, "interrupted by the user.");
  }
}

void parallel_for(std::size_t count,
                  std::size_t threads,
                  const std::function<void(std::size_t)>& task) {
  check_interrupt();
  Region region(count, task);
  {
    Crew crew;
    for (std::size_t i = 1; i < std::min(threads, count); ++i) {
      crew.add([&region] { region.work(false); });
    }
    region.work(true);
  }
  if (t_failed == nullptr && g_progress) g_progress(count, count);
  region.rethrow_failure();
}

}  // namespace dp
