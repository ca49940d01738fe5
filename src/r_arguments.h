// The arguments of a constructor, as given in R.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/catalogue/constructor.h"

namespace dp::r {

class RArguments final : public Arguments {
 public:
  // `args` in the order of the constructor's arguments. With `before`, the first two come from it
  // and are not in `args`.
  RArguments(const Constructor& constructor, const Rcpp::List& args, const Transformation* before);

  // The arguments by name, with isolated functions in place of functions: the contents of a plan.
  const Rcpp::List& given() const { return args_; }

  // Sets the argument to this number.
  void set(const std::string& name, double value);

  bool is_given(const char* name) const override;

  const Domain& domain(const char* name) const override;
  const Metric& metric(const char* name) const override;
  const Measure& measure(const char* name) const override;
  const Transformation& transformation(const char* name) const override;
  const Measurement& measurement(const char* name) const override;
  const Odometer& odometer(const char* name) const override;
  const Function& function(const char* name) const override;
  std::vector<Measurement> measurements(const char* name) const override;

  std::string descriptor(const char* name) const override;
  AtomType type(const char* name, const char* example) const override;

  bool is_flag(const char* name) const override;
  bool flag(const char* name) const override;
  std::string text(const char* name) const override;
  std::vector<std::string> texts(const char* name) const override;
  std::uint64_t size(const char* name) const override;
  std::vector<std::uint64_t> sizes(const char* name) const override;
  double real(const char* name) const override;
  std::vector<double> reals(const char* name) const override;
  std::vector<ColumnSpec> columns(const char* name) const override;
  RowProgram program(const char* name) const override;
  Scalar constant(const char* name, AtomType type) const override;
  std::vector<Scalar> constants(const char* name, AtomType type) const override;
  Bounds bounds(const char* name, AtomType type) const override;
  Scalar number(const char* name, AtomType type) const override;

  Distance distance(const char* name, const Metric& metric) const override;
  Distance distance(const char* name, const Measure& measure) const override;
  std::vector<Distance> distances(const char* name, const Measure& measure) const override;

  DataFunction callback(const char* name, const Domain& in, const Domain& out) const override;
  DataFunction callback(const char* name, const Domain& in, const std::string& out) const override;
  DataFunction postprocessor(const char* name, const std::string& out) const override;
  DistanceMap map(const char* name, const Metric& out) const override;
  DistanceMap map(const char* name, const Measure& out) const override;
  std::function<double(double)> curve(const char* name) const override;
  Opaque membership_test(const char* name) const override;

  Opaque object(const char* name) const override;
  std::function<bool(const Opaque&, const Opaque&)> same_objects() const override;
  std::function<std::optional<double>(const Value&)> score_of_release() const override;

 private:
  SEXP at(const char* name) const;

  // Isolates a user's function with R's `isolate`, and keeps the closure that the core calls.
  Opaque isolated(const char* name, const char* isolate) const;

  mutable Rcpp::List args_;
  std::vector<std::string> names_;
  const Transformation* before_;
};

// Handle of a framework object of class `kind`. R rejects any other object, naming the argument
// `name`.
SEXP handle_of(SEXP object, const char* kind, const char* name);

}  // namespace dp::r
