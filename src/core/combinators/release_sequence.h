// A sequence of releases from the same data.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/accounting/budget.h"
#include "core/engine/queryable.h"
#include "core/measurements/composable.h"

namespace dp {

// Runs measurements on `data`. If the measure composes only in sequence, the queryables of a
// release throw the `refusal` from the start of the next release on.
class ReleaseSequence {
 public:
  ReleaseSequence(const Measure& measure, Value data, std::string refusal)
      : sequential_(is_sequential(measure)), data_(std::move(data)), refusal_(std::move(refusal)) {}

  Value operator()(const Composable& measurement) {
    if (!sequential_) return measurement->invoke(data_);
    if (last_ != nullptr) last_->close();
    last_ = std::make_shared<QueryLock>(refusal_);
    const ScopedQueryLock scope(last_);
    return measurement->invoke(data_);
  }

 private:
  bool sequential_;
  Value data_;
  std::string refusal_;
  QueryLockPtr last_;
};

}  // namespace dp
