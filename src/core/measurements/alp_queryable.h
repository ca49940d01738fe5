// Counts for any key, from a private table of bits: approximate Laplace projection.
#pragma once

#include <cstdint>
#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Releases a queryable from keys to estimates of their values (f64), for maps with nonnegative
// integer values (negative ones count as 0), whose sum is about `total_limit`.
//
// Function: a value v becomes r = v q, q = scale / alpha, rounded at random to a whole number with
// mean r, at most m = ceil(value_limit q). The first r of m hashes of the key set bits in a table
// of at least size_factor * total_limit * q bits, a power of two. Then every bit is flipped with
// probability p = 1 / (alpha + 2), rounded up. Hashes are h -> (a h + b) mod 2^64 without its last
// bits, a and b random, of a fixed 64-bit hash of the key. A query reads the bits of its key as
// steps of +1 and -1, and answers the mean position where their sum is greatest, times 1 / q. Only
// the flipped table is kept.
//
// Privacy: from r to r + 1, the likelihood of a table changes by a factor of at most (1 - p) / p <=
// 1 + alpha, and is linear in between. So its logarithm has a slope of at most alpha in v q, which
// is `scale` in v: epsilon = scale * d_1.
//
// Source: Aumueller, Lebeda and Pagh (2021), "Differentially Private Sparse Vectors with Low Error,
// Optimal Space, and Fast Access".
//
// `value_limit` defaults to the upper bound of the values. Throws make_measurement if neither is
// given, or unless `scale` is positive and finite, `alpha` positive, scale / alpha above 2^-52, the
// table between 1 and 2^32 bits and m below 2^24. Throws `type` unless values and distances have
// one integer type and the metric is L01InfDistance. The map throws failed_map for negative
// distances.
Measurement make_alp_queryable(const Domain& input_domain,
                               const Metric& input_metric,
                               double scale,
                               std::uint64_t total_limit,
                               std::optional<std::uint64_t> value_limit = std::nullopt,
                               std::uint32_t size_factor = 50,
                               std::uint32_t alpha = 4);

}  // namespace dp
