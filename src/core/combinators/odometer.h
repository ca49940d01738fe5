// Odometers: releases without a fixed loss, which keep count of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/combinators/measurement_query.h"
#include "core/engine/queryable.h"

namespace dp {

// Answers measurements, and tells the loss of all of them so far.
class OdometerQueryable : public Queryable {
 public:
  explicit OdometerQueryable(Metric input_metric) : input_metric_(std::move(input_metric)) {}

  // What loss() is asked in.
  const Metric& input_metric() const { return input_metric_; }

  std::string query_type() const override { return kMeasurementQuery; }

  // Of inputs at most `d_in` apart. Throws as ask() does, and as the maps of the measurements do.
  Distance loss(const Distance& d_in);

  // What loss(d_in) would be if `query` had been answered too. The data are not touched. Throws
  // what ask() would throw before it charges `query`.
  Distance loss_with(const Distance& d_in, const Value& query);

 private:
  virtual Distance compute_loss(const Distance& d_in) = 0;
  virtual Distance compute_loss_with(const Distance& d_in, const Value& query) = 0;

  Metric input_metric_;
};

using OdometerQueryablePtr = std::shared_ptr<OdometerQueryable>;

// Whatever measurements are asked of invoke(x), and however they are chosen: if x and x' are at
// most d_in apart in `input_metric`, then what is seen from x and from x' is at most loss(d_in)
// apart in `output_measure`, at every moment.
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
