#include "core/transformations/counts/count_distinct.h"

#include "core/transformations/counts/counts.h"
#include "core/transformations/counts/distinct_counts.h"
#include "core/transformations/counts/hashable.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

template <class T>
class CountDistinct final : public TallyReducer<T> {
 public:
  explicit CountDistinct(AtomType type) : type_(type) {}

  Value result(const DistinctRows<T>& all) const override {
    return saturated_count(all.rows.size(), type_);
  }

 private:
  AtomType type_;
};

}  // namespace

Transformation make_count_distinct(const Domain& input_domain,
                                   const Metric& input_metric,
                                   AtomType output_type) {
  check_symmetric(input_metric);
  const Metric output_metric = absolute_distance(output_type);
  Function function = visit_hashable(atom_row_type(input_domain), [&](auto input) {
    return reduce_function<CountDistinct<typename decltype(input)::type>>(output_type);
  });
  return Transformation(input_domain,
                        input_metric,
                        non_nan_atom(output_type),
                        output_metric,
                        std::move(function),
                        constant_map(output_metric, 1));
}

}  // namespace dp
