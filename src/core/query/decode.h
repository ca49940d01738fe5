// Decodes the texts of columns to UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/expressions/field.h"

namespace dp::query {

// Whether bytes are text that every engine accepts: UTF-8 without a zero byte.
bool is_plain_text(std::string_view bytes);

// Decodes one text, independently of others. Valid UTF-8 is read unchanged, and all else in the
// declared encoding. Returns nothing if the bytes are valid in neither.
std::optional<std::string> decoded(std::string_view bytes, Field::Encoding encoding);

}  // namespace dp::query
