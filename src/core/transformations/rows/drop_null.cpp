#include "core/transformations/rows/drop_null.h"

#include <algorithm>
#include <string>

#include "core/runtime/parallel.h"
#include "core/transformations/rows/missing.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

// Copies, because operators before this stage can draw: reading twice could give different rows.
template <class T>
class DropNull final : public WholeStage {
 public:
  bool streams() const override { return true; }

  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    const auto kept = std::make_shared<OwnedColumn<T>>(rows.type(), rows.size());
    std::size_t size = 0;
    BatchBuffer buffer;
    for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
      check_interrupt();
      buffer.clear_text();
      const Batch in = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
      for (std::size_t i = 0; i < in.size; ++i) {
        if (is_missing<T>(in, i)) continue;
        if constexpr (std::is_same_v<T, std::string>) {
          kept->cells()[size++] = kept->keep(std::string(in.as<T>()[i]));
        } else {
          kept->cells()[size++] = in.as<T>()[i];
        }
      }
    }
    kept->keep_first(size);
    return ColumnPtr(kept);
  }
};

}  // namespace

Transformation make_drop_null(const Domain& input_domain, const Metric& input_metric) {
  check_dataset_metric(input_metric);
  const AtomType type = missing_atom(input_domain).type;
  return Transformation(
      input_domain,
      input_metric,
      vector_of(non_nan_atom(type)),
      input_metric,
      visit_prim(type,
                 [](auto tag) { return stage_function<DropNull<typename decltype(tag)::type>>(); }),
      constant_map(input_metric, 1));
}

}  // namespace dp
