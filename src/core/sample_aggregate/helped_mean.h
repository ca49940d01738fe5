// Means of block results within ranges that follow from private quartiles of the columns.
//
// Use it if the caller can derive the range of results from the range of the data, but does not
// know the latter. For each column two quartiles are selected from public candidates
// (measurements/private_quantile.h), q and r in order. If they are equal, their neighbours among
// the candidates replace them. A public rule turns these pairs into a range [a_j, b_j] for number j
// of each block. The numbers are clamped to it, and their mean is released with discrete Laplace
// noise: `scale` times b_j - a_j on the sum.
//
// Privacy: quartiles are released, so the rule is postprocessing. Given the quartiles, the rest is
// a mean of numbers with public ranges, and one row changes J of them, the overlap. At a distance
// of c rows the loss is the loss of all selections, plus c J / scale for each number.
//
// Source: Mohan, Thakurta, Shi, Song and Culler (2012), "GUPT: Privacy Preserving Data Analysis
// Made Easy", where this is the third way to set the range of outputs.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/sample_aggregate/block_results.h"

namespace dp {

using Interval = std::pair<double, double>;

struct RangeHelper {
  std::vector<std::vector<double>> candidates;  // of each column, increasing, at least two
  std::function<std::vector<Interval>(const std::vector<Interval>&)> ranges;
  // A range for each number, where the rule gives another count, or one that is not finite or
  // empty.
  std::vector<Interval> otherwise;
};

// From what `results` takes to f64: mean, lower and upper end of each number, and then the
// quartiles of each column. `selection_scale` is in rows.
//
// Throws make_measurement for numbers of candidates or ranges that do not fit, candidates that are
// not in order, ranges that are not finite or empty, or a scale that is not positive and finite;
// what make_private_quantile() throws.
// The map throws overflow.
Measurement make_helped_mean(BlockResults results,
                             RangeHelper helper,
                             double selection_scale,
                             double scale);

}  // namespace dp
