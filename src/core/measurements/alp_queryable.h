// Counts of any key, from a private table of bits: approximate Laplace projection.
#pragma once

#include <cstdint>
#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Releases a queryable from keys to estimates of their values (f64), for maps with integer values
// from 0 up (less counts as 0), whose sum is about `total_limit`.
//
// A value v becomes r = v q, q = scale / alpha, rounded at random to a whole number with that mean,
// at most m = ceil(value_limit q); the first r of m hashes of the key set bits in a table of at
// least size_factor * total_limit * q bits, a power of two; then every bit is flipped with
// probability p = 1 / (alpha + 2), rounded up. Hashes are h -> (a h + b) mod 2^64 without its last
// bits, a and b random, of a fixed 64-bit hash of the key. A query reads the bits of its key as
// steps of +1 and -1 and answers the mean of the places where their sum is greatest, times 1 / q.
// Only the flipped table is kept.
//
// Privacy: the likelihood of a table changes by a factor of (1 - p) / p <= 1 + alpha at most from r
// to r + 1, and is linear in between, so its logarithm has a slope of alpha at most in v q, which
// is `scale` in v: epsilon = scale * d_1. Source: Aumueller, Lebeda and Pagh (2021),
// "Differentially Private Sparse Vectors with Low Error, Optimal Space, and Fast Access".
//
// `value_limit` defaults to the upper bound of the values. Throws make_measurement if neither is
// there, or unless `scale` is positive and finite, `alpha` positive, scale / alpha above 2^-52, and
// the table between 1 and 2^32 bits and m below 2^24; `type` unless values and distances are of one
// integer type and the metric is L01InfDistance. The map throws failed_map for negative distances.
Measurement make_alp_queryable(const Domain& input_domain,
                               const Metric& input_metric,
                               double scale,
                               std::uint64_t total_limit,
                               std::optional<std::uint64_t> value_limit = std::nullopt,
                               std::uint32_t size_factor = 50,
                               std::uint32_t alpha = 4);

}  // namespace dp
