#include "core/transformations/sums/int_sum.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/limits.h"
#include "core/transformations/stability.h"
#include "core/transformations/sums/int_sum_reducers.h"

namespace dp {
namespace {

// Calls f(lower, upper) with the bounds in their carrier type.
template <class F>
auto with_bounds(const Bounds& bounds, AtomType type, F&& f) {
  return visit_integer(type, [&](auto tag) -> decltype(f(std::int32_t{}, std::int32_t{})) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, int128_t>) {
      detail::refuse_type(type, "integers of at most 64 bits");
    } else {
      return f(scalar_as<T>(bounds.lower, "bounds"), scalar_as<T>(bounds.upper, "bounds"));
    }
  });
}

// In 128 bits, where nothing overflows.
template <class T>
int128_t int_magnitude(T lower, T upper) {
  const auto low = static_cast<int128_t>(lower);
  return std::max(low < 0 ? -low : low, static_cast<int128_t>(upper));
}

template <class T>
StabilityMap unsized_map(T lower, T upper) {
  const T row_effect = std::max(abs_checked(lower), upper);
  return map_rows<T>(
      [row_effect](std::uint32_t d_in) { return mul_up(exact_cast<T>(d_in), row_effect); });
}

template <class T>
StabilityMap sized_map(T range) {
  return map_rows<T>(
      [range](std::uint32_t d_in) { return mul_up(exact_cast<T>(d_in / 2), range); });
}

enum class Order { none, given };

template <class T>
Transformation make_int_sum(std::optional<std::uint64_t> size,
                            T lower,
                            T upper,
                            AtomType type,
                            Order order,
                            Function function) {
  // The order of the two checks is part of the contract.
  std::optional<StabilityMap> map;
  if (size) map = sized_map(sub_up(upper, lower));
  Domain input = vector_of(closed_atom(type, lower, upper), size);
  if (!size) map = unsized_map(lower, upper);
  return Transformation(std::move(input),
                        order == Order::given ? insert_delete_distance() : symmetric_distance(),
                        default_atom(type),
                        absolute_distance(type),
                        std::move(function),
                        std::move(*map));
}

Transformation make_monotonic(std::optional<std::uint64_t> size,
                              const Bounds& bounds,
                              AtomType type) {
  return with_bounds(bounds, type, [&](auto lower, auto upper) {
    using T = decltype(lower);
    if (!signs_agree(bounds, type)) {
      throw Error(ErrorKind::make_transformation,
                  "monotonic summation requires bounds to share the same sign");
    }
    return make_int_sum(size, lower, upper, type, Order::none, ordered_int_sum<T>());
  });
}

Transformation make_ordered(std::optional<std::uint64_t> size,
                            const Bounds& bounds,
                            AtomType type) {
  return with_bounds(bounds, type, [&](auto lower, auto upper) {
    using T = decltype(lower);
    return make_int_sum(size, lower, upper, type, Order::given, ordered_int_sum<T>());
  });
}

Transformation make_split(std::optional<std::uint64_t> size, const Bounds& bounds, AtomType type) {
  return with_bounds(bounds, type, [&](auto lower, auto upper) {
    using T = decltype(lower);
    return make_int_sum(size, lower, upper, type, Order::none, split_int_sum<T>());
  });
}

}  // namespace

bool int_sum_can_overflow(std::uint64_t size, const Bounds& bounds, AtomType type) {
  return with_bounds(bounds, type, [&](auto lower, auto upper) {
    using T = decltype(lower);
    constexpr auto kLimit = static_cast<uint128_t>(kMax<T>);
    const auto mag = static_cast<uint128_t>(int_magnitude(lower, upper));
    return size > kLimit || mag > kLimit || mag * size > kLimit;  // the product has <= 128 bits
  });
}

bool signs_agree(const Bounds& bounds, AtomType type) {
  return with_bounds(bounds, type, [](auto lower, auto upper) {
    return lower == 0 || upper == 0 || (lower > 0) == (upper > 0);
  });
}

Transformation make_sized_bounded_int_checked_sum(std::uint64_t size,
                                                  const Bounds& bounds,
                                                  AtomType type) {
  return with_bounds(bounds, type, [&](auto lower, auto upper) {
    using T = decltype(lower);
    if (int_sum_can_overflow(size, bounds, type)) {
      throw Error(ErrorKind::make_transformation,
                  "potential for overflow when computing function. You could resolve this by "
                  "choosing tighter clipping bounds.");
    }
    return make_int_sum(std::optional(size), lower, upper, type, Order::none, exact_int_sum<T>());
  });
}

Transformation make_bounded_int_monotonic_sum(const Bounds& bounds, AtomType type) {
  return make_monotonic(std::nullopt, bounds, type);
}

Transformation make_sized_bounded_int_monotonic_sum(std::uint64_t size,
                                                    const Bounds& bounds,
                                                    AtomType type) {
  return make_monotonic(size, bounds, type);
}

Transformation make_bounded_int_ordered_sum(const Bounds& bounds, AtomType type) {
  return make_ordered(std::nullopt, bounds, type);
}

Transformation make_sized_bounded_int_ordered_sum(std::uint64_t size,
                                                  const Bounds& bounds,
                                                  AtomType type) {
  return make_ordered(size, bounds, type);
}

Transformation make_bounded_int_split_sum(const Bounds& bounds, AtomType type) {
  return make_split(std::nullopt, bounds, type);
}

Transformation make_sized_bounded_int_split_sum(std::uint64_t size,
                                                const Bounds& bounds,
                                                AtomType type) {
  return make_split(size, bounds, type);
}

}  // namespace dp
