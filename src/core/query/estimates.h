// What is made of noisy numbers: estimates, how far they may be off, and arithmetic with them. All
// of it is postprocessing of what was measured, and public facts.
//
//   counts and sums   the noisy number, signed; the noise's deviation; an interval that the noise
//                     leaves with a probability of at most alpha
//   mean              middle + S / max(1, N), within the bounds. The interval holds all quotients
//                     of numbers within the intervals of S and N at alpha / 2 each, so by the union
//                     bound it misses with a probability of at most alpha
//   variance          Q / N and (S / N)^2, within [0, h^2], h half the range; as above, at alpha /
//   3 deviation         the square roots of these quantiles         of scores the candidate, which
//   has no interval; of trees the point where the
//                     straight line between counts of intervals reaches the probability, with the
//                     interval of quantile_reach.h, at alpha for all quantiles of a group together
//   histogram         a number for each cell, as counts
//
// Numbers without noise have intervals of length 0. Rounding is to nearest.
#pragma once

#include <optional>
#include <vector>

#include "core/numeric/parameters.h"
#include "core/query/measure.h"
#include "core/query/noise_law.h"
#include "core/query/parts.h"
#include "core/query/statement.h"

namespace dp::query {

// One number for each group, or `width` of them. NaN: not known.
struct Estimates {
  std::size_t width = 1;
  bool is_list = false;
  std::vector<double> values, deviations, lower, upper;
};

// Of one aggregate, from the measured parts and the laws of their noise, in the order of the parts.
Estimates estimates_of(const Aggregate& aggregate,
                       const AggregateParts& places,
                       const QueryParts& parts,
                       const std::vector<std::optional<NoiseLaw>>& laws,
                       const std::vector<Measured>& measured,
                       Alpha alpha);

// An output: an aggregate as it is, or arithmetic of those that are one number, whose errors are
// not known. Has the operators + - * / abs pmin pmax and sqrt. Throws unsupported, before any data
// are read, for others, and for names that no aggregate has.
void check_output(const Output& output, const std::vector<Aggregate>& aggregates);
Estimates output_of(const Output& output,
                    const std::vector<Aggregate>& aggregates,
                    const std::vector<Estimates>& estimates,
                    std::size_t groups);

}  // namespace dp::query
