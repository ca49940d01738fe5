#include "core/transformations/frames/fields.h"

namespace dp {
namespace {

bool is_ascii_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

// The white space of Unicode beyond ASCII: U+0085, 00A0, 1680, 2000 to 200A, 2028, 2029, 202F,
// 205F, 3000.
bool is_wide_space(std::string_view c) {
  if (c.size() == 2) return c == "\xC2\x85" || c == "\xC2\xA0";
  if (c.substr(0, 2) == "\xE2\x80") {
    const auto last = static_cast<unsigned char>(c[2]);
    return (0x80 <= last && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF;
  }
  return c == "\xE1\x9A\x80" || c == "\xE2\x81\x9F" || c == "\xE3\x80\x80";
}

// Number of bytes of the white space at the beginning, or at the end; 0 if there is none.
std::size_t leading_space(std::string_view text) {
  if (text.empty()) return 0;
  if (is_ascii_space(text.front())) return 1;
  if (static_cast<unsigned char>(text.front()) < 0xC2) return 0;
  for (const std::size_t size : {2, 3}) {
    if (text.size() >= size && is_wide_space(text.substr(0, size))) return size;
  }
  return 0;
}

std::size_t trailing_space(std::string_view text) {
  if (text.empty()) return 0;
  if (is_ascii_space(text.back())) return 1;
  if (static_cast<unsigned char>(text.back()) < 0x80) return 0;
  for (const std::size_t size : {2, 3}) {
    if (text.size() >= size && is_wide_space(text.substr(text.size() - size))) return size;
  }
  return 0;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (const std::size_t size = leading_space(text)) text.remove_prefix(size);
  while (const std::size_t size = trailing_space(text)) text.remove_suffix(size);
  return text;
}

std::string_view field_at(std::string_view line, std::string_view separator, std::size_t number) {
  // Most separators are one character, which is found faster.
  const auto find = [&] {
    return separator.size() == 1 ? line.find(separator.front()) : line.find(separator);
  };
  for (; number > 0; --number) {
    const std::size_t end = find();
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end + separator.size());
  }
  return line.substr(0, find());
}

bool QuotedFields::next(std::string_view& line, std::string_view& field) const {
  std::size_t inside = 0;  // where to look for the separator
  while (line.compare(inside, separator.size(), separator) != 0) {
    const std::size_t size = leading_space(line.substr(inside));
    if (size == 0) break;
    inside += size;
  }
  if (inside < line.size() && line[inside] == quote) {
    for (++inside;; inside += 2) {
      inside = line.find(quote, inside);
      if (inside == std::string_view::npos) break;
      if (inside + 1 >= line.size() || line[inside + 1] != quote) break;
    }
    if (inside != std::string_view::npos) ++inside;
  } else {
    inside = 0;
  }
  const std::size_t end = inside == std::string_view::npos ? inside : line.find(separator, inside);
  field = line.substr(0, end);
  if (end == std::string_view::npos) return false;
  line.remove_prefix(end + separator.size());
  return true;
}

std::string_view QuotedFields::meaning(std::string_view field, std::string& room) const {
  field = trimmed(field);
  if (field.empty() || field.front() != quote) return field;
  field.remove_prefix(1);
  const std::size_t end = field.find(quote);
  if (end == std::string_view::npos) return field;
  if (end + 1 == field.size()) return field.substr(0, end);
  room.clear();
  while (true) {
    const std::size_t at = field.find(quote);
    room += field.substr(0, at);
    if (at == std::string_view::npos) return room;
    field.remove_prefix(at + 1);
    if (field.empty() || field.front() != quote) {
      room += field;
      return room;
    }
    room += quote;
    field.remove_prefix(1);
  }
}

}  // namespace dp
