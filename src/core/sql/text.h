// Parts of SQL text that do not depend on the engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dp::sql {

std::string cast(const std::string& what, const std::string& type);

// Upper case digits of each byte, after `before`.
std::string hexadecimal(std::string_view bytes, const char* before);

// Puts a text between quotes, and doubles the quotes inside.
std::string doubled(std::string_view text, char quote);

// Literals. All are ASCII, and no setting changes their meaning.
std::string digits(std::int64_t value);         // to compare with
std::string whole_literal(std::int64_t value);  // as a value, in 64 bits
std::string date_literal(std::int64_t days);    // dates from year 1 to 9999

// The date of a date-time without a zone, in the engine's type. This cast cannot fail.
std::string day_of_moment(const std::string& moment);

}  // namespace dp::sql
