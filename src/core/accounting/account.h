// What all releases of a session may lose together, and what they have lost.
//
// Losses are pairs (loss, delta) that add up: epsilon or rho, with or without a delta. Sums are
// exact, and a total is the decimal that its owner wrote: five releases of 0.2 fill a total of 1,
// which five doubles nearest to 0.2, each above it, would exceed.
//
// An account lives in the process that made it: a fork has a copy, and what two copies spend is
// spent twice.
// Source: Rogers, Roth, Ullman and Vadhan (2016), "Privacy Odometers and Filters", for additive
// losses that are chosen on the way.
#pragma once

#include "core/numeric/rational.h"

namespace dp {

struct AdditiveLoss {
  Rational loss;
  Rational delta;
};

class Account {
 public:
  // Throws invalid_distance for a total that is negative or not finite, or a delta above one.
  Account(double loss, double delta);

  // Charges `loss`, which is at least the map of a release, and says so; or charges nothing, if
  // there is no room. Throws invalid_distance for a negative loss, stale_object in another process.
  bool charge(const AdditiveLoss& loss);

  // Throw stale_object in another process. What is left is the total without what was spent, and
  // both are exact.
  AdditiveLoss spent() const;
  AdditiveLoss left() const;

 private:
  void check_process() const;

  AdditiveLoss total_;
  AdditiveLoss spent_;
  long process_;
};

// The shortest decimal that reads as `x`. Throws invalid_distance unless that is finite and not
// negative.
Rational decimal_of(double x);

// The greatest double at or below decimal_of(x): what to calibrate to where `x` was asked for.
double within_decimal(double x);

// What a release costs whose map says `loss`, where `asked` was asked for: the map rounded up to
// fifteen digits, but not to more than `asked`. A release that is calibrated to within_decimal() of
// what was asked for therefore never loses more than it costs. Throws invalid_distance for a map
// that is not finite, negative, or above `asked`.
Rational cost_within(double loss, const Rational& asked);

}  // namespace dp
