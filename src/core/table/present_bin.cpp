#include "core/table/present_bin.h"

#include "core/numeric/lattice.h"
#include "core/table/prepared_cell.h"
#include "core/transformations/rows/bins.h"
#include "core/transformations/rows/public_elements.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_present_bin(const Domain& input_domain,
                                const Metric& input_metric,
                                const ColumnSpec& column,
                                const std::vector<double>& edges) {
  if (atom_row_type(input_domain) != AtomType::f64) {
    detail::refuse_type(atom_row_type(input_domain), "f64");
  }
  check_column_specs({column});
  if (!strictly_increasing(edges)) {
    throw Error(ErrorKind::make_transformation, "edges must be unique and ordered");
  }
  const PreparedCell cell(column, lattice_for(column.lower, column.upper));
  Function function = row_map<double, std::uint64_t>(AtomType::usize, [cell, edges](double x) {
    if (cell.is_missing(x)) return std::uint64_t{edges.size() + 1};
    return std::uint64_t{bin_of(edges, cell.value_of(x))};
  });
  return make_row_wise(
      input_domain, input_metric, default_atom(AtomType::usize), std::move(function));
}

}  // namespace dp
