// Where R may leave by a jump: an error, a time limit, an interrupt, a handler of the caller's.
#pragma once

#include <R_ext/GraphicsDevice.h>

#include "boundary.h"

namespace dp::r {

// Looks for interrupts and time limits, on R's own thread. A jump leaves as a C++ exception, so
// that destructors run and threads are joined, and goes on as R's jump at the end of the binding.
inline void look_for_interrupts() {
  const auto look = [](void*) {
    R_CheckUserInterrupt();
    return R_NilValue;
  };
  Rcpp::unwindProtect(look, nullptr);
}

// While it lives, interrupts and time limits wait: for what must end, and for destructors.
class Undisturbed {
 public:
  Undisturbed() : before_(R_interrupts_suspended) { R_interrupts_suspended = TRUE; }
  ~Undisturbed() { R_interrupts_suspended = before_; }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

  // Whether they waited already.
  bool before() const { return before_ != FALSE; }

 private:
  Rboolean before_;
};

}  // namespace dp::r
