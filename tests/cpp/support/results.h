// How far two results of a transformation are apart, exactly, and whether one is in its domain.
#pragma once

#include "core/numeric/integer.h"
#include "core/transformations/transformation.h"
#include "support/datasets.h"

namespace dp::test::detail {

bool finite(const Scalar& scalar);

// The number in `scalar` in units of 2^-1074, of which every double is a whole multiple: exact, and
// plain integers from here on.
Integer exact(const Scalar& scalar);

// A measured distance in those units; `squared` if it is the square that is known exactly.
struct Measured {
  Integer value;
  bool squared = false;
  bool infinite = false;
};

Measured scalar_distance(const Scalar& a, const Scalar& b);

Measured output_distance(const Transformation& t, const Value& a, const Value& b);

bool in_output_domain(const Transformation& t, const Value& value);

}  // namespace dp::test::detail
