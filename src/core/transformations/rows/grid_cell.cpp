#include "core/transformations/rows/grid_cell.h"

#include <algorithm>
#include <cmath>

#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {

Transformation make_grid_cell(const Domain& input_domain,
                              const Metric& input_metric,
                              double origin,
                              double width) {
  if (atom_row_type(input_domain) != AtomType::f64) {
    detail::refuse_type(atom_row_type(input_domain), "f64");
  }
  if (!std::isfinite(origin) || !(width > 0) || !std::isfinite(width)) {
    throw Error(ErrorKind::make_transformation,
                "`origin` must be finite and `width` positive and finite.");
  }
  Function function = row_map<double, std::int64_t>(AtomType::i64, [origin, width](double x) {
    if (std::isnan(x)) return kMissingCell;
    const double cell = std::floor((x - origin) / width);
    return static_cast<std::int64_t>(std::clamp(cell, -kLastCell, kLastCell));
  });
  return make_row_wise(
      input_domain, input_metric, default_atom(AtomType::i64), std::move(function));
}

}  // namespace dp
