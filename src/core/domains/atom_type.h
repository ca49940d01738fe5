// The carrier types: what one element of a dataset can be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/numeric/int128.h"

namespace dp {

enum class AtomType : std::uint8_t {
  i8,
  i16,
  i32,
  i64,
  i128,  // sums on the public lattice; no dataset holds it
  u8,
  u16,
  u32,
  u64,
  usize,
  f32,
  f64,
  boolean,
  string
};

// The published descriptor: "i32", "usize", "bool", "String".
const char* name(AtomType type);

// Throws type_parse if `text` names no carrier type. "int" is i32, "float" is f64.
AtomType parse_atom_type(const std::string& text);

bool is_integer(AtomType type);
bool is_float(AtomType type);
bool is_number(AtomType type);
bool is_hashable(AtomType type);  // all but the floats, which have no total equality

// Represents the C++ type T in a call: visit_atom(type, [](auto tag) { using T = typename
// decltype(tag)::type; }).
template <class T>
struct AtomTag {
  using type = T;
};

// Calls `f` with the tag of the C++ type that carries `type`. `u64` and `usize` share one.
template <class F>
decltype(auto) visit_atom(AtomType type, F&& f) {
  switch (type) {
    case AtomType::i8:
      return f(AtomTag<std::int8_t>{});
    case AtomType::i16:
      return f(AtomTag<std::int16_t>{});
    case AtomType::i32:
      return f(AtomTag<std::int32_t>{});
    case AtomType::i64:
      return f(AtomTag<std::int64_t>{});
    case AtomType::i128:
      return f(AtomTag<int128_t>{});
    case AtomType::u8:
      return f(AtomTag<std::uint8_t>{});
    case AtomType::u16:
      return f(AtomTag<std::uint16_t>{});
    case AtomType::u32:
      return f(AtomTag<std::uint32_t>{});
    case AtomType::u64:
    case AtomType::usize:
      return f(AtomTag<std::uint64_t>{});
    case AtomType::f32:
      return f(AtomTag<float>{});
    case AtomType::f64:
      return f(AtomTag<double>{});
    case AtomType::boolean:
      return f(AtomTag<bool>{});
    case AtomType::string:
      return f(AtomTag<std::string>{});
  }
  throw Error(ErrorKind::type, "unknown carrier type.");
}

namespace detail {

template <class T>
inline constexpr bool is_float_carrier = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class T>
inline constexpr bool is_number_carrier =
    !std::is_same_v<T, bool> && !std::is_same_v<T, std::string>;

template <class T>
inline constexpr bool is_integer_carrier = is_number_carrier<T> && !is_float_carrier<T>;

[[noreturn]] void refuse_type(AtomType type, const char* allowed);

}  // namespace detail

// Like visit_atom, for a subset of the types. Any other type throws an error of kind `type` that
// names it and the `allowed` types.
template <class F>
auto visit_number(AtomType type, F&& f) -> decltype(f(AtomTag<double>{})) {
  return visit_atom(type, [&](auto tag) -> decltype(f(AtomTag<double>{})) {
    if constexpr (detail::is_number_carrier<typename decltype(tag)::type>) {
      return f(tag);
    } else {
      detail::refuse_type(type, "numbers");
    }
  });
}

template <class F>
auto visit_integer(AtomType type, F&& f) -> decltype(f(AtomTag<std::int32_t>{})) {
  return visit_atom(type, [&](auto tag) -> decltype(f(AtomTag<std::int32_t>{})) {
    if constexpr (detail::is_integer_carrier<typename decltype(tag)::type>) {
      return f(tag);
    } else {
      detail::refuse_type(type, "integers");
    }
  });
}

template <class F>
auto visit_float(AtomType type, F&& f) -> decltype(f(AtomTag<double>{})) {
  return visit_atom(type, [&](auto tag) -> decltype(f(AtomTag<double>{})) {
    if constexpr (detail::is_float_carrier<typename decltype(tag)::type>) {
      return f(tag);
    } else {
      detail::refuse_type(type, "floats");
    }
  });
}

}  // namespace dp
