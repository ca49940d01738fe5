#include "core/table/column_rows.h"

#include "core/data/frame.h"
#include "core/table/sized_columns.h"
#include "core/transformations/stability.h"

namespace dp {

Transformation make_column_rows(const std::string& column, std::uint64_t n) {
  const Metric metric = change_one_distance();
  return Transformation(DataFrameDomain{AtomType::string},
                        metric,
                        vector_of(default_atom(AtomType::f64), n),
                        metric,
                        whole_function([column, n](const Value& arg) -> Value {
                          return sized_columns(*frame_in(arg), {column}, n, RowOrder::as_given)[0];
                        }),
                        constant_map(metric, 1));
}

}  // namespace dp
