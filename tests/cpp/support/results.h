// Exact distance between two results of a transformation, and whether a result is in the domain.
#pragma once

#include "core/numeric/integer.h"
#include "core/transformations/transformation.h"
#include "support/datasets.h"

namespace dp::test::detail {

bool finite(const Scalar& scalar);

// The number in `scalar` in units of 2^-1074. Every double is an integer multiple of this unit, so
// all further arithmetic is exact.
Integer exact(const Scalar& scalar);

// A measured distance in these units. `squared` if the exact value is its square.
struct Measured {
  Integer value;
  bool squared = false;
  bool infinite = false;
};

Measured scalar_distance(const Scalar& a, const Scalar& b);

Measured output_distance(const Transformation& t, const Value& a, const Value& b);

bool in_output_domain(const Transformation& t, const Value& value);

}  // namespace dp::test::detail
