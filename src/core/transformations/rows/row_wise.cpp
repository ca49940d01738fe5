#include "core/transformations/rows/row_wise.h"

#include "core/transformations/stability.h"

namespace dp {

Transformation make_row_wise(const Domain& input_domain,
                             const Metric& input_metric,
                             Domain output_element,
                             Function function) {
  check_dataset_metric(input_metric);
  const RowDomain rows = row_domain(input_domain);
  return Transformation(input_domain,
                        input_metric,
                        vector_of(std::move(output_element), rows.size),
                        input_metric,
                        std::move(function),
                        constant_map(input_metric, 1));
}

}  // namespace dp
