#include "core/transformations/frames/df_cast_default.h"

#include "core/transformations/frames/map_column.h"
#include "core/transformations/rows/cast_default.h"

namespace dp {

Transformation make_df_cast_default(const Domain& input_domain,
                                    const Metric& input_metric,
                                    const Scalar& column_name,
                                    AtomType input_type,
                                    AtomType output_type) {
  return make_map_column(input_domain,
                         input_metric,
                         column_name,
                         input_type,
                         cast_default_rows(input_type, output_type));
}

}  // namespace dp
