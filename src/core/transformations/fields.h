// Lines of text cut into fields.
#pragma once

#include <cstddef>
#include <string_view>

namespace dp {

// `text` without the white space (of Unicode, in UTF-8) at either end.
std::string_view trimmed(std::string_view text);

// The field with this number, counted from 0, of `line` cut at every `separator`, which is not
// empty; no data if there are not as many.
std::string_view field_at(std::string_view line, std::string_view separator, std::size_t number);

}  // namespace dp
