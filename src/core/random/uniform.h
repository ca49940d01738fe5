// Uniform integers below a bound: exact, by rejection.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// Uniform on 0 .. n-1 from fair words of one width, n >= 1. `Wide` holds the product of two words.
//
// A word w falls to floor(w * n / 2^N). Dropping the words whose low half w * n mod 2^N is below
// 2^N mod n leaves floor(2^N / n) words for each result. Source: Lemire (2019), "Fast random
// integer generation in an interval", ACM TOMACS 29(1).
template <class Word, class Wide, class Draw>
Word below_by_multiplication(Word n, Draw draw) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  Wide product = static_cast<Wide>(static_cast<Wide>(draw()) * n);
  if (static_cast<Word>(product) < n) {
    const Word surplus = static_cast<Word>(static_cast<Word>(Word{0} - n) % n);  // 2^N mod n
    while (static_cast<Word>(product) < surplus) {
      product = static_cast<Wide>(static_cast<Wide>(draw()) * n);
    }
  }
  return static_cast<Word>(product >> kBits);
}

// Uniform on 0 .. n-1. Throws if n is 0.
std::uint64_t uniform_below(std::uint64_t n, BitSource& bits);

// Uniform on 0 .. n-1, at any size. Takes as few bits as n - 1 has, again after each rejection.
Integer uniform_below(const Integer& n, BitSource& bits);

// `count` fair bits as a number below 2^count.
Integer uniform_bits(std::size_t count, BitSource& bits);

}  // namespace dp
