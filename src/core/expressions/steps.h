// Arithmetic of steps: on which grid of whole numbers a result is, if its operands are on some.
// Nothing is known where there are no steps. Results that would not fit 64 bits have none.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/expressions/bound.h"

namespace dp::query {

// Grid of an arithmetic operator, whose operands are whole numbers. `a - a %% k` is a multiple of
// k.
std::optional<Steps> arithmetic_steps(Operator op, const std::vector<BoundPtr>& args);

// The finest grid that holds both.
std::optional<Steps> united(const std::optional<Steps>& a, const std::optional<Steps>& b);

// The negative numbers of a grid.
std::optional<Steps> negated(const std::optional<Steps>& a);

bool is_on(const std::optional<Steps>& steps, std::int64_t whole);

// The least and the greatest whole number of the range that is on the grid; in the wrong order if
// none is.
std::pair<std::int64_t, std::int64_t> ends_on(const std::optional<Steps>& steps,
                                              std::pair<std::int64_t, std::int64_t> range);

}  // namespace dp::query
