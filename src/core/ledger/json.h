// JSON in which every value has one spelling, so that a hash of the bytes is one of the value.
//
//   numbers   whole, from 0 to 2^53, without leading zeros; all others are written as text
//   text      ASCII: other characters, and control characters, as \u and four lower-case digits,
//             in pairs past U+FFFF; before " and \ a backslash
//   objects   keys in the order of their bytes, each once
//   spaces    none
//
// There is no true, false or null. The parser takes what the writer writes and nothing else, so
// that to_text(parse_json(x)) == x for all that it takes. It is the only reader of files that
// somebody may have tampered with; it neither recurses deeper than kMostDepth nor takes more than
// the caller allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/one_of.h"

namespace dp {

struct JsonMember;

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;

  Json() = default;                                     // {}
  Json(std::uint64_t number) : form_(number) {}         // NOLINT: as JSON
  Json(std::string utf8) : form_(std::move(utf8)) {}    // NOLINT
  Json(const char* utf8) : form_(std::string(utf8)) {}  // NOLINT
  Json(Array elements) : form_(std::move(elements)) {}  // NOLINT
  Json(Object members) : form_(std::move(members)) {}   // NOLINT

  // The number (std::uint64_t), text (std::string), Array or Object that this is; null if it is
  // another of them.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

  // The member of that name; null if this is no object, or has none.
  const Json* find(std::string_view key) const;
  // Adds a member to an object, at its place among the others. Throws ErrorKind::ledger if there is
  // one of that name.
  Json& set(std::string key, Json value);

 private:
  OneOf<Object, std::uint64_t, std::string, Array> form_;
};

struct JsonMember {
  std::string key;
  Json value;
};

constexpr std::uint64_t kMostWhole = std::uint64_t{1} << 53;
constexpr std::size_t kMostDepth = 64;

// Throws ErrorKind::ledger for a number above 2^53, text that is not UTF-8 or has a zero byte, and
// for what is deeper than kMostDepth.
std::string to_text(const Json& value);

// Throws ErrorKind::ledger if `text` is longer than `most` bytes or is not what to_text() writes.
// The sentence says at which byte, and nothing of the content.
Json parse_json(std::string_view text, std::size_t most);

}  // namespace dp
