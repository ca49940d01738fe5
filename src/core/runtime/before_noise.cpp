#include "core/runtime/before_noise.h"

#include <utility>

namespace dp {
namespace {

thread_local std::function<void()> before_noise;

}  // namespace

void set_before_noise(std::function<void()> act) { before_noise = std::move(act); }

void noise_follows() {
  if (before_noise) before_noise();
}

}  // namespace dp
