#include "core/transformations/count_by.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include "core/transformations/counts.h"
#include "core/transformations/hashable.h"
#include "core/transformations/prim.h"
#include "core/transformations/stability.h"
#include "core/transformations/tally.h"

namespace dp {
namespace {

template <class K>
class CountBy final : public TallyReducer<K> {
 public:
  CountBy(AtomType key_type, AtomType value_type) : key_type_(key_type), value_type_(value_type) {}

 private:
  Value result(const Tally<K>& all) const override {
    const CellIndex<K>& rows = all.rows();
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return rows[a] < rows[b];
    });
    const auto keys = std::make_shared<OwnedRows<K>>(key_type_, rows.size());
    std::vector<std::uint64_t> counts(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if constexpr (std::is_same_v<K, std::string>) {
        keys->cells()[i] = keys->keep(std::string(rows[order[i]]));
      } else {
        keys->cells()[i] = rows[order[i]];
      }
      counts[i] = all.counts()[order[i]];
    }
    return MapPtr(
        std::make_shared<Map>(Map{keys, saturated_counts(counts, counts.size(), value_type_)}));
  }

  AtomType key_type_;
  AtomType value_type_;
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
