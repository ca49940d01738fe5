// Texts in order.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace dp {

// The places of `texts` in increasing order of the text there, byte by byte.
std::vector<std::size_t> order_of_texts(const std::vector<std::string_view>& texts);

}  // namespace dp
