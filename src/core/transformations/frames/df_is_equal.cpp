#include "core/transformations/frames/df_is_equal.h"

#include "core/transformations/frames/map_column.h"
#include "core/transformations/rows/is_equal.h"

namespace dp {

Transformation make_df_is_equal(const Domain& input_domain,
                                const Metric& input_metric,
                                const Scalar& column_name,
                                const Scalar& value,
                                AtomType input_type) {
  return make_map_column(
      input_domain, input_metric, column_name, input_type, is_equal_rows(value, input_type));
}

}  // namespace dp
