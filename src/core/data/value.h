// Arguments and results of functions: one element, a vector of rows, raw text, records, a data
// frame, a map, bits, a tuple, a queryable, or an opaque object.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/column.h"
#include "core/domains/domain.h"
#include "core/domains/scalar.h"
#include "core/one_of.h"

namespace dp {

class Frame;
class Measurement;
class Queryable;
class Records;

// One element of type String that lies elsewhere: raw text of any size, which nothing copies.
struct Text {
  std::string_view characters;
  std::shared_ptr<const void> owner;  // of the characters; may be null if they live on anyway
};

using RecordsPtr = std::shared_ptr<const Records>;
using FramePtr = std::shared_ptr<const Frame>;

// Keys in increasing order, none twice, and the value of each, at the same place.
struct Map {
  ColumnPtr keys;
  ColumnPtr values;
};
using MapPtr = std::shared_ptr<const Map>;

using QueryablePtr = std::shared_ptr<Queryable>;
using MeasurementPtr = std::shared_ptr<const Measurement>;  // a query to a compositor

class Value {
 public:
  struct Null {};  // the null of an option
  struct Bits {    // whole bytes, the first bit of each the lowest
    std::vector<std::uint8_t> bytes;
  };
  using Tuple = std::vector<Value>;
  using Form = OneOf<Null,
                     Scalar,
                     ColumnPtr,
                     Text,
                     RecordsPtr,
                     FramePtr,
                     MapPtr,
                     Bits,
                     Tuple,
                     QueryablePtr,
                     MeasurementPtr,
                     Opaque>;

  template <class T>
  Value(T form) : form_(std::move(form)) {}  // NOLINT: every form is a value

  const Form& form() const { return form_; }

  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

 private:
  Form form_;
};

// The element of type T in `value`; failed_cast if it is anything else.
template <class T>
const T& element_in(const Value& value) {
  const auto* scalar = value.as<Scalar>();
  if (scalar == nullptr) throw Error(ErrorKind::failed_cast, "arg must be one element.");
  return scalar_as<T>(*scalar, "arg");
}

// The one element in `value`, in a copy if it is text that lies elsewhere; failed_cast if it is
// anything else.
Scalar scalar_in(const Value& value);

// The text in `value`, where it lies or in a copy of the element; failed_cast if it is anything
// else.
Text text_in(const Value& value);

// The rows, records, frame, map or bits in `value`; failed_cast if it is anything else.
const ColumnPtr& rows_in(const Value& value);
const RecordsPtr& records_in(const Value& value);
const FramePtr& frame_in(const Value& value);
const MapPtr& map_in(const Value& value);
const Value::Bits& bits_in(const Value& value);

// Whether `value` has the carrier type of `domain`; true for what the core only carries.
bool has_carrier(const Value& value, const Domain& domain);

// Throws failed_cast unless `value` has the carrier type of `domain`. Membership is not tested.
void check_carrier(const Value& value, const Domain& domain);

}  // namespace dp
