#include "core/transformations/counts/count_by.h"

#include <algorithm>
#include <memory>
#include <string>

#include "core/transformations/counts/counts.h"
#include "core/transformations/counts/distinct_counts.h"
#include "core/transformations/counts/hashable.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

template <class K>
class CountBy final : public TallyReducer<K> {
 public:
  CountBy(AtomType key_type, AtomType value_type, bool ordered = true)
      : key_type_(key_type), value_type_(value_type), ordered_(ordered) {}

  std::shared_ptr<const Reducer> in_any_order() const override {
    return std::make_shared<CountBy>(key_type_, value_type_, false);
  }

  bool is_ordered() const override { return ordered_; }

  Value result(const DistinctRows<K>& all) const override {
    const std::size_t size = all.rows.size();
    const auto keys = std::make_shared<OwnedColumn<K>>(key_type_, size);
    if constexpr (std::is_same_v<K, std::string>) {
      keys->keep_all(all.rows);
    } else {
      std::copy(all.rows.begin(), all.rows.end(), keys->cells());
    }
    return MapPtr(
        std::make_shared<Map>(Map{keys, saturated_counts(all.counts, size, value_type_)}));
  }

 private:
  AtomType key_type_;
  AtomType value_type_;
  bool ordered_;
};

StabilityMap map_of(std::uint32_t moved, const Metric& output_metric, AtomType value_type) {
  if (output_metric == l0pinf_distance(MetricKind::l01inf, absolute_distance(value_type))) {
    const StabilityMap keys = constant_map(absolute_distance(AtomType::u32), moved);
    const StabilityMap total = constant_map(*output_metric.inner, moved);
    const StabilityMap each = constant_map(*output_metric.inner, 1);
    return [keys, total, each](const Distance& d_in) -> Distance {
      return Distance::Tuple{Scalar(number_in<std::uint32_t>(keys(d_in))), total(d_in), each(d_in)};
    };
  }
  if (output_metric.kind != MetricKind::l1 && output_metric.kind != MetricKind::l2) {
    refuse_metric(output_metric,
                  "the output metric must be L01InfDistance<AbsoluteDistance<" +
                      std::string(name(value_type)) + ">>, L1Distance or L2Distance");
  }
  return constant_map(output_metric, moved);
}

}  // namespace

Transformation make_count_by(const Domain& input_domain,
                             const Metric& input_metric,
                             AtomType value_type,
                             const Metric& output_metric) {
  const std::uint32_t moved = counts_moved(input_metric);
  const AtomType key_type = atom_row_type(input_domain);
  if (!is_integer(value_type) || value_type == AtomType::i128) {
    detail::refuse_type(value_type, "integers of at most 64 bits");
  }
  Function function = visit_hashable(key_type, [&](auto key) {
    return reduce_function<CountBy<typename decltype(key)::type>>(key_type, value_type);
  });
  StabilityMap map = map_of(moved, output_metric, value_type);
  return Transformation(input_domain,
                        input_metric,
                        MapDomain{input_domain.as<VectorDomain>()->element,
                                  std::make_shared<const Domain>(non_nan_atom(value_type))},
                        output_metric,
                        std::move(function),
                        std::move(map));
}

Transformation make_count_by(const Domain& input_domain,
                             const Metric& input_metric,
                             AtomType value_type) {
  return make_count_by(input_domain,
                       input_metric,
                       value_type,
                       l0pinf_distance(MetricKind::l01inf, absolute_distance(value_type)));
}

}  // namespace dp
