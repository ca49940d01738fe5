// The mean or variance of all rows, in one pass and no memory: what dealing them into one block
// comes to.
#pragma once

#include "core/domains/domain.h"
#include "core/engine/function.h"
#include "core/sample_aggregate/block_statistic.h"

namespace dp {

// From rows of the bounded f64 or i64 `atom` to `statistic`, which takes moments, of all of them:
// a vector of one i64. Rows beyond the bounds are clamped. Throws failed_function, always in the
// same sentence, unless there are `size` rows.
Function whole_statistic(const AtomDomain& atom, const BlockStatistic& statistic, std::size_t size);

}  // namespace dp
