#include "core/transformations/rows/clamp.h"

#include "core/transformations/rows/clamp_rows.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_clamp(const Domain& input_domain,
                          const Metric& input_metric,
                          const Bounds& bounds) {
  const RowDomain rows = row_domain(input_domain);
  if (rows.option) throw Error(ErrorKind::failed_cast, "input_domain must not admit nulls.");
  return visit_number(rows.atom.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (rows.atom.nan) {
      throw Error(ErrorKind::failed_function, "input_domain elements must be non-nan");
    }
    const AtomType type = rows.atom.type;
    const AtomDomain clamped = closed_atom(type, bounds.lower, bounds.upper);
    return make_row_wise(
        input_domain,
        input_metric,
        clamped,
        row_function<ClampRows<T>>(type, std::get<T>(bounds.lower), std::get<T>(bounds.upper)));
  });
}

}  // namespace dp
