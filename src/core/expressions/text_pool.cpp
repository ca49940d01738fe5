#include "core/expressions/text_pool.h"

#include <limits>

#include "core/error.h"

namespace dp::query {

std::int64_t TextPool::copy(std::string_view text) { return number_of(text, false); }
std::int64_t TextPool::view(std::string_view text) { return number_of(text, true); }

std::int64_t TextPool::number_of(std::string_view text, bool lasting) {
  if (2 * (texts_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash = siphash(key_, text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    const std::size_t number = slots_[at] - 1;
    if (hashes_[number] == hash && texts_[number] == text) return static_cast<std::int64_t>(number);
  }
  if (texts_.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
    throw Error(ErrorKind::memory, "there are too many different texts.");
  }
  texts_.push_back(lasting ? text : std::string_view(owned_.emplace_back(text)));
  hashes_.push_back(hash);
  slots_[at] = static_cast<std::uint32_t>(texts_.size());
  return static_cast<std::int64_t>(texts_.size() - 1);
}

void TextPool::grow() {
  const std::size_t size = slots_.empty() ? 64 : 2 * slots_.size();
  slots_.assign(size, 0);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    std::size_t at = hashes_[i] & (size - 1);
    while (slots_[at] != 0) at = (at + 1) & (size - 1);
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace dp::query
