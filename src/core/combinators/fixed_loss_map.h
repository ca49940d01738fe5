// Losses that are promised before the queries are known.
#pragma once

#include <string>

#include "core/measurements/measurement.h"

namespace dp {

// The map that is `loss` at any distance up to `d_in`, 0 included. Throws relation_debug, with the
// `refusal`, at any other distance, and failed_map at one that is negative or NaN.
PrivacyMap promise(const Distance& d_in, const Distance& loss, const std::string& refusal);

}  // namespace dp
