// Test support: ends the program instead of letting it run for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace dp::test {

// Ends the test program if the object still exists after a minute. Guarded code takes milliseconds,
// so a minute is enough on the busiest machine.
class Watchdog {
 public:
  Watchdog() : thread_([this] { watch(); }) {}
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
  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (ended_.wait_for(lock, std::chrono::minutes(1), [this] { return done_; })) return;
    std::fputs("The watchdog ends a test that does not end.\n", stderr);
    std::_Exit(1);
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;  // last, as it uses the others
};

}  // namespace dp::test
