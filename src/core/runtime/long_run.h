// A run of several passes, whose progress is reported as a whole.
#pragma once

#include <cstddef>

namespace dp {

// While it lives, the tasks of all parallel_for() calls of its thread are counted together, as part
// of `total`, for the function of set_progress() (parallel.h, whose source has both). `total` is
// kNoTotal if the number is unknown. A run is complete when it ends. Inside another run, or inside
// a task on a thread other than the caller's, it does nothing.
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
