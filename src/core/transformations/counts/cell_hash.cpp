#include "core/transformations/counts/cell_hash.h"

#include <cstring>

#include "core/random/entropy.h"

namespace dp {
namespace {

template <class Word>
std::uint64_t load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

// All of fewer than eight bytes, some of them twice.
std::uint64_t rest_of(std::string_view text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (text.size() >= 4) return load<std::uint32_t>(begin) | load<std::uint32_t>(end - 4) << 32;
  if (text.empty()) return 0;
  return load<std::uint8_t>(begin) | load<std::uint8_t>(begin + text.size() / 2) << 8 |
         load<std::uint8_t>(end - 1) << 16;
}

}  // namespace

std::uint64_t CellHash::operator()(std::string_view cell) const {
  std::uint64_t hash = joined(first_, cell.size());
  for (; cell.size() >= 8; cell.remove_prefix(8))
    hash = joined(hash, load<std::uint64_t>(cell.data()));
  return (*this)(hash ^ rest_of(cell));
}

CellHash CellHash::of_process() {
  static const CellHash hash = [] {
    std::uint64_t keys[2];
    system_entropy(keys, sizeof(keys));
    return CellHash(keys[0], keys[1]);
  }();
  return hash;
}

}  // namespace dp
