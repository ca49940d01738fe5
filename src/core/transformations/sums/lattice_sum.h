// Exact sums of bounded rows in steps of a public power of two, for the statistics.
//
// Each row is clamped to its bounds and rounded to the nearest multiple of the step (ties to even),
// q(x) steps; the sum of these integers is exact in 128 bits: |q(x)| < 2^65 and there are fewer
// than 2^62 rows. So it depends neither on the order of the rows nor on threads, batches or
// instruction sets, and it suits both order-free and ordered metrics.
//
// Stability, with [low, high] = [q(lower), q(upper)], exactly in integers:
//
//   unknown size                                      d_out = d_in * max(|low|, |high|)
//   known size, symmetric or insert-delete distance   d_out = floor(d_in / 2) * (high - low)
//   known size, change-one or Hamming distance        d_out = d_in * (high - low)
//
// Proof. Rounding is monotone, so low <= q(x) <= high for every clamped row. Adding or removing a
// row moves the sum by |q(x)| <= max(|low|, |high|); replacing one moves it by
// |q(x) - q(y)| <= high - low. Datasets at insert-delete distance d are at symmetric distance at
// most d, and at Hamming distance d at change-one distance at most d. Datasets of one size that
// differ by d_in added or removed rows have equally many removals and additions, at most floor(d_in
// / 2) of each: pair them up to substitutions. Each bound is below 2^32 * 2^66, so no product
// overflows.
#pragma once

#include "core/numeric/lattice.h"
#include "core/transformations/transformation.h"

namespace dp {

// Rows: bounded floats (lattice_for of the bounds), bounded integers (step 1), bool (true is 1).
// From any distance between datasets to AtomDomain(i128) with AbsoluteDistance(i128), both in steps
// of lattice_of_rows().
//
// Throws `type` for rows of text or a distance between other things, failed_cast if the rows may be
// null, make_transformation without bounds, make_domain for infinite ones. Invoked on data outside
// the domain, it clamps, and throws failed_function with one fixed sentence for a NaN.
Transformation make_lattice_sum(const Domain& input_domain, const Metric& input_metric);

// The lattice on which make_lattice_sum adds rows of `atom`. Throws as it does.
Lattice lattice_of_rows(const AtomDomain& atom);

}  // namespace dp
