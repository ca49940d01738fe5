#include "core/transformations/sums/sized_floats.h"

#include "core/transformations/counts/counts.h"
#include "core/transformations/rows/row_types.h"

namespace dp {

SizedFloats sized_floats(const Domain& input_domain,
                         const Metric& input_metric,
                         Summation summation) {
  check_symmetric(input_metric);
  const AtomType type = atom_row_type(input_domain);
  if (!is_float(type)) detail::refuse_type(type, "floats");
  if (summation.type != type) {
    throw Error(ErrorKind::failed_cast,
                std::string("the summation must be over ") + name(type) + ", as the rows are.");
  }
  const RowDomain rows = row_domain(input_domain);
  if (!rows.size) {
    throw Error(ErrorKind::make_transformation,
                "`input_domain` must have a known size. Use `make_resize` to fix it.");
  }
  if (!rows.atom.bounds) {
    throw Error(ErrorKind::make_transformation,
                "`input_domain` must be bounded. Use `make_clamp` to bound data.");
  }
  if (*rows.size == 0) {
    throw Error(ErrorKind::make_transformation, "dataset size must be at least 1");
  }
  return {type, *rows.atom.bounds, *rows.size};
}

}  // namespace dp
