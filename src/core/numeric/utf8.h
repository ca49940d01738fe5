// Validity of bytes as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dp {

// Whether `bytes` are UTF-8 from end to end: no byte that begins nothing, nothing cut short, none
// in more bytes than it needs, no surrogates, nothing beyond U+10FFFF (RFC 3629).
bool is_utf8(std::string_view bytes);

// Appends the character with this number, which is at most 0x10FFFF.
void append_utf8(std::string& out, std::uint32_t point);

}  // namespace dp
