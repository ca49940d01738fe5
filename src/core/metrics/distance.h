// Distances between inputs, between outputs, and between distributions: d_in and d_out.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/domains/domain.h"
#include "core/domains/scalar.h"
#include "core/one_of.h"

namespace dp {

class PrivacyProfile;

// A number in the distance type of its metric or measure; a tuple of such (the triple of
// L01InfDistance, the pair of an approximate measure); a privacy profile; a Renyi curve (alpha to
// epsilon); or a user's own.
class Distance {
 public:
  using Curve = std::function<double(double)>;
  using Tuple = std::vector<Distance>;
  using Form = OneOf<Scalar, Tuple, std::shared_ptr<const PrivacyProfile>, Curve, Opaque>;

  template <class T>
  Distance(T form) : form_(std::move(form)) {}  // NOLINT: every form is a distance

  const Form& form() const { return form_; }

  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

 private:
  Form form_;
};

// The number of type T in `distance`; failed_cast if it is anything else.
template <class T>
T number_in(const Distance& distance) {
  const auto* scalar = distance.as<Scalar>();
  if (scalar == nullptr) throw Error(ErrorKind::failed_cast, "the distance must be one number.");
  return scalar_as<T>(*scalar, "the distance");
}

// a <= b in the product order. Throws failed_function for NaN, for tuples that are smaller in one
// part and larger in another, and for distances that have no order.
bool at_most(const Distance& a, const Distance& b);

std::string debug(const Distance& distance);  // "1.0986122886681098", "(1.0, 1e-7)"

}  // namespace dp
