// Public vectors (categories, edges, candidates, names) in their carrier type.
#pragma once

#include <vector>

#include "core/domains/scalar.h"

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

}  // namespace dp
