#include "core/transformations/rows/cast_default.h"

#include "core/numeric/cast.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Function cast_default_rows(AtomType input_type, AtomType output_type) {
  return visit_prim(input_type, [&](auto input) {
    return visit_prim(output_type, [&](auto output) {
      using I = typename decltype(input)::type;
      using O = typename decltype(output)::type;
      return row_map<I, O>(output_type,
                           [](Element<I> x) { return round_cast<O>(x).value_or(O{}); });
    });
  });
}

Transformation make_cast_default(const Domain& input_domain,
                                 const Metric& input_metric,
                                 AtomType output_type) {
  return make_row_wise(input_domain,
                       input_metric,
                       default_atom(output_type),
                       cast_default_rows(atom_row_type(input_domain), output_type));
}

}  // namespace dp
