// Lines of text cut into fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dp {

// `text` without the white space (of Unicode, in UTF-8) at either end.
std::string_view trimmed(std::string_view text);

// The field with this number, counted from 0, of `line` cut at every `separator`, which is not
// empty; no data if there are not as many.
std::string_view field_at(std::string_view line, std::string_view separator, std::size_t number);

// Fields between quotes, by RFC 4180: one that begins with `quote`, but for white space before it,
// goes on to the next quote that stands alone, separators included; two in a row are one that is
// meant. What stands behind that quote belongs to the field as it is. A quote that nothing closes
// reaches to the end of the line, and one within a field that does not begin with one is a
// character like any other.
struct QuotedFields {
  std::string_view separator;
  char quote;

  // Takes the first field, quotes included, off `line`, and the separator behind it; whether there
  // was one.
  bool next(std::string_view& line, std::string_view& field) const;

  // What such a field says, without quotes and the white space around it; in `room` if it does not
  // stand there as it is.
  std::string_view meaning(std::string_view field, std::string& room) const;
};

}  // namespace dp
