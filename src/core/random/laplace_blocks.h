// Discrete Laplace noise in bulk: vector lanes first, then certified integers for open cases.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"
#include "core/random/inversion.h"
#include "core/random/laplace_simd.h"

namespace dp {

class LaplaceBlocks {
 public:
  // Setting up costs as much as this many single draws.
  static constexpr std::size_t kWorthwhile = 128;

  // `law` must fit int64, have a scale above 0, and outlive this.
  explicit LaplaceBlocks(const DiscreteLaplace& law);

  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const;

 private:
  std::int64_t finish_whole(std::int64_t drawn, std::uint64_t word, BitSource& bits) const;
  std::int64_t finish_joined(std::int64_t drawn,
                             std::uint64_t word,
                             std::uint64_t remainder_word,
                             BitSource& bits) const;

  const DiscreteLaplace& law_;
  bool joined_;  // drawn as quotient and remainder, rather than the folded magnitude at once
  Inversion inversion_;
  LaplaceLanes lanes_;
};

}  // namespace dp
