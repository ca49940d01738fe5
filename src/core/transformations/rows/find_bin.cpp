#include "core/transformations/rows/find_bin.h"

#include "core/transformations/rows/bins.h"
#include "core/transformations/rows/public_elements.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_find_bin(const Domain& input_domain,
                             const Metric& input_metric,
                             const std::vector<Scalar>& edges) {
  Function function = visit_number(atom_row_type(input_domain), [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::vector<T> points = elements_as<T>(edges, "edges");
    if (!strictly_increasing(points)) {
      throw Error(ErrorKind::make_transformation, "edges must be unique and ordered");
    }
    return row_map<T, std::uint64_t>(AtomType::usize, [points = std::move(points)](T x) {
      return std::uint64_t{bin_of(points, x)};
    });
  });
  return make_row_wise(
      input_domain, input_metric, default_atom(AtomType::usize), std::move(function));
}

}  // namespace dp
