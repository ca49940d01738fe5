// The function of additive noise: data to grid, plus one draw for each number, back to data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/function.h"
#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// Integer noise of one law, as the samplers of core/random draw it. Safe for concurrent use.
class GridNoise {
 public:
  virtual ~GridNoise() = default;
  virtual Integer draw(BitSource& bits) const = 0;
  virtual bool fits_int64() const = 0;  // fill() may be used, and is faster
  virtual void fill(std::int64_t* out, std::size_t size, BitSource& bits) const = 0;
};

template <class Sampler>
class SampledNoise final : public GridNoise {
 public:
  explicit SampledNoise(const Rational& scale) : sampler_(scale) {}
  Integer draw(BitSource& bits) const override { return sampler_.draw(bits); }
  bool fits_int64() const override { return sampler_.fits_int64(); }
  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const override {
    sampler_.fill(out, size, bits);
  }

 private:
  Sampler sampler_;
};

// Number of threads worth waking for `draws` draws: for few, waking them costs more than it saves.
std::size_t threads_for_draws(std::size_t draws);

// Adds an independent draw of `noise` to one number of type `type`, or to each element of a vector
// (if `size` is set, of that length), on the grid of multiples of 2^k. Integers saturate at the
// bounds of their type; floats are the nearest to the noisy grid point.
//
// The domain contains no NaN, no null and no other number of rows, and the privacy map does not
// cover them. So the function then throws failed_function with one fixed sentence, before it draws
// anything. (The reference releases noise around 0 for a NaN; but here a NaN breaks a promise about
// the data.)
Function scalar_noise(AtomType type, int k, std::shared_ptr<const GridNoise> noise);
Function vector_noise(AtomType type,
                      int k,
                      std::optional<std::uint64_t> size,
                      std::shared_ptr<const GridNoise> noise);

}  // namespace dp
