// Randomized response: the truth with a stated probability, otherwise a lie.
#pragma once

#include <vector>

#include "core/domains/atom_type.h"
#include "core/measurements/measurement.h"

namespace dp {

// A bool, released unchanged with probability `prob` and negated otherwise. `constant_time` takes
// the same steps for every answer.
//
// Privacy: epsilon = ln(prob / (1 - prob)) at any distance d_in >= 1, 0 at 0.
//
// Source: Warner (1965), "Randomized Response: A Survey Technique for Eliminating Evasive Answer
// Bias".
//
// Throws make_measurement unless `prob` is in [1/2, 1].
Measurement make_randomized_response_bool(double prob, bool constant_time = false);

// One of t >= 2 public categories: released unchanged with probability `prob`, otherwise a
// different one, each with probability (1 - prob) / (t - 1). A value outside of the categories is
// answered by any of them, uniformly. Repeated categories count once, and their order does not
// matter.
//
// Privacy: epsilon = |ln(prob (t - 1) / (1 - prob))| at any distance d_in >= 1, 0 at 0. An answer
// to an invalid value has probability 1/t, which is between the other two, so it never costs more.
// The absolute value matters if `prob` is the double below 1/t, which is allowed.
//
// Source: Kairouz, Oh and Viswanath (2016), "Extremal Mechanisms for Local Differential Privacy".
//
// Throws `type` unless `type` is an integer type, bool or String, failed_cast if a category is of a
// different type, make_measurement if there are fewer than two or `prob` is not in [1/t, 1].
Measurement make_randomized_response(const std::vector<Scalar>& categories,
                                     AtomType type,
                                     double prob);

}  // namespace dp
