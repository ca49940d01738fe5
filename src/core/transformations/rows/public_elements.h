// Public vectors (categories, edges, candidates, names) in their carrier type.
#pragma once

#include <vector>

#include "core/domains/scalar.h"
#include "core/error.h"

namespace dp {

// The elements, each of type T. Throws failed_cast, naming `what`, if one is of another type.
template <class T>
std::vector<T> elements_as(const std::vector<Scalar>& elements, const char* what) {
  std::vector<T> out;
  out.reserve(elements.size());
  for (const Scalar& element : elements) out.push_back(scalar_as<T>(element, what));
  return out;
}

// Whether each element is above the one before it. A NaN is not, and nothing is above a NaN; alone
// it is refused too.
template <class T>
bool strictly_increasing(const std::vector<T>& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] != elements[i]) return false;
    if (i > 0 && !(elements[i - 1] < elements[i])) return false;
  }
  return true;
}

// Candidates of a selection, each of type T. Throws failed_cast as above, and make_transformation
// if there are none or they are not strictly increasing.
template <class T>
std::vector<T> candidates_as(const std::vector<Scalar>& candidates) {
  std::vector<T> points = elements_as<T>(candidates, "candidates");
  if (points.empty()) {
    throw Error(ErrorKind::make_transformation, "candidates must be non-empty");
  }
  if (!strictly_increasing(points)) {
    throw Error(ErrorKind::make_transformation, "candidates must be increasing");
  }
  return points;
}

}  // namespace dp
