#include "core/transformations/sums/deviations.h"

#include <limits>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/sums/float_sum_reducers.h"

namespace dp {

template <class T>
MovedBounds<T> move_bounds(SumOrder order, std::uint64_t n, T lower, T upper) {
  const T size = exact_cast<T>(n);
  // Half of the relaxation is the error itself: doubling it was exact.
  const T error = div_up(sum_relaxation(order, n, lower, upper) / 2, size);
  const T moved_lower = sub_down(lower, error);
  const T moved_upper = add_up(upper, error);
  // Sums of deviations must not overflow.
  mul_up(moved_lower, size);
  mul_up(moved_upper, size);
  return {error, sub_up(moved_upper, moved_lower)};
}

template <class T>
T replaced_row_effect(std::uint64_t n, const MovedBounds<T>& x, const MovedBounds<T>& y) {
  const T size = exact_cast<T>(n);
  const T product = mul_up(x.width, y.width);
  mul_up(product, size);  // nor must sums of their products
  return div_up(mul_up(product, sub_up(size, T{1})), size);
}

template <class T>
T product_relaxation(SumOrder order,
                     std::uint64_t n,
                     const MovedBounds<T>& x,
                     const MovedBounds<T>& y) {
  return sum_relaxation(order, n, T{0}, mul_up(x.width, y.width));
}

template <class T>
T mean_effect(std::uint64_t n, const MovedBounds<T>& x, const MovedBounds<T>& y) {
  const T errors = mul_up(T{4}, mul_up(x.error, y.error));
  const T roundoff = std::numeric_limits<T>::epsilon() / 2;
  if (errors <= mul_down(roundoff, mul_down(x.width, y.width))) return 0;
  return mul_up(exact_cast<T>(n), errors);
}

#define DP_INSTANTIATE(T)                                                                      \
  template MovedBounds<T> move_bounds(SumOrder, std::uint64_t, T, T);                          \
  template T replaced_row_effect(std::uint64_t, const MovedBounds<T>&, const MovedBounds<T>&); \
  template T product_relaxation(                                                               \
      SumOrder, std::uint64_t, const MovedBounds<T>&, const MovedBounds<T>&);                  \
  template T mean_effect(std::uint64_t, const MovedBounds<T>&, const MovedBounds<T>&);

DP_INSTANTIATE(float)
DP_INSTANTIATE(double)

#undef DP_INSTANTIATE

Function plain_float_sum(Summation summation) {
  return visit_float(summation.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return summation.order == SumOrder::sequential ? reduce_function<SequentialSum<T, PlainAdd>>()
                                                   : reduce_function<PairwiseSum<T, PlainAdd>>();
  });
}

}  // namespace dp
