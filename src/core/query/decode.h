// Texts of columns in UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/expressions/field.h"

namespace dp::query {

// Whether bytes are a text that all engines know: UTF-8 without a zero.
bool is_plain_text(std::string_view bytes);

// The text that the bytes are. What is valid UTF-8 is read as such, and all else in the declared
// encoding, so each text is read on its own. None for bytes that are neither.
std::optional<std::string> decoded(std::string_view bytes, Field::Encoding encoding);

}  // namespace dp::query
