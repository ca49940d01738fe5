// Released rows as plain vectors.
#pragma once

#include <algorithm>
#include <vector>

#include "core/data/value.h"

namespace dp {

// The rows in `value`, all present, converted to T. Throws failed_cast unless they are of type
// `type`, a number.
template <class T>
std::vector<T> numbers_in(const Value& value, AtomType type) {
  const Column& rows = *rows_in(value);
  if (rows.type() != type) {
    throw Error(ErrorKind::failed_cast,
                std::string("arg must have the type Vec<") + name(type) + ">.");
  }
  std::vector<T> numbers;
  numbers.reserve(rows.size());
  BatchBuffer buffer;
  visit_number(type, [&](auto tag) {
    using I = typename decltype(tag)::type;
    for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
      const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
      for (std::size_t i = 0; i < batch.size; ++i) {
        numbers.push_back(static_cast<T>(batch.as<I>()[i]));
      }
    }
  });
  return numbers;
}

}  // namespace dp
