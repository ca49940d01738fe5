// Carrier types whose rows compare equal exactly: integers of at most 64 bits, bool and text.
// Floats are not among them, because NaN equals nothing.
#pragma once

#include "core/domains/atom_type.h"

namespace dp {

template <class T>
inline constexpr bool kIsHashable = !detail::is_float_carrier<T> && !std::is_same_v<T, int128_t>;

// Like visit_atom, for these types; `type` for any other.
template <class F>
auto visit_hashable(AtomType type, F&& f) -> decltype(f(AtomTag<bool>{})) {
  return visit_atom(type, [&](auto tag) -> decltype(f(AtomTag<bool>{})) {
    if constexpr (kIsHashable<typename decltype(tag)::type>) {
      return f(tag);
    } else {
      detail::refuse_type(type, "integers of at most 64 bits, bool and String");
    }
  });
}

}  // namespace dp
