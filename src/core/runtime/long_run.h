// One run of several passes, to who asks how far it has come.
#pragma once

#include <cstddef>

namespace dp {

// While it lives, the tasks of all parallel_for() calls of its thread are counted together, as part
// of `total`, for the function of set_progress() (parallel.h, whose source has both). `total` is
// kNoTotal if nobody knows how many there will be. A run is done when it ends. Inside of another
// run, or of a task on another thread than the caller's, it does nothing.
class LongRun {
 public:
  explicit LongRun(std::size_t total);
  ~LongRun();
  LongRun(const LongRun&) = delete;
  LongRun& operator=(const LongRun&) = delete;

 private:
  bool counts_;
};

}  // namespace dp
