#include "core/query/decode.h"

#include <array>
#include <cstdint>

#include "core/numeric/utf8.h"

namespace dp::query {
namespace {

// The characters 0x80 to 0x9f of windows-1252; 0 if undefined. Source: the mapping table that
// Unicode publishes as CP1252.TXT.
constexpr std::array<std::uint16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::uint16_t character_of(std::uint8_t byte, Field::Encoding encoding) {
  if (encoding == Field::Encoding::windows1252 && byte >= 0x80 && byte < 0xA0) {
    return kWindows1252[byte - 0x80];
  }
  if (encoding != Field::Encoding::latin9) return byte;
  switch (byte) {  // ISO 8859-15, where it differs from ISO 8859-1
    case 0xA4:
      return 0x20AC;
    case 0xA6:
      return 0x0160;
    case 0xA8:
      return 0x0161;
    case 0xB4:
      return 0x017D;
    case 0xB8:
      return 0x017E;
    case 0xBC:
      return 0x0152;
    case 0xBD:
      return 0x0153;
    case 0xBE:
      return 0x0178;
    default:
      return byte;
  }
}

}  // namespace

bool is_plain_text(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos && is_utf8(bytes);
}

std::optional<std::string> decoded(std::string_view bytes, Field::Encoding encoding) {
  if (is_plain_text(bytes)) return std::string(bytes);
  const bool has_zero = bytes.find('\0') != std::string_view::npos;
  if (has_zero || encoding == Field::Encoding::utf8) return std::nullopt;
  std::string text;
  for (const char byte : bytes) {
    const std::uint16_t character = character_of(static_cast<std::uint8_t>(byte), encoding);
    if (character == 0) return std::nullopt;
    append_utf8(text, character);
  }
  return text;
}

}  // namespace dp::query
