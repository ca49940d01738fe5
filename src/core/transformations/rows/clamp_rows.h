// The row operator of make_clamp, named so that reducers can take it over.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "core/engine/stage.h"
#include "core/error.h"

namespace dp {

// Rows into [lower, upper], lower <= upper. Zeros of either sign are equal, so -0 clamped to [0, 1]
// stays -0. Throws failed_function for a NaN, which is outside the domain.
template <class T>
class ClampRows final : public RowOperator {
 public:
  ClampRows(AtomType type, T lower, T upper) : type_(type), lower_(lower), upper_(upper) {}

  T lower() const { return lower_; }
  T upper() const { return upper_; }

  AtomType output_type() const override { return type_; }

  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    const T* from = in.as<T>();
    T* to = buffer.cells<T>(in.size);
    bool nan = false;
    std::size_t i = 0;
    if constexpr (std::is_floating_point_v<T>) {
      for (; i + kGroup <= in.size; i += kGroup) nan |= clamp_group(from + i, to + i);
    }
    for (; i < in.size; ++i) {
      const T x = from[i];
      nan |= x != x;
      to[i] = x < lower_ ? lower_ : (upper_ < x ? upper_ : x);
    }
    if (nan) refuse_nonmember();
    return {to, nullptr, in.size};
  }

 private:
  static constexpr std::size_t kGroup = 16;

  // Clamps kGroup rows in vectors. Returns whether one is NaN.
  bool clamp_group(const T* from, T* to) const {
    typedef T Lanes __attribute__((vector_size(16)));
    constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(T);
    Lanes lower;
    Lanes upper;
    for (std::size_t j = 0; j < kLanes; ++j) {
      lower[j] = lower_;
      upper[j] = upper_;
    }
    auto nan = lower != lower;
    for (std::size_t i = 0; i < kGroup; i += kLanes) {
      Lanes lane;
      std::memcpy(&lane, from + i, sizeof(lane));
      nan |= lane != lane;
      lane = lane < lower ? lower : lane;
      lane = upper < lane ? upper : lane;
      std::memcpy(to + i, &lane, sizeof(lane));
    }
    for (std::size_t j = 1; j < kLanes; ++j) nan[0] |= nan[j];
    return nan[0] != 0;
  }

  AtomType type_;
  T lower_;
  T upper_;
};

}  // namespace dp
