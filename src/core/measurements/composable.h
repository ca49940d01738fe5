// Measurements that may share their data with others.
#pragma once

#include <memory>
#include <utility>

#include "core/measurements/measurement.h"
#include "core/measurements/refuse.h"

namespace dp {

// Throws make_measurement if `measurement` is amplified, or built on one that is. Two releases from
// one sample depend on the same drawn records, so their losses a add up before the sampling hides
// them: together they lose ln(1 + h (e^2a - 1)), where h is the probability that a changed record
// is drawn. Adding up what each loses by itself, 2 ln(1 + h (e^a - 1)), claims too little: the
// difference of the exponentials is h (1 - h) (e^a - 1)^2.
inline void refuse_secret_sample(const Measurement& measurement) {
  require_measurement(!measurement.privacy_map().needs_secret_sample(),
                      "an amplified measurement must be the only release from its sample, and is "
                      "not to be composed, repeated or amplified again: compose, then amplify.");
}

// A measurement whose loss may be added to that of other releases from the same data, or of several
// of its own. All that composes, repeats or amplifies measurements takes them in this form, but for
// compose_pld() (accounting/pld.h).
//
// Neither amplified measurements are taken nor those that draw a sample of their own
// (combinators/drawn_sample.h). The maps of the latter hold beside other releases. But a row
// that is there and one that is not lose by different laws, and which of them goes with which law
// of another release is known to the accountant alone; and sums of their bounds are many times what
// they lose together. So they are left to compose_pld(), or subsampled after composition.
class Composable {
 public:
  // Throws make_measurement if `measurement` is one of these, or built on one.
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
