#include "core/transformations/rows/cast_inherent.h"

#include <limits>

#include "core/numeric/cast.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_cast_inherent(const Domain& input_domain,
                                  const Metric& input_metric,
                                  AtomType output_type) {
  Function function = visit_prim(atom_row_type(input_domain), [&](auto input) {
    return visit_float(output_type, [&](auto output) {
      using I = typename decltype(input)::type;
      using O = typename decltype(output)::type;
      return row_map<I, O>(output_type, [](Element<I> x) {
        return round_cast<O>(x).value_or(std::numeric_limits<O>::quiet_NaN());
      });
    });
  });
  return make_row_wise(input_domain, input_metric, default_atom(output_type), std::move(function));
}

}  // namespace dp
