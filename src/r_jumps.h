// Points where R can jump out: an error, a time limit, an interrupt, a handler of the caller.
#pragma once

#include <R_ext/GraphicsDevice.h>

#include "boundary.h"

namespace dp::r {

// Checks for interrupts and time limits, on R's own thread. A jump leaves as a C++ exception, so
// that destructors run and threads are joined. It continues as R's jump at the end of the binding.
inline void look_for_interrupts() {
  const auto look = [](void*) {
    R_CheckUserInterrupt();
    return R_NilValue;
  };
  Rcpp::unwindProtect(look, nullptr);
}

// Delays interrupts and time limits during its lifetime, for code that must complete and for
// destructors.
class Undisturbed {
 public:
  Undisturbed() : before_(R_interrupts_suspended) { R_interrupts_suspended = TRUE; }
  ~Undisturbed() { R_interrupts_suspended = before_; }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

  // Whether they were already delayed before.
  bool before() const { return before_ != FALSE; }

 private:
  Rboolean before_;
};

}  // namespace dp::r
