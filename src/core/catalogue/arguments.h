// The arguments of a constructor, by name: public values in the form of the language that calls.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/combinators/odometer.h"
#include "core/domains/domain.h"
#include "core/engine/function.h"
#include "core/measurements/measurement.h"
#include "core/measures/measure.h"
#include "core/metrics/distance.h"
#include "core/metrics/distance_map.h"
#include "core/metrics/metric.h"
#include "core/table/column_spec.h"
#include "core/table/derived_columns.h"
#include "core/transformations/transformation.h"

namespace dp {

// Each reads an argument in the type that is asked for, and throws failed_cast where it has
// another. A reference is valid as long as the arguments are.
class Arguments {
 public:
  virtual ~Arguments() = default;

  virtual bool is_given(const char* name) const = 0;

  virtual const Domain& domain(const char* name) const = 0;
  virtual const Metric& metric(const char* name) const = 0;
  virtual const Measure& measure(const char* name) const = 0;
  virtual const Transformation& transformation(const char* name) const = 0;
  virtual const Measurement& measurement(const char* name) const = 0;
  virtual const Odometer& odometer(const char* name) const = 0;
  virtual const Function& function(const char* name) const = 0;
  virtual std::vector<Measurement> measurements(const char* name) const = 0;

  // A type descriptor in its canonical spelling: "Vec<i32>".
  virtual std::string descriptor(const char* name) const = 0;
  // The type that `name` describes or, if it is missing, the element type of `example`.
  virtual AtomType type(const char* name, const char* example) const = 0;

  virtual bool is_flag(const char* name) const = 0;
  virtual bool flag(const char* name) const = 0;
  virtual std::string text(const char* name) const = 0;
  virtual std::vector<std::string> texts(const char* name) const = 0;
  virtual std::uint64_t size(const char* name) const = 0;
  virtual std::vector<std::uint64_t> sizes(const char* name) const = 0;
  virtual double real(const char* name) const = 0;
  virtual std::vector<double> reals(const char* name) const = 0;
  virtual std::vector<ColumnSpec> columns(const char* name) const = 0;
  virtual RowProgram program(const char* name) const = 0;
  // Constants have just this type; a number is also taken from one that holds it.
  virtual Scalar constant(const char* name, AtomType type) const = 0;
  virtual std::vector<Scalar> constants(const char* name, AtomType type) const = 0;
  virtual Bounds bounds(const char* name, AtomType type) const = 0;
  virtual Scalar number(const char* name, AtomType type) const = 0;

  virtual Distance distance(const char* name, const Metric& metric) const = 0;
  virtual Distance distance(const char* name, const Measure& measure) const = 0;
  virtual std::vector<Distance> distances(const char* name, const Measure& measure) const = 0;

  // Functions of the user's: of data, of a release, of distances, of numbers.
  using DataFunction = std::function<Value(const Value&)>;
  virtual DataFunction callback(const char* name, const Domain& in, const Domain& out) const = 0;
  virtual DataFunction callback(const char* name,
                                const Domain& in,
                                const std::string& out) const = 0;
  virtual DataFunction postprocessor(const char* name, const std::string& out) const = 0;
  virtual DistanceMap map(const char* name, const Metric& out) const = 0;
  virtual DistanceMap map(const char* name, const Measure& out) const = 0;
  virtual std::function<double(double)> curve(const char* name) const = 0;
  virtual Opaque membership_test(const char* name) const = 0;

  // An object of the caller's language, how two of them compare, and the score in a release of one.
  virtual Opaque object(const char* name) const = 0;
  virtual std::function<bool(const Opaque&, const Opaque&)> same_objects() const = 0;
  virtual std::function<std::optional<double>(const Value&)> score_of_release() const = 0;
};

}  // namespace dp
