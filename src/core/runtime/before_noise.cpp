#include "core/runtime/before_noise.h"

#include <memory>
#include <utility>

namespace dp {
namespace {

using Act = std::function<void()>;

// A pointer, because destructors of ending threads can run too late.
thread_local Act* before_noise = nullptr;

}  // namespace

void set_before_noise(std::function<void()> act) {
  const std::unique_ptr<Act> former(before_noise);
  before_noise = nullptr;
  if (act) before_noise = std::make_unique<Act>(std::move(act)).release();
}

void noise_follows() {
  if (before_noise != nullptr) (*before_noise)();
}

}  // namespace dp
