// The draws behind noisy selection: one candidate after the other, from exact scores.
#pragma once

#include <cstddef>
#include <vector>

#include "core/domains/atom_type.h"
#include "core/measures/measure.h"
#include "core/random/bit_source.h"

namespace dp {

enum class SelectionRule { permute_and_flip, exponential };

// The first for MaxDivergence, the second for ZeroConcentratedDivergence; throws `type` for
// another.
SelectionRule selection_rule(const Measure& measure);

// The first k indices, or all if there are fewer, selected from `scores` as noisy_max.h says.
// Scores are finite; the scale is finite and not negative.
template <class T>
std::vector<std::size_t> select_top(const std::vector<T>& scores,
                                    std::size_t k,
                                    double scale,
                                    bool negate,
                                    SelectionRule rule,
                                    BitSource& bits);

}  // namespace dp
