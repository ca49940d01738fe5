// exp(-x) between two integers, to any precision: the last resort of every fast sampler.
//
// Integer arithmetic only; the error bound is in PROOFS.md, section 1.
#pragma once

#include "core/numeric/integer.h"

namespace dp {

struct ExpEnclosure {
  Integer lower;
  Integer upper;
};

// lower <= 2^bits * exp(-a / b) <= upper <= 2^bits, with upper - lower <= 3; a >= 0, b > 0.
ExpEnclosure exp_minus(const Integer& a, const Integer& b, unsigned bits);

}  // namespace dp
