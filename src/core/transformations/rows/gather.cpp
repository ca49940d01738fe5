#include "core/transformations/rows/gather.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/runtime/parallel.h"
#include "core/shuffle/random_partition.h"
#include "core/transformations/rows/row_types.h"

namespace dp {
namespace {

#ifdef DP_TEST_HOOKS
thread_local const ScopedShuffle::Shuffle* g_shuffle = nullptr;
#endif

// A cell that lives as long as `rows`.
template <class T, class V>
Element<T> kept(OwnedColumn<T>& rows, const V& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return rows.keep(std::string(value));
  } else {
    return value;
  }
}

template <class T>
void pad(OwnedColumn<T>& rows, const std::optional<Scalar>& padding) {
  if (padding) {
    const Element<T> cell = kept(rows, std::get<T>(*padding));
    std::fill(rows.cells(), rows.cells() + rows.size(), cell);
  } else {
    std::fill(rows.valid(), rows.valid() + rows.size(), std::uint8_t{0});
  }
}

}  // namespace

ColumnPtr gather(const Column& rows,
                 const std::vector<std::size_t>& places,
                 std::size_t size,
                 const std::optional<Scalar>& padding) {
  return visit_prim(rows.type(), [&](auto tag) -> ColumnPtr {
    using T = typename decltype(tag)::type;
    const auto out = std::make_shared<OwnedColumn<T>>(rows.type(), size);
    if (rows.size() < size) pad(*out, padding);
    const bool null_padding = rows.size() < size && !padding;
    BatchBuffer buffer;
    for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
      check_interrupt();
      buffer.clear_text();
      const Batch in = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
      for (std::size_t i = 0; i < in.size; ++i) {
        const std::size_t place = places[begin + i];
        if (place >= size) continue;
        const bool present = in.valid == nullptr || in.valid[i] != 0;
        if (present) out->cells()[place] = kept(*out, in.template as<T>()[i]);
        if (!present || null_padding) out->valid()[place] = present ? 1 : 0;
      }
    }
    return out;
  });
}

std::vector<std::size_t> places_in_order(std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

std::vector<std::size_t> places_at_random(std::size_t count) {
#ifdef DP_TEST_HOOKS
  if (g_shuffle != nullptr) {
    std::vector<std::size_t> ordered = places_in_order(count);
    (*g_shuffle)(ordered);
    return ordered;
  }
#endif
  std::vector<std::size_t> places(count);
  random_order(places.data(), count);
  return places;
}

#ifdef DP_TEST_HOOKS
ScopedShuffle::ScopedShuffle(Shuffle shuffle) : shuffle_(std::move(shuffle)) {
  g_shuffle = &shuffle_;
}
ScopedShuffle::~ScopedShuffle() { g_shuffle = nullptr; }
#endif

}  // namespace dp
