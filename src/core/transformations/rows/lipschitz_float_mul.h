// Clamps a float and multiplies it by a public constant.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// One float x of type T without NaN to clamp(x, lower, upper) * constant, rounded to nearest and
// limited to the finite range. `bounds` limit x, not the result.
//
// Stability: the exact product moves by |constant| d_in at most. Rounding adds half an ulp of the
// largest result, of magnitude w = max(|lower|, upper) |constant|, on either side:
// d_out = |constant| d_in + ulp(w), in T, rounded up.
//
// Throws make_transformation if x may be NaN, failed_function if a bound is NaN, overflow if
// `constant` is NaN or w is not finite; failed_cast unless `input_domain` is an atom and the bounds
// and `constant` have its type; `type` unless that is a float and the metric AbsoluteDistance<T>.
// Bounds in the wrong order make every invocation throw failed_function, as in the reference.
Transformation make_lipschitz_float_mul(const Domain& input_domain,
                                        const Metric& input_metric,
                                        const Scalar& constant,
                                        const Bounds& bounds);

}  // namespace dp
