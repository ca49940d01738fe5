#include "core/transformations/sums/sum_of_squared_deviations.h"

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/rows/row_wise.h"
#include "core/transformations/stability.h"
#include "core/transformations/sums/deviations.h"
#include "core/transformations/sums/sized_floats.h"

namespace dp {
namespace {

template <class T>
Function deviation_sum(Summation summation, T size) {
  return whole_function([sum = plain_float_sum(summation), summation, size](const Value& rows) {
    const T mean = element_in<T>(sum(rows)) / size;
    const Function squares = row_map<T, T>(summation.type, [mean](T x) {
      const T deviation = x - mean;
      return deviation * deviation;
    });
    return squares.then(sum)(rows);
  });
}

template <class T>
StabilityMap deviation_map(SumOrder order, std::uint64_t n, T lower, T upper) {
  const MovedBounds<T> moved = move_bounds(order, n, lower, upper);
  const T effect = replaced_row_effect(n, moved, moved);
  const T relaxation = product_relaxation(order, n, moved, moved);
  const T mean = mean_effect(n, moved, moved);
  return map_rows<T>([=](std::uint32_t d_in) {
    const T published = add_up(mul_up(cast_up<T>(d_in / 2), effect), relaxation);
    return add_up(published, mean);
  });
}

}  // namespace

Transformation make_sum_of_squared_deviations(const Domain& input_domain,
                                              const Metric& input_metric,
                                              Summation summation) {
  const SizedFloats rows = sized_floats(input_domain, input_metric, summation);
  return visit_float(rows.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T size = exact_cast<T>(rows.size);
    StabilityMap map = deviation_map(
        summation.order, rows.size, std::get<T>(rows.bounds.lower), std::get<T>(rows.bounds.upper));
    return Transformation(input_domain,
                          input_metric,
                          non_nan_atom(rows.type),
                          absolute_distance(rows.type),
                          deviation_sum(summation, size),
                          std::move(map));
  });
}

}  // namespace dp
