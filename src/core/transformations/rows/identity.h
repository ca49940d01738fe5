// The identity.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From a space to itself, on any domain and with any metric, whether or not they make a metric
// space. Stability: d_out = d_in, in any distance type.
Transformation make_identity(const Domain& domain, const Metric& metric);

}  // namespace dp
