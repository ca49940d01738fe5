#include "core/measurements/alp_table.h"

#include <algorithm>

#include "core/numeric/rational.h"
#include "core/random/bernoulli.h"
#include "core/runtime/parallel.h"

namespace dp {

std::uint64_t hash_of_key(std::uint64_t key) {
  // The finalizer of SplitMix64 (Steele, Lea and Flood 2014), a bijection.
  key ^= key >> 30;
  key *= 0xBF58476D1CE4E5B9;
  key ^= key >> 27;
  key *= 0x94D049BB133111EB;
  return key ^ (key >> 31);
}

std::uint64_t hash_of_key(std::string_view key) {
  // FNV-1a, 64 bits (Fowler, Noll and Vo).
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash_of_key(hash);
}

AlpTable::AlpTable(unsigned log2_size, std::size_t hashes, BitSource& bits)
    : log2_size_(log2_size), table_(std::size_t{1} << log2_size) {
  hashes_.reserve(hashes);
  for (std::size_t i = 0; i < hashes; ++i) hashes_.push_back({bits.word() | 1, bits.word()});
}

void AlpTable::add(std::uint64_t key_hash, const Rational& value, BitSource& bits) {
  const Integer whole = floor(value);
  const Integer rounded = whole + (bernoulli(value - whole, bits) ? 1 : 0);
  const std::size_t count =
      rounded < hashes_.size() ? static_cast<std::size_t>(rounded) : hashes_.size();
  for (std::size_t i = 0; i < count; ++i) table_[place(hashes_[i], key_hash)] = true;
}

void AlpTable::flip(double p, BitSource& bits) {
  constexpr std::size_t kBitsBetweenInterrupts = std::size_t{1} << 20;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (i % kBitsBetweenInterrupts == 0) check_interrupt();
    if (bernoulli(p, bits)) table_[i] = !table_[i];
  }
}

double AlpTable::estimate(std::uint64_t key_hash) const {
  std::int64_t sum = 0;
  std::int64_t greatest = 0;
  double places = 0;
  double count = 1;  // place 0
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    sum += table_[place(hashes_[i], key_hash)] ? 1 : -1;
    if (sum < greatest) continue;
    if (sum > greatest) places = count = 0;
    greatest = sum;
    places += static_cast<double>(i + 1);
    count += 1;
  }
  return places / count;
}

}  // namespace dp
