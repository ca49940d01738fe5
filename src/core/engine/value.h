// What functions take and give: one element, a vector of rows, a tuple, or something the core only
// carries.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/domains/domain.h"
#include "core/domains/scalar.h"
#include "core/engine/rows.h"

namespace dp {

class Value {
 public:
  struct Null {};  // the null of an option
  using Tuple = std::vector<Value>;
  using Form = std::variant<Null, Scalar, RowsPtr, Tuple, Opaque>;

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

// The rows in `value`; failed_cast if it is anything else.
const RowsPtr& rows_in(const Value& value);

// Whether `value` has the carrier type of `domain`; true for what the core only carries.
bool has_carrier(const Value& value, const Domain& domain);

// Throws failed_cast unless `value` has the carrier type of `domain`. Membership is not tested:
// bounds, sizes and NaN are the caller's promise, which is documented behaviour.
void check_carrier(const Value& value, const Domain& domain);

}  // namespace dp
