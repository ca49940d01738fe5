// Chaining: one object after another, if the output space of the first is the input space of the
// second.
#pragma once

#include "core/measurements/measurement.h"
#include "core/transformations/transformation.h"

namespace dp {

// outer after inner. Map: outer.map(inner.map(d_in)).
// Throws domain_mismatch or metric_mismatch, printing both sides, unless inner's output space
// equals outer's input space; equality is structural, never containment.
Transformation make_chain_tt(const Transformation& outer, const Transformation& inner);
Measurement make_chain_mt(const Measurement& outer, const Transformation& inner);

// `postprocess` after `inner`, with inner's privacy map: postprocessing costs nothing, because it
// does not see the data (Dwork and Roth 2014, Proposition 2.1).
Measurement make_chain_pm(const Function& postprocess, const Measurement& inner);

// Throw, with the framework's text, unless the two are equal.
void check_same_domain(const Domain& output, const Domain& input);
void check_same_metric(const Metric& output, const Metric& input);
void check_same_measure(const Measure& output, const Measure& input);

}  // namespace dp
