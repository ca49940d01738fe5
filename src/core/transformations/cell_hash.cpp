#include "core/transformations/cell_hash.h"

#include <cstddef>
#include <cstring>

#include "core/random/entropy.h"

namespace dp {

std::uint64_t CellHash::operator()(std::string_view cell) const {
  std::uint64_t hash = joined(first_, cell.size());
  std::uint64_t word = 0;
  while (cell.size() >= sizeof(word)) {
    std::memcpy(&word, cell.data(), sizeof(word));
    hash = joined(hash, word);
    cell.remove_prefix(sizeof(word));
  }
  word = 0;
  if (!cell.empty()) std::memcpy(&word, cell.data(), cell.size());
  return (*this)(hash ^ word);
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
