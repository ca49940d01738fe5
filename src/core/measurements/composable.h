// Measurements that can share their data with others.
#pragma once

#include <memory>
#include <utility>

#include "core/measurements/measurement.h"
#include "core/measurements/refuse.h"

namespace dp {

// Throws make_measurement if `measurement` is amplified, or built on an amplified one. Two releases
// from one sample depend on the same drawn records, so their losses a add up before the sampling
// hides them: together they lose ln(1 + h (e^2a - 1)), where h is the probability that a changed
// record is drawn. The sum of the separate losses, 2 ln(1 + h (e^a - 1)), is too small: the
// difference of the exponentials is h (1 - h) (e^a - 1)^2.
inline void refuse_secret_sample(const Measurement& measurement) {
  require_measurement(!measurement.privacy_map().needs_secret_sample(),
                      "an amplified measurement must be the only release from its sample, and is "
                      "not to be composed, repeated or amplified again: compose, then amplify.");
}

// A measurement whose loss may be added to the loss of other releases from the same data, or of
// repeated releases. All code that composes, repeats or amplifies measurements takes this type,
// except compose_pld() (accounting/pld.h).
//
// Excluded are amplified measurements, and measurements that draw their own sample
// (combinators/drawn_sample.h). The maps of the latter hold beside other releases. But adding and
// removing a row have different loss laws. Only the accountant can pair each direction with the
// same direction of other releases, and sums of the bounds are many times the joint loss. So
// compose these with compose_pld(), or subsample after composition.
class Composable {
 public:
  // Throws make_measurement if `measurement` is excluded, or built on an excluded one.
  Composable(Measurement measurement)  // NOLINT: most measurements are composable
      : Composable(std::make_shared<const Measurement>(std::move(measurement))) {}

  // Shares `measurement` instead of copying it.
  Composable(std::shared_ptr<const Measurement> measurement)  // NOLINT
      : measurement_(std::move(measurement)) {
    refuse_secret_sample(*measurement_);
    require_measurement(!measurement_->privacy_map().draws_sample(),
                        "a measurement that draws a sample of its own is composed by compose_pld() "
                        "alone: compose, then subsample.");
  }

  const Measurement& operator*() const { return *measurement_; }
  const Measurement* operator->() const { return measurement_.get(); }

 private:
  std::shared_ptr<const Measurement> measurement_;
};

}  // namespace dp
