#include "core/domains/atom_type.h"

#include <array>

namespace dp {
namespace {

// In the order of AtomType.
constexpr std::array<const char*, 14> kNames = {"i8",
                                                "i16",
                                                "i32",
                                                "i64",
                                                "i128",
                                                "u8",
                                                "u16",
                                                "u32",
                                                "u64",
                                                "usize",
                                                "f32",
                                                "f64",
                                                "bool",
                                                "String"};

}  // namespace

const char* name(AtomType type) { return kNames[static_cast<std::size_t>(type)]; }

AtomType parse_atom_type(const std::string& text) {
  if (text == "int") return AtomType::i32;
  if (text == "float") return AtomType::f64;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (text == kNames[i]) return static_cast<AtomType>(i);
  }
  throw Error(ErrorKind::type_parse, "failed to parse type: " + text);
}

bool is_float(AtomType type) { return type == AtomType::f32 || type == AtomType::f64; }

bool is_number(AtomType type) { return type != AtomType::boolean && type != AtomType::string; }

bool is_integer(AtomType type) { return is_number(type) && !is_float(type); }

bool is_hashable(AtomType type) { return !is_float(type); }

namespace detail {

void refuse_type(AtomType type, const char* allowed) {
  throw Error(ErrorKind::type,
              std::string("No match for concrete type ") + name(type) + ". Allowed are the " +
                  allowed + ".");
}

}  // namespace detail
}  // namespace dp
