// The lines of a file, read in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/platform_file.h"

namespace dp {

// Throws ErrorKind::ledger for a line longer than kMostLineBytes, so that a manipulated file cannot
// exhaust memory.
void check_line_length(std::size_t length);

// Calls `see` with each line between the two offsets, without its end. Returns the rest behind the
// last line: a line without an end, or nothing. Throws as check_line_length().
std::string for_each_line(const PlatformFile& file,
                          std::uint64_t from,
                          std::uint64_t to,
                          const std::function<void(std::string_view line)>& see);

}  // namespace dp
