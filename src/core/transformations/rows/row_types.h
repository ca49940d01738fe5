// The carrier types of datasets: every atom type but the 128-bit integers of lattice sums.
#pragma once

#include "core/domains/domain.h"

namespace dp {

// Like visit_atom, for the types that rows can have; `type` for any other.
template <class F>
auto visit_prim(AtomType type, F&& f) -> decltype(f(AtomTag<double>{})) {
  return visit_atom(type, [&](auto tag) -> decltype(f(AtomTag<double>{})) {
    if constexpr (std::is_same_v<typename decltype(tag)::type, int128_t>) {
      detail::refuse_type(type, "types of rows");
    } else {
      return f(tag);
    }
  });
}

// Throws `type` unless rows can have the type.
inline void check_prim(AtomType type) {
  visit_prim(type, [](auto) {});
}

// The carrier type of rows that are never null. Throws failed_cast for any other domain.
inline AtomType atom_row_type(const Domain& input_domain) {
  const RowDomain rows = row_domain(input_domain);
  if (rows.option) throw Error(ErrorKind::failed_cast, "input_domain must not admit nulls.");
  return rows.atom.type;
}

}  // namespace dp
