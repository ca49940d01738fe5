// When it is worth telling how far a run has come.
#pragma once

#include <chrono>
#include <cstddef>

namespace dp {

// Runs of less than two seconds say nothing; longer ones say where they are, at most ten times a
// second, and that they are done. The caller passes the time.
class Progress {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class Say { nothing, where, done };

  // `done` of `total` parts are begun, as in set_progress() (parallel.h).
  Say at(std::size_t done, std::size_t total, Time now) {
    if (!running_) {
      running_ = true;
      begin_ = said_ = now;
    }
    if (done == total) {
      running_ = false;
      const bool said = said_ != begin_;
      return said ? Say::done : Say::nothing;
    }
    if (now - begin_ < kPatience || now - said_ < kPause) return Say::nothing;
    said_ = now;
    return Say::where;
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{2000};
  static constexpr std::chrono::milliseconds kPause{100};

  bool running_ = false;
  Time begin_;
  Time said_;
};

}  // namespace dp
