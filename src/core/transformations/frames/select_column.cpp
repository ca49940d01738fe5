#include "core/transformations/frames/select_column.h"

#include "core/data/frame.h"
#include "core/transformations/frames/frame_keys.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"

namespace dp {

Transformation make_select_column(const Scalar& key, AtomType key_type, AtomType output_type) {
  check_key(key, key_type, "key");
  check_prim(output_type);
  const Metric metric = symmetric_distance();
  return Transformation(DataFrameDomain{key_type},
                        metric,
                        vector_of(default_atom(output_type)),
                        metric,
                        whole_function([key, output_type](const Value& arg) -> Value {
                          return frame_in(arg)->column(key, output_type);
                        }),
                        constant_map(metric, 1));
}

}  // namespace dp
