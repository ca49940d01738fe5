#include "core/transformations/frames/map_column.h"

#include <memory>

#include "core/data/frame.h"
#include "core/engine/mapped_rows.h"
#include "core/transformations/frames/frame_keys.h"
#include "core/transformations/stability.h"

namespace dp {

Transformation make_map_column(const Domain& input_domain,
                               const Metric& input_metric,
                               const Scalar& column_name,
                               AtomType input_type,
                               const Function& operators) {
  check_key(column_name, key_type_of(input_domain), "column_name");
  if (input_metric.kind != MetricKind::symmetric &&
      input_metric.kind != MetricKind::insert_delete) {
    refuse_metric(input_metric, "input_metric must be SymmetricDistance or InsertDeleteDistance");
  }
  return Transformation(
      input_domain,
      input_metric,
      input_domain,
      input_metric,
      whole_function([column_name, input_type, operators](const Value& arg) -> Value {
        const Frame& frame = *frame_in(arg);
        return FramePtr(std::make_shared<Frame>(frame.with(
            column_name, mapped_rows(frame.column(column_name, input_type), operators))));
      }),
      constant_map(input_metric, 1));
}

}  // namespace dp
