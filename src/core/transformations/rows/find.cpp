#include "core/transformations/rows/find.h"

#include "core/transformations/counts/hashable.h"
#include "core/transformations/rows/categories.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_find(const Domain& input_domain,
                         const Metric& input_metric,
                         const std::vector<Scalar>& categories) {
  Function function = visit_hashable(atom_row_type(input_domain), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto index = index_of_categories<T>(categories);
    return row_map_to_option<T, std::uint64_t>(AtomType::usize, [index](Element<T> x) {
      const std::size_t place = index->find(x);
      return place == index->size() ? std::nullopt : std::optional<std::uint64_t>(place);
    });
  });
  return make_row_wise(
      input_domain, input_metric, OptionDomain{default_atom(AtomType::usize)}, std::move(function));
}

}  // namespace dp
