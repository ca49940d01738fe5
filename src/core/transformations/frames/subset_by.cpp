#include "core/transformations/frames/subset_by.h"

#include <algorithm>
#include <memory>

#include "core/data/frame.h"
#include "core/data/selection.h"
#include "core/transformations/frames/frame_keys.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

FramePtr subset(const Frame& frame,
                const Scalar& indicator_column,
                const std::vector<Scalar>& keep_columns) {
  const ColumnPtr indicator = frame.column(indicator_column, AtomType::boolean);
  std::size_t size = indicator->size();
  for (const Scalar& name : keep_columns) size = std::min(size, frame.column(name)->size());
  const auto selection = std::make_shared<const Selection>(*indicator, size);
  std::vector<NamedColumn> kept;
  for (const Scalar& name : keep_columns) {
    kept.push_back({name, selected_contents(frame.column(name), selection)});
  }
  return std::make_shared<Frame>(frame.key(), std::move(kept));
}

}  // namespace

Transformation make_subset_by(const Scalar& indicator_column,
                              const std::vector<Scalar>& keep_columns,
                              AtomType key_type) {
  check_key(indicator_column, key_type, "indicator_column");
  for (const Scalar& name : keep_columns) check_key(name, key_type, "keep_columns");
  const Metric metric = symmetric_distance();
  return Transformation(DataFrameDomain{key_type},
                        metric,
                        DataFrameDomain{key_type},
                        metric,
                        whole_function([indicator_column, keep_columns](const Value& arg) -> Value {
                          return subset(*frame_in(arg), indicator_column, keep_columns);
                        }),
                        constant_map(metric, 1));
}

}  // namespace dp
