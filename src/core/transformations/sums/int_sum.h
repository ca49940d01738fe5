// Sums of bounded integers in their own carrier type.
//
// Stability, with mag = max(|lower|, upper):
//   unknown size   d_out = d_in * mag                            one row moves the sum by <= mag
//   known size     d_out = floor(d_in / 2) * (upper - lower)     d_in rows added and removed are at
//                                                                most floor(d_in / 2) substitutions
//
// Both assume that no sum wraps and that saturation does not depend on what an adversary may
// choose. Each constructor makes sure of that in another way:
//   checked      size * mag fits the carrier type, so nothing saturates
//   monotonic    all rows have one sign: saturating once or at every step is the same
//   ordered      saturates at every step, and is a function of the sequence: x -> clamp(x + row) is
//                1-Lipschitz, so one more row moves the result by at most mag, wherever it is
//   split        the positive and the negative rows are two monotonic sums, then added
//
// Source: Casacuberta, Shoemate, Vadhan and Wagaman (2022), "Widespread underestimation of
// sensitivity in differentially private libraries and how to fix it", CCS.
//
// Rows lie in [lower, upper] of the carrier type `type`, any integer of at most 64 bits; the sum is
// of the same type and saturates at its limits for any data. No rows sum to 0.
//
// Throw `type` for another carrier, failed_cast if `bounds` are not of it, and further, in this
// order: make_transformation as stated below; overflow if the range (known size) or a bound's
// magnitude (unknown size) does not fit the type; make_domain if lower > upper. At map time:
// failed_cast if d_in rows, or half of them, do not fit the type, overflow if d_out does not.
#pragma once

#include <cstdint>

#include "core/transformations/transformation.h"

namespace dp {

// Throws make_transformation if the sum could overflow.
Transformation make_sized_bounded_int_checked_sum(std::uint64_t size,
                                                  const Bounds& bounds,
                                                  AtomType type);

// Throw make_transformation if the signs of the bounds differ.
Transformation make_bounded_int_monotonic_sum(const Bounds& bounds, AtomType type);
Transformation make_sized_bounded_int_monotonic_sum(std::uint64_t size,
                                                    const Bounds& bounds,
                                                    AtomType type);

// From the insert-delete distance: the order of rows matters.
Transformation make_bounded_int_ordered_sum(const Bounds& bounds, AtomType type);
Transformation make_sized_bounded_int_ordered_sum(std::uint64_t size,
                                                  const Bounds& bounds,
                                                  AtomType type);

Transformation make_bounded_int_split_sum(const Bounds& bounds, AtomType type);
Transformation make_sized_bounded_int_split_sum(std::uint64_t size,
                                                const Bounds& bounds,
                                                AtomType type);

// Whether `size` rows within `bounds` might not sum within `type`. Conservative: true as well if
// `size` or the magnitude of a bound is not a number of the type.
bool int_sum_can_overflow(std::uint64_t size, const Bounds& bounds, AtomType type);

// Whether no two rows within `bounds` have opposite signs.
bool signs_agree(const Bounds& bounds, AtomType type);

}  // namespace dp
