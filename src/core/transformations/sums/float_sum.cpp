#include "core/transformations/sums/float_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/rows/row_limit.h"
#include "core/transformations/stability.h"
#include "core/transformations/sums/float_sum_reducers.h"

namespace dp {
namespace {

// Calls f(lower, upper) with the bounds in their carrier type.
template <class F>
auto with_bounds(const Bounds &bounds, Summation summation, F &&f) {
  return visit_float(summation.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return f(scalar_as<T>(bounds.lower, "bounds"), scalar_as<T>(bounds.upper, "bounds"));
  });
}

template <class T, class Add>
Function sum_function(SumOrder order) {
  return order == SumOrder::sequential ? reduce_function<SequentialSum<T, Add>>()
                                       : reduce_function<PairwiseSum<T, Add>>();
}

// Additions that saturate. Between bounds of one sign, saturating at a step and
// at the end come to the same.
template <class T>
Function saturating_function(SumOrder order, std::uint64_t rows, T lower, T upper) {
  const T largest = 2 * cast_up<T>(rows) * max_checked(abs_checked(lower), upper);
  const bool depends_on_pairs = lower < 0 && upper > 0 && !std::isfinite(largest);
  return order == SumOrder::pairwise && depends_on_pairs
             ? reduce_function<PairwiseSum<T, SaturateLast>>()
             : sum_function<T, SaturatingAdd>(order);
}

void check_cannot_overflow(std::uint64_t size, const Bounds &bounds, Summation summation) {
  if (float_sum_can_overflow(size, bounds, summation)) {
    throw Error(ErrorKind::make_transformation,
                "potential for overflow when computing function. You could "
                "resolve this by "
                "choosing tighter clipping bounds.");
  }
}

// The parts of a sum's spaces and map that do not depend on how it adds.
template <class T>
struct Space {
  Space(std::uint64_t rows, T lower, T upper, Summation summation)
      : range(sub_up(upper, lower)),
        relaxation(sum_relaxation(summation.order, rows, lower, upper)),
        atom(closed_atom(summation.type, lower, upper)),
        mag(max_checked(abs_checked(lower), upper)) {}

  T range;
  T relaxation;
  AtomDomain atom;
  T mag;
};

template <class T>
StabilityMap unsized_map(const Space<T> &space) {
  const T row_effect = std::max(space.range, space.mag);
  return map_rows<T>([row_effect, relaxation = space.relaxation](std::uint32_t d_in) {
    return add_up(mul_up(cast_up<T>(d_in), row_effect), relaxation);
  });
}

template <class T>
StabilityMap sized_map(const Space<T> &space) {
  return map_rows<T>([range = space.range, relaxation = space.relaxation](std::uint32_t d_in) {
    return add_up(mul_up(cast_up<T>(d_in / 2), range), relaxation);
  });
}

Transformation make_float_sum(
    Domain input_domain, Metric input_metric, AtomType type, Function function, StabilityMap map) {
  return Transformation(std::move(input_domain),
                        std::move(input_metric),
                        non_nan_atom(type),
                        absolute_distance(type),
                        std::move(function),
                        std::move(map));
}

}  // namespace

bool float_sum_can_overflow(std::uint64_t size, const Bounds &bounds, Summation summation) {
  return with_bounds(bounds, summation, [&](auto lower, auto upper) {
    return float_sum_can_overflow(summation.order, size, lower, upper);
  });
}

Transformation make_bounded_float_checked_sum(std::uint64_t size_limit,
                                              const Bounds &bounds,
                                              Summation summation) {
  return with_bounds(bounds, summation, [&](auto lower, auto upper) {
    using T = decltype(lower);
    check_cannot_overflow(size_limit, bounds, summation);
    const Space<T> space(size_limit, lower, upper, summation);
    return make_float_sum(vector_of(space.atom),
                          symmetric_distance(),
                          summation.type,
                          keep_sample(size_limit).then(sum_function<T, PlainAdd>(summation.order)),
                          unsized_map(space));
  });
}

Transformation make_sized_bounded_float_checked_sum(std::uint64_t size,
                                                    const Bounds &bounds,
                                                    Summation summation) {
  return with_bounds(bounds, summation, [&](auto lower, auto upper) {
    using T = decltype(lower);
    check_cannot_overflow(size, bounds, summation);
    const Space<T> space(size, lower, upper, summation);
    return make_float_sum(vector_of(space.atom, size),
                          symmetric_distance(),
                          summation.type,
                          sum_function<T, PlainAdd>(summation.order),
                          sized_map(space));
  });
}

Transformation make_bounded_float_ordered_sum(std::uint64_t size_limit,
                                              const Bounds &bounds,
                                              Summation summation) {
  return with_bounds(bounds, summation, [&](auto lower, auto upper) {
    using T = decltype(lower);
    const Space<T> space(size_limit, lower, upper, summation);
    return make_float_sum(
        vector_of(space.atom),
        insert_delete_distance(),
        summation.type,
        keep_first(size_limit).then(saturating_function(summation.order, size_limit, lower, upper)),
        unsized_map(space));
  });
}

Transformation make_sized_bounded_float_ordered_sum(std::uint64_t size,
                                                    const Bounds &bounds,
                                                    Summation summation) {
  return with_bounds(bounds, summation, [&](auto lower, auto upper) {
    using T = decltype(lower);
    const Space<T> space(size, lower, upper, summation);
    return make_float_sum(vector_of(space.atom, size),
                          insert_delete_distance(),
                          summation.type,
                          saturating_function(summation.order, size, lower, upper),
                          sized_map(space));
  });
}

}  // namespace dp
