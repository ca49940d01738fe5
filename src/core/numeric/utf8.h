// Which bytes are text.
#pragma once

#include <string_view>

namespace dp {

// Whether `bytes` are UTF-8 from end to end: no byte that begins nothing, nothing cut short, none
// in more bytes than it needs, no surrogates, nothing beyond U+10FFFF (RFC 3629).
bool is_utf8(std::string_view bytes);

}  // namespace dp
