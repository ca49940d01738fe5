#include "core/transformations/frames/create_dataframe.h"

#include <memory>

#include "core/data/frame.h"
#include "core/data/records.h"
#include "core/transformations/frames/frame_keys.h"
#include "core/transformations/stability.h"

namespace dp {

Transformation make_create_dataframe(const std::vector<Scalar>& col_names, AtomType key_type) {
  for (const Scalar& name : col_names) check_key(name, key_type, "col_names");
  const Metric metric = symmetric_distance();
  return Transformation(vector_of(vector_of(default_atom(AtomType::string))),
                        metric,
                        DataFrameDomain{key_type},
                        metric,
                        whole_function([col_names, key_type](const Value& arg) -> Value {
                          const RecordsPtr& records = records_in(arg);
                          std::vector<NamedColumn> columns;
                          for (std::size_t j = 0; j < col_names.size(); ++j) {
                            columns.push_back({col_names[j], field_of(records, j)});
                          }
                          return FramePtr(std::make_shared<Frame>(key_type, std::move(columns)));
                        }),
                        constant_map(metric, 1));
}

}  // namespace dp
