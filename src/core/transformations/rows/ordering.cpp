#include "core/transformations/rows/ordering.h"

#include "core/transformations/rows/gather.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

class RandomOrder final : public WholeStage {
 public:
  bool passes(std::size_t size) const override { return size < 2; }
  bool streams() const override { return true; }
  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    return gather(rows, places_at_random(rows.size()), rows.size(), std::nullopt);
  }
};

}  // namespace

Transformation make_ordered_random(const Domain& input_domain, const Metric& input_metric) {
  row_domain(input_domain);
  if (!is_dataset_metric(input_metric) || is_ordered(input_metric)) {
    refuse_metric(input_metric, "input_metric must be SymmetricDistance or ChangeOneDistance");
  }
  const Metric output_metric =
      is_bounded(input_metric) ? hamming_distance() : insert_delete_distance();
  return Transformation(input_domain,
                        input_metric,
                        input_domain,
                        output_metric,
                        stage_function<RandomOrder>(),
                        constant_map(output_metric, 1));
}

Transformation make_unordered(const Domain& input_domain, const Metric& input_metric) {
  if (!is_ordered(input_metric)) {
    refuse_metric(input_metric, "input_metric must be InsertDeleteDistance or HammingDistance");
  }
  const Metric output_metric =
      is_bounded(input_metric) ? change_one_distance() : symmetric_distance();
  return Transformation(input_domain,
                        input_metric,
                        input_domain,
                        output_metric,
                        Function(),
                        constant_map(output_metric, 1));
}

}  // namespace dp
