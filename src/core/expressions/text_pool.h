// Pool of all texts of a query, each stored once. Within one query a number represents a text, and
// two texts are equal if and only if their numbers are.
//
// Privacy: the numbers depend on the arrival order of texts, and so on the data. Use them
// only to decide whether two texts are equal.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/siphash.h"

namespace dp::query {

class TextPool {
 public:
  explicit TextPool(const SipKey& key = {0, 0}) : key_(key) {}

  // Returns the number of `text`, which is copied.
  std::int64_t copy(std::string_view text);

  // Returns the number of a text that outlives the pool.
  std::int64_t view(std::string_view text);

  std::int64_t size() const { return static_cast<std::int64_t>(texts_.size()); }

  std::string_view text(std::int64_t number) const {
    return texts_[static_cast<std::size_t>(number)];
  }

  // A hash of the text, under the pool's key.
  std::uint64_t hash(std::int64_t number) const {
    return hashes_[static_cast<std::size_t>(number)];
  }

 private:
  std::int64_t number_of(std::string_view text, bool lasting);
  void grow();

  SipKey key_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // a number and 1, or 0; a power of two of them
  std::deque<std::string> owned_;
};

}  // namespace dp::query
