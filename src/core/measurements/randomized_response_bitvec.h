// Randomized response for vectors of bits, bit by bit.
#pragma once

#include "core/measurements/measurement.h"

namespace dp {

// Flips each bit of a bit vector with probability f / 2 (rounded up in the one case where a double
// has no half). All bits of all bytes are treated. How many there are can be seen in the release,
// so the domain must say it: vectors of another size are refused before noise is drawn. (The
// reference takes vectors of any size into one domain, and a release then gives the size away.)
//
// Privacy: two vectors of s bits, of which at most m are set, differ in at most min(2 m, s) bits,
// each of which changes the probability of an outcome by a factor of at most (2 - f) / f, so
// epsilon = min(2 m, s) ln((2 - f) / f). A vector with more bits set is refused like one of another
// size. Source:
// Erlingsson, Pihur and Korolova (2014), "RAPPOR: Randomized Aggregatable Privacy-Preserving
// Ordinal Response", one permanent response.
//
// `constant_time` spends the same steps on every bit. The number of bits set in n such answers, c,
// is brought back by (c - n f / 2) / (1 - f) for f < 1.
//
// Throws failed_cast unless `input_domain` holds bit vectors, make_measurement unless it has a
// maximal weight and a size and `f` is in (0, 1], overflow if the loss is not finite. The map
// throws failed_function unless d_in is 0 or 1.
Measurement make_randomized_response_bitvec(const Domain& input_domain,
                                            const Metric& input_metric,
                                            double f,
                                            bool constant_time = false);

}  // namespace dp
