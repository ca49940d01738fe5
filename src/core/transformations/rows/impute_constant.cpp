#include "core/transformations/rows/impute_constant.h"

#include "core/transformations/rows/impute_constant_rows.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_impute_constant(const Domain& input_domain,
                                    const Metric& input_metric,
                                    const Scalar& constant) {
  const AtomType type = missing_atom(input_domain).type;
  Function function = visit_prim(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return row_function<ImputeConstantRows<T>>(type, scalar_as<T>(constant, "constant"));
  });
  if (is_nan(constant)) {
    throw Error(ErrorKind::make_transformation, "constant may not be null");
  }
  return make_row_wise(input_domain, input_metric, non_nan_atom(type), std::move(function));
}

}  // namespace dp
