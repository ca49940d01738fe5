#include "core/transformations/rows/index.h"

#include <memory>

#include "core/transformations/rows/public_elements.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_index(const Domain& input_domain,
                          const Metric& input_metric,
                          const std::vector<Scalar>& categories,
                          const Scalar& null,
                          AtomType output_type) {
  const AtomType type = atom_row_type(input_domain);
  if (type != AtomType::usize) detail::refuse_type(type, "places, of type usize");
  Function function = visit_prim(output_type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    // The last one is for all rows past the end. Shared, because cells of text are views of it.
    auto cells = std::make_shared<std::vector<T>>(elements_as<T>(categories, "categories"));
    cells->push_back(scalar_as<T>(null, "null"));
    return row_map<std::uint64_t, T>(output_type, [cells](std::uint64_t place) -> Element<T> {
      const std::size_t last = cells->size() - 1;
      return (*cells)[place < last ? static_cast<std::size_t>(place) : last];
    });
  });
  return make_row_wise(input_domain, input_metric, default_atom(output_type), std::move(function));
}

}  // namespace dp
