// The privacy map of mechanisms on DiscreteDistance.
#pragma once

#include <cstdint>

#include "core/domains/scalar.h"
#include "core/measurements/measurement.h"

namespace dp {

// Nothing at distance 0; `loss` beyond, where two members of the domain differ in any way.
inline PrivacyMap discrete_map(double loss) {
  return [loss](const Distance& d_in) -> Distance {
    return Scalar(number_in<std::uint32_t>(d_in) == 0 ? 0.0 : loss);
  };
}

}  // namespace dp
