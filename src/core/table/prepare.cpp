#include "core/table/prepare.h"

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/numeric/cast.h"
#include "core/numeric/lattice.h"
#include "core/transformations/rows/cast.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/impute_uniform.h"
#include "core/transformations/rows/resize.h"

namespace dp {
namespace {

Scalar whole_bound(double x) {
  if (!cast::whole_fits<std::int64_t>(x) || std::trunc(x) != x) {
    throw Error(ErrorKind::make_transformation, "bounds of whole numbers must be 64-bit integers.");
  }
  return static_cast<std::int64_t>(x);
}

Bounds bounds_of(const ColumnSpec& column) {
  if (column.whole) return {whole_bound(column.lower), whole_bound(column.upper)};
  return {Scalar(column.lower), Scalar(column.upper)};
}

// Bounds of imputation may lie between two points of the lattice, and both between the same two:
// then the nearest point is drawn.
Transformation impute(const Domain& domain, const Metric& metric, const ColumnSpec& column) {
  const Lattice lattice = lattice_for(column.impute_lower, column.impute_upper);
  const auto near = [&](double x) {
    return column.whole ? x : lattice.value(int128_t{lattice.index(x)});
  };
  return make_impute_uniform(domain, metric, near(column.impute_lower), near(column.impute_upper));
}

Transformation prepare_rows(const Domain& domain, const Metric& metric, const ColumnSpec& column) {
  const auto filled = [&] {
    if (!column.whole) return impute(domain, metric, column);
    const Transformation whole = make_cast(domain, metric, AtomType::i64);
    return whole.then(impute(whole.output_domain(), metric, column));
  };
  const Transformation rows = filled();
  return rows.then(make_clamp(rows.output_domain(), metric, bounds_of(column)));
}

Domain any_numbers() { return vector_of(default_atom(AtomType::f64)); }

}  // namespace

Transformation make_prepare(const Domain& input_domain,
                            const Metric& input_metric,
                            const ColumnSpec& column,
                            std::uint64_t n) {
  const Scalar missing(std::numeric_limits<double>::quiet_NaN());
  const Transformation sized = make_resize(input_domain, input_metric, n, missing, input_metric);
  return sized.then(prepare_rows(sized.output_domain(), sized.output_metric(), column));
}

ColumnPreparation::ColumnPreparation(const ColumnSpec& column)
    : column_(column),
      steps_(prepare_rows(any_numbers(), symmetric_distance(), column).function()) {}

std::vector<ColumnPreparation> column_preparations(const std::vector<ColumnSpec>& columns) {
  check_column_specs(columns);
  return std::vector<ColumnPreparation>(columns.begin(), columns.end());
}

}  // namespace dp
