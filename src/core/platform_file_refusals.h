// Errors of files, shared only by platform_file*.cpp.
#pragma once

#include <string>

namespace dp {

constexpr const char* kOpened = "cannot be opened";
constexpr const char* kRead = "cannot be read";
constexpr const char* kWritten = "cannot be written";
constexpr const char* kLocked = "cannot be locked";
constexpr const char* kFlushed = "cannot be flushed to stable storage";
constexpr const char* kReplaced = "cannot be replaced";

// All throw ErrorKind::storage.
[[noreturn]] void refuse_file(const std::string& path, const char* what, const std::string& reason);
[[noreturn]] void refuse_second_name(const std::string& path);
[[noreturn]] void refuse_irregular(const std::string& path);

// The system would cut such a name short, and use a different file.
void refuse_zero_byte(const std::string& path);

}  // namespace dp
