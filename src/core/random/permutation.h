// Uniform permutations, and uniform partitions into blocks of nearly equal size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/numeric/int128.h"
#include "core/random/bit_source.h"
#include "core/random/uniform.h"

namespace dp {

// Independent uniform indices below n, n - 1, ..., n - Count + 1 from one word; n >= Count, and
// n^Count must fit a word.
//
// The word times the product of the bounds, in the mixed radix of the bounds, shows one index after
// the other in its high digits; rejection as in below_by_multiplication() makes them exactly
// uniform. Source: Brackett-Rozinsky and Lemire (2024), "Batched ranged random integer generation",
// Software: Practice and Experience.
template <class Word, class Wide, unsigned Count, class Draw>
void falling_indices(Word n, Word (&index)[Count], Draw draw) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  Word product = 1;
  for (unsigned i = 0; i < Count; ++i) product = static_cast<Word>(product * (n - i));
  Word surplus = 0;
  Word rest;
  do {
    rest = draw();
    for (unsigned i = 0; i < Count; ++i) {
      const auto digits = static_cast<Wide>(static_cast<Wide>(rest) * static_cast<Word>(n - i));
      index[i] = static_cast<Word>(digits >> kBits);
      rest = static_cast<Word>(digits);
    }
    if (rest < product) surplus = static_cast<Word>(static_cast<Word>(Word{0} - product) % product);
  } while (rest < surplus);
}

// Puts the elements into a uniformly random order (Fisher and Yates, several indices per word).
template <class T>
void shuffle(T* first, std::size_t size, BitSource& bits) {
  std::uint64_t left = size;
  const auto draw = [&bits] { return bits.word(); };
  const auto place = [&](auto& index) {
    falling_indices<std::uint64_t, uint128_t>(left, index, draw);
    for (const std::uint64_t i : index) std::swap(first[i], first[--left]);
  };
  for (std::uint64_t one[1]; left > std::uint64_t{1} << 30;) place(one);
  for (std::uint64_t two[2]; left > std::uint64_t{1} << 20;) place(two);
  for (std::uint64_t three[3]; left > std::uint64_t{1} << 15;) place(three);
  for (std::uint64_t four[4]; left > std::uint64_t{1} << 12;) place(four);
  for (std::uint64_t five[5]; left >= 5;) place(five);
  for (std::uint64_t one[1]; left > 1;) place(one);
}

// Writes a uniformly random permutation of 0 .. size-1. Throws if `size` exceeds 2^32.
void random_order(std::uint32_t* order, std::size_t size, BitSource& bits);

// Where block `block` of `blocks` begins when `size` elements are cut in order: the first
// size % blocks blocks have one element more than the others. Block `blocks` begins at the end.
inline std::size_t block_begin(std::size_t size, std::size_t blocks, std::size_t block) {
  const std::size_t longer = size % blocks;
  return block * (size / blocks) + (block < longer ? block : longer);
}

// Assigns 0 .. size-1 to `blocks` blocks, every partition into blocks of these sizes equally
// likely: block b is order[block_begin(size, blocks, b)] up to the next. The order inside a block
// is arbitrary and not random. Throws if `size` exceeds 2^32, or if `blocks` is 0 or exceeds
// `size`; writes nothing if `size` is 0.
void random_partition(std::uint32_t* order, std::size_t size, std::size_t blocks, BitSource& bits);

}  // namespace dp
