#include "core/measurements/threshold_stage.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/data/map.h"
#include "core/measurements/checked_column.h"
#include "core/measurements/noise_grid.h"
#include "core/numeric/rational.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr std::size_t kThresholdChunkRows = 16 * kBatchRows;

template <class T>
T released(const Integer& noisy, int k) {
  if constexpr (kIsFloat<T>) {
    return grid_value<T>(noisy, k);
  } else {
    if (noisy <= to_integer(static_cast<int128_t>(kMin<T>))) return kMin<T>;
    if (noisy >= to_integer(static_cast<int128_t>(kMax<T>))) return kMax<T>;
    return static_cast<T>(to_int128(noisy));
  }
}

template <class T>
Integer on_grid(T x, int k) {
  if constexpr (kIsFloat<T>) {
    return grid_index(x, k);
  } else {
    return to_integer(static_cast<int128_t>(x));
  }
}

// The values with noise, by place, and which of them are released: the others must not outlive
// this.
template <class T>
struct Noisy {
  explicit Noisy(std::size_t size)
      : values(size), kept(size), wiper(values.data(), size * sizeof(T)) {}
  std::vector<T> values;
  std::vector<std::uint8_t> kept;
  Wiper wiper;  // goes first
};

// The cells of `rows` at places where `kept`; of all those, `count` in number.
template <class T, class CellAt>
ColumnPtr filtered(AtomType type,
                   const std::vector<std::uint8_t>& kept,
                   std::size_t count,
                   CellAt&& each) {
  auto out = std::make_shared<OwnedColumn<T>>(type, count);
  std::size_t next = 0;
  each([&](const auto& cell, std::size_t i) {
    if (kept[i] == 0) return;
    if constexpr (std::is_same_v<T, std::string>) {
      out->cells()[next++] = out->keep(std::string(cell));
    } else {
      out->cells()[next++] = cell;
    }
  });
  return out;
}

ColumnPtr kept_keys(const Column& keys, const std::vector<std::uint8_t>& kept, std::size_t count) {
  return visit_atom(keys.type(), [&](auto tag) {
    using K = typename decltype(tag)::type;
    return filtered<K>(keys.type(), kept, count, [&](auto&& visit) { each_cell<K>(keys, visit); });
  });
}

template <class T>
class ThresholdNoise final : public WholeStage {
 public:
  ThresholdNoise(AtomType type, int k, std::shared_ptr<const GridNoise> noise, Threshold threshold)
      : type_(type), k_(k), noise_(std::move(noise)), threshold_(std::move(threshold)) {}

  // Sorting the released keys is less work than sorting all keys.
  bool takes_any_order() const override { return true; }

  Value run(const Value& value) const override {
    const MapPtr& map = map_in(value);
    check_member_column<T>(*map->values, std::nullopt);
    Noisy<T> noisy(map->values->size());
    noise_all(*map->values, noisy);
    const auto count =
        static_cast<std::size_t>(std::count(noisy.kept.begin(), noisy.kept.end(), 1));
    Map out;
    out.values = filtered<T>(type_, noisy.kept, count, [&](auto&& visit) {
      for (std::size_t i = 0; i < noisy.values.size(); ++i) visit(noisy.values[i], i);
    });
    out.keys = kept_keys(*map->keys, noisy.kept, count);
    return sorted_map(*out.keys, *out.values);
  }

 private:
  void noise_all(const Column& rows, Noisy<T>& noisy) const {
    const std::size_t n = rows.size();
    const std::size_t threads = rows.concurrent() ? threads_for_draws(n) : 1;
    parallel_for(
        (n + kThresholdChunkRows - 1) / kThresholdChunkRows, threads, [&](std::size_t chunk) {
          BatchBuffer buffer;
          const std::size_t end = std::min(n, (chunk + 1) * kThresholdChunkRows);
          for (std::size_t begin = chunk * kThresholdChunkRows; begin < end; begin += kBatchRows) {
            const Batch batch = rows.read(begin, std::min(kBatchRows, end - begin), buffer);
            add(batch, &noisy.values[begin], &noisy.kept[begin], secure_bits());
          }
        });
  }

  void add(const Batch& in, T* out, std::uint8_t* kept, BitSource& bits) const {
    std::int64_t drawn[kBatchRows];
    const Wiper wiper(drawn, sizeof(drawn));
    const bool small = noise_->fits_int64();
    if (small) noise_->fill(drawn, in.size, bits);
    for (std::size_t i = 0; i < in.size; ++i) {
      const T x = in.as<T>()[i];
      const Integer noisy = on_grid(x, k_) + (small ? Integer(drawn[i]) : noise_->draw(bits));
      out[i] = released<T>(noisy, k_);
      kept[i] = threshold_.keeps(noisy) && x != 0 ? 1 : 0;
    }
  }

  AtomType type_;
  int k_;
  std::shared_ptr<const GridNoise> noise_;
  Threshold threshold_;
};

}  // namespace

Function threshold_noise(AtomType type,
                         int k,
                         std::shared_ptr<const GridNoise> noise,
                         Threshold threshold) {
  return visit_number(type, [&](auto tag) {
    return stage_function<ThresholdNoise<typename decltype(tag)::type>>(
        type, k, std::move(noise), std::move(threshold));
  });
}

}  // namespace dp
