#include "core/runtime/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/runtime/long_run.h"

namespace dp {
namespace {

std::atomic<std::size_t> g_thread_count{1};
std::function<bool()> g_wants_to_stop;
std::function<void(std::size_t, std::size_t)> g_progress;

// On a thread that parallel_for() started: whether its region has failed.
thread_local const std::atomic<bool>* t_failed = nullptr;

// A run of the calling thread: its tasks, the tasks of finished passes, and whether a pass is
// running.
struct Run {
  std::size_t total;
  std::size_t before = 0;
  bool in_pass = false;
};
std::optional<Run> g_run;

// A run is done when it ends, and not before.
void report_progress(std::size_t begun, std::size_t count) {
  if (!g_progress) return;
  if (!g_run) {
    g_progress(begun, count);
  } else if (g_run->before + begun < g_run->total) {
    g_progress(g_run->before + begun, g_run->total);
  }
}

// One parallel_for: what its threads share.
class Region {
 public:
  Region(std::size_t count, const std::function<void(std::size_t)>& task)
      : count_(count), task_(task), reports_(t_failed == nullptr && !(g_run && g_run->in_pass)) {
    if (reports_ && g_run) g_run->in_pass = true;
  }

  ~Region() {
    if (!reports_) return;
    report_progress(count_, count_);
    if (!g_run) return;
    g_run->before += count_;
    g_run->in_pass = false;
  }

  void work(bool is_caller) {
    if (!is_caller) t_failed = &failed_;
    try {
      for (std::size_t i = next_++; i < count_ && !failed_; i = next_++) {
        check_interrupt();
        task_(i);
        if (is_caller && reports_) report_progress(begun(), count_);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      // The caller alone hears that the user wants to stop, and only once: nothing may hide that.
      if (!failed_ || is_caller) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  // Number of tasks that have begun.
  std::size_t begun() const { return std::min(next_.load(), count_); }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& task_;
  bool reports_;
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

LongRun::LongRun(std::size_t total) : counts_(t_failed == nullptr && !g_run) {
  if (counts_) g_run = Run{std::max<std::size_t>(total, 1)};
}

LongRun::~LongRun() {
  if (!counts_) return;
  const std::size_t total = g_run->total;
  g_run.reset();
  report_progress(total, total);
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
  region.rethrow_failure();
}

}  // namespace dp
