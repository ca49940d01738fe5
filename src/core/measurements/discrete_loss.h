// Maps of mechanisms on DiscreteDistance.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/domains/scalar.h"
#include "core/measurements/measurement.h"

namespace dp {

// Zero at distance 0, `loss` beyond: two members of the domain differ arbitrarily.
inline PrivacyMap discrete_map(double loss) {
  return [loss](const Distance& d_in) -> Distance {
    return Scalar(number_in<std::uint32_t>(d_in) == 0 ? 0.0 : loss);
  };
}

// No loss at distance 0; the laws of `pairs` beyond.
inline LossMap discrete_loss_map(std::vector<LossPair> pairs) {
  return [pairs = std::move(pairs)](const Distance& d_in) {
    return number_in<std::uint32_t>(d_in) == 0 ? std::vector<LossPair>{} : pairs;
  };
}

}  // namespace dp
