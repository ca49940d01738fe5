#include "core/transformations/clamp.h"

#include "core/numeric/directed.h"
#include "core/transformations/row_wise.h"

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
    const AtomDomain clamped = closed_atom(rows.atom.type, bounds.lower, bounds.upper);
    const T lower = std::get<T>(bounds.lower);
    const T upper = std::get<T>(bounds.upper);
    return make_row_wise(
        input_domain, input_metric, clamped, row_map<T, T>(rows.atom.type, [=](T x) {
          return clamp_checked(x, lower, upper);
        }));
  });
}

}  // namespace dp
