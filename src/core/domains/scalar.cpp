#include "core/domains/scalar.h"

#include <charconv>
#include <cmath>
#include <type_traits>

#include "core/numeric/integer.h"

namespace dp {
namespace {

std::string debug_int128(int128_t value) { return Integer(value).str(); }

// Shortest digits that identify the number; positional between 1e-5 and 1e16, as users know it.
template <class T>
std::string debug_float(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const T size = std::fabs(value);
  const bool positional = size == 0 || (size >= T(1e-5) && size < T(1e16));
  char text[64];
  const auto end =
      std::to_chars(text,
                    text + sizeof text,
                    value,
                    positional ? std::chars_format::fixed : std::chars_format::scientific);
  std::string out(text, end.ptr);
  if (positional) return out.find('.') == std::string::npos ? out + ".0" : out;
  // "1e+16" and "1e-07" are written 1e16 and 1e-7.
  const std::size_t e = out.find('e');
  const std::string exponent = std::to_string(std::stoi(out.substr(e + 1)));
  return out.substr(0, e + 1) + exponent;
}

}  // namespace

bool carries(const Scalar& scalar, AtomType type) {
  return visit_atom(
      type, [&](auto tag) { return std::holds_alternative<typename decltype(tag)::type>(scalar); });
}

bool is_nan(const Scalar& scalar) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
          return std::isnan(value);
        } else {
          return false;
        }
      },
      scalar);
}

bool same_value(const Scalar& a, const Scalar& b) { return a == b; }

std::string debug(const Scalar& scalar) {
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return '"' + value + '"';
        } else if constexpr (std::is_same_v<T, bool>) {
          return value ? "true" : "false";
        } else if constexpr (std::is_floating_point_v<T>) {
          return debug_float(value);
        } else if constexpr (std::is_same_v<T, int128_t>) {
          return debug_int128(value);
        } else {
          return std::to_string(value);
        }
      },
      scalar);
}

}  // namespace dp
