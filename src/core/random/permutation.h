// Uniform permutations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/numeric/int128.h"
#include "core/random/bit_source.h"
#include "core/random/uniform.h"

namespace dp {

// Independent uniform indices below n, n - 1, ..., n - Count + 1 from one word; n >= Count, and
// n^Count must fit a word. `bound` is at least their product, or 0 where that is not known, and
// becomes their product when that has to be computed: seldom, for falling n.
//
// The word times the product of the bounds, in the mixed radix of the bounds, shows one index after
// the other in its high digits; rejection as in below_by_multiplication() makes them exactly
// uniform. Source: Brackett-Rozinsky and Lemire (2024), "Batched ranged random integer generation",
// Software: Practice and Experience.
template <class Word, class Wide, unsigned Count, class Draw>
void falling_indices(Word n, Word& bound, Word (&index)[Count], Draw draw) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  const auto split = [&] {
    Word rest = draw();
    for (unsigned i = 0; i < Count; ++i) {
      const auto digits = static_cast<Wide>(static_cast<Wide>(rest) * static_cast<Word>(n - i));
      index[i] = static_cast<Word>(digits >> kBits);
      rest = static_cast<Word>(digits);
    }
    return rest;
  };
  Word rest = split();
  if (rest >= bound && bound != 0) return;
  bound = 1;
  for (unsigned i = 0; i < Count; ++i) bound = static_cast<Word>(bound * (n - i));
  if (rest >= bound) return;
  const Word surplus = static_cast<Word>(static_cast<Word>(Word{0} - bound) % bound);
  while (rest < surplus) rest = split();
}

// Puts the elements into a uniformly random order (Fisher and Yates, several indices per word).
template <class T>
void shuffle(T* first, std::size_t size, BitSource& bits) {
  std::uint64_t left = size;
  const auto draw = [&bits] { return bits.word(); };
  const auto place_while_above = [&](std::uint64_t end, auto& index) {
    std::uint64_t bound = 0;
    while (left > end) {
      falling_indices<std::uint64_t, uint128_t>(left, bound, index, draw);
      for (const std::uint64_t i : index) std::swap(first[i], first[--left]);
    }
  };
  std::uint64_t one[1], two[2], three[3], four[4], five[5], six[6];
  place_while_above(std::uint64_t{1} << 30, one);
  place_while_above(std::uint64_t{1} << 20, two);
  place_while_above(std::uint64_t{1} << 15, three);
  place_while_above(std::uint64_t{1} << 12, four);
  place_while_above(std::uint64_t{1} << 10, five);
  place_while_above(5, six);
  place_while_above(4, five);
  place_while_above(1, one);
}

}  // namespace dp
