// Valid pairs of domains and metrics.
#pragma once

#include "core/domains/domain.h"
#include "core/metrics/metric.h"

namespace dp {

// Throws metric_space, naming the missing property, unless `metric` is defined on all of `domain`:
//
//   vector        symmetric, insert-delete; change-one, Hamming if the size is known
//   data frame    symmetric, insert-delete; change-one, with frames of different numbers of rows
//                 infinitely far apart
//   atom          absolute if it has no NaN; discrete; String: symmetric too
//   vector of atoms, map of atoms
//                 L1, L2, L0pInf(absolute) if there is no NaN; vectors: LInf of the same type
//   bit vector    discrete
//
// A user-defined domain or metric cannot be checked and passes.
void check_metric_space(const Domain& domain, const Metric& metric);

}  // namespace dp
