// The row operator of make_clamp, named so that reducers can take it over.
#pragma once

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

  Block run(const Block& in, BlockBuffer& buffer) const override {
    const T* from = in.as<T>();
    T* to = buffer.cells<T>(in.size);
    bool nan = false;
    for (std::size_t i = 0; i < in.size; ++i) {
      const T x = from[i];
      nan |= x != x;
      to[i] = x < lower_ ? lower_ : (upper_ < x ? upper_ : x);
    }
    if (nan) throw Error(ErrorKind::failed_function, "clamp must not be called on NaN.");
    return {to, nullptr, in.size};
  }

 private:
  AtomType type_;
  T lower_;
  T upper_;
};

}  // namespace dp
