#include "core/transformations/frames/split_lines.h"

#include "core/data/lines.h"
#include "core/transformations/stability.h"

namespace dp {

Transformation make_split_lines() {
  const Metric metric = symmetric_distance();
  return Transformation(
      default_atom(AtomType::string),
      metric,
      vector_of(default_atom(AtomType::string)),
      metric,
      whole_function([](const Value& text) -> Value { return lines_of(text_in(text)); }),
      constant_map(metric, 1));
}

}  // namespace dp
