#include "core/measurements/noise_stage.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/measurements/noise_grid.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "core/runtime/parallel.h"
#include "core/runtime/scratch.h"

namespace dp {
namespace {

constexpr std::size_t kChunkRows = 32 * kBatchRows;

template <class T>
T saturated(const Integer& value) {
  if (value <= to_integer(static_cast<int128_t>(kMin<T>))) return kMin<T>;
  if (value >= to_integer(static_cast<int128_t>(kMax<T>))) return kMax<T>;
  return static_cast<T>(to_int128(value));
}

// The number at the grid point of `x` moved by `noise` steps.
template <class T>
T moved(T x, const Integer& noise, int k) {
  if constexpr (kIsFloat<T>) {
    return grid_value<T>(grid_index(x, k) + noise, k);
  } else {
    return saturated<T>(to_integer(static_cast<int128_t>(x)) + noise);
  }
}

template <class T>
T moved(T x, std::int64_t noise, int k) {
  if constexpr (kIsFloat<T>) {
    return moved(x, Integer(noise), k);
  } else {
    // 64 bits suffice for a type within int64: results beyond int64 are beyond the type's bounds.
    using Wide = std::conditional_t<std::is_convertible_v<T, std::int64_t> &&
                                        (sizeof(T) < 8 || std::is_same_v<T, std::int64_t>),
                                    std::int64_t,
                                    int128_t>;
    Wide sum;
    if (__builtin_add_overflow(static_cast<Wide>(x), static_cast<Wide>(noise), &sum)) {
      return noise < 0 ? kMin<T> : kMax<T>;
    }
    return static_cast<T>(std::clamp(sum, static_cast<Wide>(kMin<T>), static_cast<Wide>(kMax<T>)));
  }
}

template <class T>
bool is_member(T x) {
  if constexpr (kIsFloat<T>) {
    return !std::isnan(x);
  } else {
    return true;
  }
}

template <class T>
class ScalarNoise final : public WholeStage {
 public:
  ScalarNoise(int k, std::shared_ptr<const GridNoise> noise) : k_(k), noise_(std::move(noise)) {}

  Value run(const Value& value) const override {
    const T x = element_in<T>(value);
    if (!is_member(x)) refuse_nonmember();
    return Scalar(moved(x, noise_->draw(secure_bits()), k_));
  }

 private:
  int k_;
  std::shared_ptr<const GridNoise> noise_;
};

template <class T>
class VectorNoise final : public WholeStage {
 public:
  VectorNoise(AtomType type,
              int k,
              std::optional<std::uint64_t> size,
              std::shared_ptr<const GridNoise> noise)
      : type_(type), k_(k), size_(size), noise_(std::move(noise)) {}

  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    const std::size_t n = rows.size();
    if (size_ && n != *size_) refuse_nonmember();
    each_block(rows, 0, n, [](const Batch& in, std::size_t) {
      check_interrupt();
      check_members(in);
    });

    auto out = std::make_shared<OwnedColumn<T>>(type_, n);
    const std::size_t threads = rows.concurrent() ? threads_for_draws(n) : 1;
    parallel_for((n + kChunkRows - 1) / kChunkRows, threads, [&](std::size_t i) {
      const std::size_t begin = i * kChunkRows;
      add(rows, begin, std::min(n, begin + kChunkRows), out->cells(), secure_bits());
    });
    return ColumnPtr(std::move(out));
  }

 private:
  template <class F>
  static void each_block(const Column& rows, std::size_t begin, std::size_t end, F&& consume) {
    BatchBuffer buffer;
    for (; begin < end; begin += kBatchRows) {
      consume(rows.read(begin, std::min(kBatchRows, end - begin), buffer), begin);
    }
  }

  static void check_members(const Batch& in) {
    const T* cells = in.as<T>();
    for (std::size_t i = 0; i < in.size; ++i) {
      if ((in.valid != nullptr && in.valid[i] == 0) || !is_member(cells[i])) refuse_nonmember();
    }
  }

  void add(const Column& rows, std::size_t begin, std::size_t end, T* out, BitSource& bits) const {
    const std::size_t size = end - begin;
    if (!noise_->fits_int64()) {
      move_all(rows, begin, end, out, [&](std::size_t) { return noise_->draw(bits); });
      return;
    }
    // Draws the noise of all rows at once, so that the law is prepared only once.
    const Scratch<std::int64_t> noise = make_scratch<std::int64_t>(size);
    const Wiper wiper(noise.get(), size * sizeof(noise[0]));
    noise_->fill(noise.get(), size, bits);
    move_all(rows, begin, end, out, [&](std::size_t at) { return noise[at - begin]; });
  }

  template <class NoiseAt>
  void move_all(
      const Column& rows, std::size_t begin, std::size_t end, T* out, NoiseAt noise_at) const {
    each_block(rows, begin, end, [&](const Batch& in, std::size_t at) {
      const T* cells = in.as<T>();
      for (std::size_t i = 0; i < in.size; ++i) out[at + i] = moved(cells[i], noise_at(at + i), k_);
    });
  }

  AtomType type_;
  int k_;
  std::optional<std::uint64_t> size_;
  std::shared_ptr<const GridNoise> noise_;
};

}  // namespace

std::size_t threads_for_draws(std::size_t draws) {
  constexpr std::size_t kWorthwhile = std::size_t{1} << 16;
  return draws >= kWorthwhile ? thread_count() : 1;
}

Function scalar_noise(AtomType type, int k, std::shared_ptr<const GridNoise> noise) {
  return visit_number(type, [&](auto tag) {
    return stage_function<ScalarNoise<typename decltype(tag)::type>>(k, std::move(noise));
  });
}

Function vector_noise(AtomType type,
                      int k,
                      std::optional<std::uint64_t> size,
                      std::shared_ptr<const GridNoise> noise) {
  return visit_number(type, [&](auto tag) {
    return stage_function<VectorNoise<typename decltype(tag)::type>>(
        type, k, size, std::move(noise));
  });
}

}  // namespace dp
