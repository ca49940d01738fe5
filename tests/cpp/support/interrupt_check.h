// Test support: installs an interrupt check while the object lives, even if the test throws.
#pragma once

#include <functional>
#include <utility>

#include "core/runtime/parallel.h"

namespace dp::test {

class InterruptCheck {
 public:
  explicit InterruptCheck(std::function<bool()> wants_to_stop) {
    set_interrupt_check(std::move(wants_to_stop));
  }
  InterruptCheck(const InterruptCheck&) = delete;
  InterruptCheck& operator=(const InterruptCheck&) = delete;
  ~InterruptCheck() { set_interrupt_check({}); }
};

}  // namespace dp::test
