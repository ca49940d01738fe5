// A total on a finer public lattice, so that the noise on it is fine as well: noise on a total of
// whole numbers is whole, and less accurate than continuous noise.
//
// Stability: x -> x 2^bits, saturated at the ends of 128 bits, moves at most by 2^bits times the
// input's distance, d_out = d_in 2^bits.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From AtomDomain(i128) in steps of s under AbsoluteDistance(i128) to the same in steps of
// s / 2^bits.
//
// Throws `type` for another domain or metric, make_transformation unless 0 <= bits <= 126; the map
// throws overflow.
Transformation make_lattice_refine(const Domain& input_domain,
                                   const Metric& input_metric,
                                   int bits);

}  // namespace dp
