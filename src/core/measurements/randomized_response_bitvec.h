// Randomized response for vectors of bits, bit by bit.
#pragma once

#include "core/measurements/measurement.h"

namespace dp {

// Flips each bit of a bit vector with probability f / 2 (rounded up in the one case where a double
// has no half). All bits of all bytes are treated. The release shows their number, so the domain
// must declare it: vectors of a different size throw before noise is drawn. (The reference takes
// vectors of any size into one domain, and a release then reveals the size.)
//
// Privacy: two vectors of s bits, at most m of them set, differ in at most min(2 m, s) bits.
// Each bit changes the probability of an outcome by a factor of at most (2 - f) / f, so epsilon =
// min(2 m, s) ln((2 - f) / f). A vector with more bits set throws, like one of a different size.
//
// Source: Erlingsson, Pihur and Korolova (2014), "RAPPOR: Randomized Aggregatable
// Privacy-Preserving Ordinal Response", one permanent response.
//
// `constant_time` takes the same steps for every bit. Debias the number c of bits set in n such
// answers by (c - n f / 2) / (1 - f) for f < 1.
//
// Throws failed_cast unless `input_domain` holds bit vectors, make_measurement unless it has a
// maximal weight and a size and `f` is in (0, 1], overflow if the loss is not finite. The map
// throws failed_function unless d_in is 0 or 1.
Measurement make_randomized_response_bitvec(const Domain& input_domain,
                                            const Metric& input_metric,
                                            double f,
                                            bool constant_time = false);

}  // namespace dp
