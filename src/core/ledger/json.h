// JSON with one spelling for every value, so that a hash of the bytes identifies the value.
//
//   numbers   whole, from 0 to 2^53, without leading zeros; all others are written as text
//   text      ASCII: other characters, and control characters, as \u and four lower-case digits,
//             in pairs past U+FFFF; before " and \ a backslash
//   objects   keys in the order of their bytes, each once
//   spaces    none
//
// There is no true, false or null. The parser accepts only texts of the writer, so
// to_text(parse_json(x)) == x for every accepted x. Files that an attacker may have changed are
// read only by this parser. It recurses at most kMostDepth deep, and takes at most the caller's
// limit of bytes.
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

  // The number (std::uint64_t), text (std::string), Array or Object that this is; null for a
  // different type.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

  // The member of that name; null if it is missing or this is not an object.
  const Json* find(std::string_view key) const;
  // Adds a member to an object, in the order of keys. Throws ErrorKind::ledger if the name exists.
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
// nesting deeper than kMostDepth.
std::string to_text(const Json& value);

// Throws ErrorKind::ledger if `text` is longer than `most` bytes or differs from the output of
// to_text(). The message has the position of the byte, but no content.
Json parse_json(std::string_view text, std::size_t most);

}  // namespace dp
