// Tracks how much the releases of a session may lose together, and how much they have lost.
//
// Losses are pairs (loss, delta) that add up: epsilon or rho, with or without a delta. Sums are
// exact, and a total is the decimal that the user wrote. So five releases of 0.2 fill a total of 1,
// although the double nearest to 0.2 is above it.
//
// An account lives in the process that made it. A fork has a copy, and two copies could spend the
// same budget twice.
//
// Source: Rogers, Roth, Ullman and Vadhan (2016), "Privacy Odometers and Filters", for additive
// losses that are chosen adaptively.
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

  // Charges `loss`, an upper bound of a release's privacy map. Returns false, and charges nothing,
  // if the budget does not suffice. Throws invalid_distance for a negative loss, stale_object in
  // another process.
  bool charge(const AdditiveLoss& loss);

  // Spent and remaining budget, which add up exactly to the total. Both throw stale_object in
  // another process.
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

// The greatest double at or below decimal_of(x): the target for calibration if a user asks for `x`.
double within_decimal(double x);

// Cost of a release whose privacy map is `loss`, if the user asked for `asked`: the map rounded up
// to fifteen digits, but at most `asked`. So a release that is calibrated to within_decimal() of
// the requested loss never loses more than it costs. Throws invalid_distance if the map is not
// finite, is negative, or is above `asked`.
Rational cost_within(double loss, const Rational& asked);

}  // namespace dp
