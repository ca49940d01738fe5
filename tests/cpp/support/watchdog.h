// Test support: what would run for ever ends the program instead.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace dp::test {

// Ends the test program if the object is still there after `patience`.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience)
      : thread_([this, patience] { watch(patience); }) {}
  ~Watchdog() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(std::chrono::seconds patience) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (ended_.wait_for(lock, patience, [this] { return done_; })) return;
    std::fputs("The watchdog ends a test that does not end.\n", stderr);
    std::_Exit(1);
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;  // last, as it uses the others
};

}  // namespace dp::test
