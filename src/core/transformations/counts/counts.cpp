#include "core/transformations/counts/counts.h"

#include "core/numeric/limits.h"

namespace dp {
namespace {

template <class T>
T saturated(std::uint64_t count) {
  constexpr auto kMost = static_cast<uint128_t>(kMaxConsecutive<T>);
  return count < kMost ? static_cast<T>(count) : kMaxConsecutive<T>;
}

}  // namespace

void check_symmetric(const Metric& input_metric) {
  if (input_metric != symmetric_distance()) {
    refuse_metric(input_metric, "input_metric must be SymmetricDistance");
  }
}

std::uint32_t counts_moved(const Metric& input_metric) {
  if (input_metric == change_one_distance()) return 2;
  check_symmetric(input_metric);
  return 1;
}

Scalar saturated_count(std::uint64_t count, AtomType type) {
  return visit_number(
      type, [&](auto tag) -> Scalar { return saturated<typename decltype(tag)::type>(count); });
}

ColumnPtr saturated_counts(const std::vector<std::uint64_t>& counts,
                           std::size_t size,
                           AtomType type) {
  return visit_number(type, [&](auto tag) -> ColumnPtr {
    using T = typename decltype(tag)::type;
    auto out = std::make_shared<OwnedColumn<T>>(type, size);
    for (std::size_t i = 0; i < size; ++i) out->cells()[i] = saturated<T>(counts[i]);
    return out;
  });
}

}  // namespace dp
