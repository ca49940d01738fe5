// Action before noise is drawn: a ledger records a mark.
//
// A measurement that first reads data, which can take hours, and then draws, calls noise_follows()
// in between, on the thread that called into the core.
#pragma once

#include <functional>

namespace dp {

// Sets what noise_follows() of this thread calls; empty for nothing.
void set_before_noise(std::function<void()> act);

// Throws what that throws. Nothing may be drawn then.
void noise_follows();

}  // namespace dp
