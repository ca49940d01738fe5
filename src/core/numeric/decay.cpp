#include "core/numeric/decay.h"

#include <algorithm>

#include "core/numeric/approx.h"

namespace dp {

Decay::Decay(double rate, std::size_t count)
    : coarse_((count + kRun - 1) / kRun), fine_(std::min(count, kRun)) {
  for (std::size_t k = 0; k < coarse_.size(); ++k) {
    coarse_[k] = exp_approx(-rate * static_cast<double>(k * kRun));
  }
  for (std::size_t k = 0; k < fine_.size(); ++k) {
    fine_[k] = exp_approx(-rate * static_cast<double>(k));
  }
}

}  // namespace dp
