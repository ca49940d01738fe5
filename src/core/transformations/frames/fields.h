// Lines of text cut into fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dp {

// `text` without the white space (of Unicode, in UTF-8) at either end.
std::string_view trimmed(std::string_view text);

// The field with this number, counted from 0, of `line` cut at every `separator`, which is not
// empty; no data if there are fewer fields.
std::string_view field_at(std::string_view line, std::string_view separator, std::size_t number);

// Fields between quotes, by RFC 4180. A field that begins with `quote`, after optional white space,
// continues to the next single quote, including separators. Two quotes in a row mean one. Text
// between that quote and the separator belongs to the field unchanged. An unclosed quote reaches to
// the end of the line. A quote within a field that does not begin with one is an ordinary
// character.
struct QuotedFields {
  std::string_view separator;
  char quote;

  // Removes the first field, including quotes, from `line`, and the separator after it. Returns
  // whether there was a separator.
  bool next(std::string_view& line, std::string_view& field) const;

  // The content of such a field, without quotes and surrounding white space. It is in `room` if it
  // is not a part of `field`.
  std::string_view meaning(std::string_view field, std::string& room) const;
};

}  // namespace dp
