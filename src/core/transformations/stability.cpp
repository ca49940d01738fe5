#include "core/transformations/stability.h"

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"

namespace dp {

StabilityMap constant_map(const Metric& output_metric, std::uint32_t factor) {
  return visit_number(output_metric.distance_type, [&](auto tag) -> StabilityMap {
    using Q = typename decltype(tag)::type;
    return [factor](const Distance& d_in) {
      const auto* scalar = d_in.as<Scalar>();
      if (scalar == nullptr) throw Error(ErrorKind::failed_cast, "d_in must be one number.");
      return std::visit(
          [&](const auto& distance) -> Distance {
            using I = std::decay_t<decltype(distance)>;
            if constexpr (detail::is_number_carrier<I>) {
              if (!(distance >= I{0})) {
                throw Error(ErrorKind::failed_map, "d_in must be non-negative");
              }
              return Scalar(mul_up<Q>(cast_up<Q>(distance), cast_up<Q>(factor)));
            } else {
              throw Error(ErrorKind::failed_cast, "d_in must be a number.");
            }
          },
          *scalar);
    };
  });
}

}  // namespace dp
