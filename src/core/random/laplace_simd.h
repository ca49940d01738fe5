// The vector tier of bulk Laplace noise: double arithmetic that answers only where its proven error
// cannot matter, and says kUndecided elsewhere. Which instruction set runs changes how much is left
// undecided, never an answer. Error bounds: PROOFS.md, section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace dp {

// Blocks have at most this many elements. Arrays are of this length: lanes past the end are read
// and written.
constexpr std::size_t kLaneBlock = 512;

constexpr std::int64_t kUndecided = std::numeric_limits<std::int64_t>::min();

struct LaplaceLanes {
  double scale;             // s in [2^-10, 2^20], to a relative 2^-52
  double offset;            // c in [0, ln 2], to 2^-52
  std::uint64_t sign_mask;  // 1 negates the magnitude where the word is odd, 0 never
};

// drawn[i] = floor(s * (-ln U + c)) for the uniform U that words[i] begins, its lowest bit apart.
void laplace_lanes(const LaplaceLanes& law,
                   const std::uint64_t* words,
                   std::int64_t* drawn,
                   std::size_t size);

// drawn[i] = sign * (drawn[i] * 2^remainder_bits + r): r and the coin that keeps it are the high
// and the low bits of remainder_words[i], the sign the lowest bit of words[i]. Undecided if
// drawn[i] is, if the first 18 bits of the coin are all ones, and for (-, 0). 0 < remainder_bits
// <= 36.
void join_lanes(unsigned remainder_bits,
                const std::uint64_t* words,
                const std::uint64_t* remainder_words,
                std::int64_t* drawn,
                std::size_t size);

}  // namespace dp
