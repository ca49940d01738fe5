#include "core/transformations/counts/count.h"

#include "core/numeric/limits.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

template <class T>
class Count final : public Reducer {
 public:
  // No ranges: rows are not read.
  std::vector<std::size_t> cuts(std::size_t) const override { return {}; }
  std::unique_ptr<Partial> start(std::size_t) const override { return nullptr; }
  Value finish(std::vector<std::unique_ptr<Partial>>, std::size_t size) const override {
    constexpr auto kMost = static_cast<uint128_t>(kMaxConsecutive<T>);
    return Scalar(size < kMost ? static_cast<T>(size) : kMaxConsecutive<T>);
  }
};

}  // namespace

Transformation make_count(const Domain& input_domain,
                          const Metric& input_metric,
                          AtomType output_type) {
  row_domain(input_domain);
  if (input_metric != symmetric_distance()) {
    refuse_metric(input_metric, "input_metric must be SymmetricDistance");
  }
  const Metric output_metric = absolute_distance(output_type);
  return Transformation(
      input_domain,
      input_metric,
      non_nan_atom(output_type),
      output_metric,
      visit_number(output_type,
                   [](auto tag) { return reduce_function<Count<typename decltype(tag)::type>>(); }),
      constant_map(output_metric, 1));
}

}  // namespace dp
