// Measurements that may share their data with others.
#pragma once

#include <memory>
#include <utility>

#include "core/measurements/measurement.h"
#include "core/measurements/refuse.h"

namespace dp {

// A measurement whose map also holds if other releases come from the same data, or several of its
// own. All that composes, repeats or amplifies measurements takes them in this form.
//
// Amplified measurements are excluded. Two releases from one sample depend on the same drawn
// records, so their losses a add up before the sampling hides them: together they lose ln(1 + h
// (e^2a - 1)), where h is the probability that a changed record is drawn. Adding up what each loses
// by itself, 2 ln(1 + h (e^a - 1)), claims too little: the difference of the exponentials is h (1 -
// h) (e^a - 1)^2.
class Composable {
 public:
  // Throws make_measurement if `measurement` is amplified, or built on one that is.
  Composable(Measurement measurement)  // NOLINT: most measurements are composable
      : Composable(std::make_shared<const Measurement>(std::move(measurement))) {}

  // Shares `measurement` instead of copying it.
  Composable(std::shared_ptr<const Measurement> measurement)  // NOLINT
      : measurement_(std::move(measurement)) {
    require_measurement(!measurement_->privacy_map().needs_secret_sample(),
                        "an amplified measurement must be the only release from its sample, and "
                        "is not to be composed, repeated or amplified again: compose, then "
                        "amplify.");
  }

  const Measurement& operator*() const { return *measurement_; }
  const Measurement* operator->() const { return measurement_.get(); }

 private:
  std::shared_ptr<const Measurement> measurement_;
};

}  // namespace dp
