#include "core/transformations/frames/split_dataframe.h"

#include "core/transformations/frames/create_dataframe.h"
#include "core/transformations/frames/split_lines.h"
#include "core/transformations/frames/split_records.h"

namespace dp {

Transformation make_split_dataframe(const std::optional<std::string>& separator,
                                    const std::vector<Scalar>& col_names,
                                    AtomType key_type,
                                    const RecordStyle& style) {
  return make_split_lines()
      .then(make_split_records(separator, style))
      .then(make_create_dataframe(col_names, key_type));
}

}  // namespace dp
