// Untrusted JSON texts. Bounds are checked in one pass that needs no memory, before any value is
// made, so that no text costs more than its bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/one_of.h"

namespace dp {

struct JsonBounds {
  std::size_t bytes;
  std::size_t depth;  // objects and arrays within each other
  std::size_t parts;  // commas, objects and arrays: at least the number of values less one
};

// Throws failed_cast if the text is beyond a bound, is not UTF-8, or has a zero byte. The sentence
// has no part of the text.
void check_json_bounds(std::string_view text, const JsonBounds& bounds);

struct JsonField;

class JsonNode {
 public:
  // Numbers without a point and an exponent are whole. All are finite.
  struct Number {
    double value;
    bool is_whole;
  };
  using Array = std::vector<JsonNode>;
  // In the order of the text.
  using Object = std::vector<JsonField>;

  JsonNode() = default;                                     // null
  JsonNode(bool flag) : form_(flag) {}                      // NOLINT: as JSON
  JsonNode(Number number) : form_(number) {}                // NOLINT
  JsonNode(std::string utf8) : form_(std::move(utf8)) {}    // NOLINT
  JsonNode(Array elements) : form_(std::move(elements)) {}  // NOLINT
  JsonNode(Object fields) : form_(std::move(fields)) {}     // NOLINT

  bool is_null() const { return std::holds_alternative<std::monostate>(form_); }

  // The bool, Number, std::string, Array or Object that this is; null for a different type.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

 private:
  OneOf<std::monostate, bool, Number, std::string, Array, Object> form_;
};

struct JsonField {
  std::string key;
  JsonNode value;
};

// No object that the package writes has more keys, so a key is found by looking at all.
constexpr std::size_t kMostJsonKeys = 64;

// Throws failed_cast as check_json_bounds() does, and for a text that is not JSON, has a key twice
// in one object or more than kMostJsonKeys, half of a surrogate pair, or a number beyond the
// doubles. The message has the position of the byte, but no content.
JsonNode parse_json_text(std::string_view text, const JsonBounds& bounds);

// Whether the outermost object has this key, spelled without escapes. The text is one that
// check_json_bounds() takes.
bool has_json_key(std::string_view text, std::string_view key);

// The text in quotes. Throws failed_cast unless it is UTF-8 without a zero byte.
void append_json_text(std::string& out, std::string_view utf8);

}  // namespace dp
