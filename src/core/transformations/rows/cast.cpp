#include "core/transformations/rows/cast.h"

#include "core/numeric/cast.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {
namespace {

template <class I, class O>
Function cast_function(AtomType output_type) {
  return row_map_to_option<I, O>(output_type, [](Element<I> x) {
    std::optional<O> out = round_cast<O>(x);
    if constexpr (std::is_floating_point_v<O>) {
      if (out && *out != *out) out.reset();
    }
    return out;
  });
}

}  // namespace

Transformation make_cast(const Domain& input_domain,
                         const Metric& input_metric,
                         AtomType output_type) {
  Function function = visit_prim(atom_row_type(input_domain), [&](auto input) {
    return visit_prim(output_type, [&](auto output) {
      return cast_function<typename decltype(input)::type, typename decltype(output)::type>(
          output_type);
    });
  });
  return make_row_wise(
      input_domain, input_metric, OptionDomain{default_atom(output_type)}, std::move(function));
}

}  // namespace dp
