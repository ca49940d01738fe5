// Odometers: releases without a fixed loss, which report their loss.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/combinators/measurement_query.h"
#include "core/engine/queryable.h"

namespace dp {

// Answers measurements, and reports the loss of all of them so far.
class OdometerQueryable : public Queryable {
 public:
  explicit OdometerQueryable(Metric input_metric) : input_metric_(std::move(input_metric)) {}

  // The metric of distances in loss().
  const Metric& input_metric() const { return input_metric_; }

  std::string query_type() const override { return kMeasurementQuery; }

  // The loss for inputs at most `d_in` apart. Throws as ask() does, and as the maps of the
  // measurements do.
  Distance loss(const Distance& d_in);

  // The value of loss(d_in) if `query` had been answered too. The data are not touched. Throws the
  // errors that ask() throws before it charges `query`.
  Distance loss_with(const Distance& d_in, const Value& query);

 private:
  virtual Distance compute_loss(const Distance& d_in) = 0;
  virtual Distance compute_loss_with(const Distance& d_in, const Value& query) = 0;

  Metric input_metric_;
};

using OdometerQueryablePtr = std::shared_ptr<OdometerQueryable>;

// For all adaptive choices of measurements in invoke(x): if x and x' are at most d_in apart in
// `input_metric`, then the transcripts from x and from x' are at most loss(d_in) apart in
// `output_measure`, at every moment.
class Odometer {
 public:
  using Invocation = std::function<OdometerQueryablePtr(const Value&)>;

  // Throws metric_space if the input pair is not a metric space.
  Odometer(QuerySpace space, Invocation invocation);

  const Domain& input_domain() const { return space_.input_domain; }
  const Metric& input_metric() const { return space_.input_metric; }
  const Measure& output_measure() const { return space_.output_measure; }

  // Throws as Measurement::invoke() does for an `arg` outside of the input domain.
  OdometerQueryablePtr invoke(const Value& arg) const;

 private:
  QuerySpace space_;
  Invocation invocation_;
};

}  // namespace dp
