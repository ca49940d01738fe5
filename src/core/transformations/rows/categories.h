// Public lists of distinct categories.
#pragma once

#include <memory>
#include <vector>

#include "core/error.h"
#include "core/transformations/rows/cell_index.h"
#include "core/transformations/rows/public_elements.h"

namespace dp {

// The categories, numbered in their order. Throws failed_cast if one is not of type T,
// make_transformation if one occurs twice.
template <class T>
std::shared_ptr<const CellIndex<T>> index_of_categories(const std::vector<Scalar>& categories) {
  auto index = std::make_shared<CellIndex<T>>();
  for (const Scalar& category : categories) {
    const std::size_t next = index->size();
    if (index->add(scalar_as<T>(category, "categories")) != next) {
      throw Error(ErrorKind::make_transformation, "categories must be distinct");
    }
  }
  return index;
}

}  // namespace dp
