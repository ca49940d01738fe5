#include "core/numeric/utf8.h"

#include <cstddef>

namespace dp {
namespace {

// Length of the character that begins with `lead`, and the range of its next byte; none if no
// character begins so.
struct Form {
  std::size_t size;
  unsigned char lowest;
  unsigned char highest;
};

Form form_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (std::size_t i = 0; i < bytes.size();) {
    const Form form = form_of(at(i));
    if (form.size == 0 || form.size > bytes.size() - i) return false;
    if (form.size > 1 && (at(i + 1) < form.lowest || at(i + 1) > form.highest)) return false;
    for (std::size_t next = 2; next < form.size; ++next) {
      if ((at(i + next) & 0xC0) != 0x80) return false;
    }
    i += form.size;
  }
  return true;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kFirst[more] | point >> (6 * more));
  for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) {
    out += static_cast<char>(0x80 | (point >> shift & 0x3f));
  }
}

}  // namespace dp
