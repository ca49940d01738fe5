#include "core/transformations/rows/is_equal.h"

#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Function is_equal_rows(const Scalar& value, AtomType type) {
  return visit_prim(type, [&](auto input) {
    using I = typename decltype(input)::type;
    return row_map<I, bool>(
        AtomType::boolean,
        [wanted = scalar_as<I>(value, "value")](Element<I> x) { return x == wanted; });
  });
}

Transformation make_is_equal(const Domain& input_domain,
                             const Metric& input_metric,
                             const Scalar& value) {
  return make_row_wise(input_domain,
                       input_metric,
                       default_atom(AtomType::boolean),
                       is_equal_rows(value, atom_row_type(input_domain)));
}

}  // namespace dp
