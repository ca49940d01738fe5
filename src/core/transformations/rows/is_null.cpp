#include "core/transformations/rows/is_null.h"

#include "core/transformations/rows/missing.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {
namespace {

template <class T>
class IsNull final : public RowOperator {
 public:
  AtomType output_type() const override { return AtomType::boolean; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    bool* to = buffer.cells<bool>(in.size);
    for (std::size_t i = 0; i < in.size; ++i) to[i] = is_missing<T>(in, i);
    return {to, nullptr, in.size};
  }
};

}  // namespace

Transformation make_is_null(const Domain& input_domain, const Metric& input_metric) {
  Function function = visit_prim(missing_atom(input_domain).type, [](auto tag) {
    return row_function<IsNull<typename decltype(tag)::type>>();
  });
  return make_row_wise(
      input_domain, input_metric, default_atom(AtomType::boolean), std::move(function));
}

}  // namespace dp
