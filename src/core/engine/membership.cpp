#include "core/engine/membership.h"

#include <algorithm>
#include <cmath>

namespace dp {
namespace {

template <class T>
bool atom_member(const AtomDomain& domain, const Cell<T>& cell) {
  if constexpr (detail::is_float_carrier<T>) {
    if (std::isnan(cell)) {
      if (domain.bounds) {
        throw Error(ErrorKind::failed_function,
                    std::string(name(domain.type)) + " must not be NaN where bounds are compared.");
      }
      return domain.nan;
    }
  }
  if constexpr (detail::is_number_carrier<T>) {
    if (domain.bounds) {
      return std::get<T>(domain.bounds->lower) <= cell && cell <= std::get<T>(domain.bounds->upper);
    }
  }
  return true;
}

template <class T>
bool all_members(const RowDomain& domain, const Rows& rows) {
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    buffer.clear_text();
    const Block block = rows.read(begin, std::min(kBlockRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < block.size; ++i) {
      const bool null = block.valid != nullptr && block.valid[i] == 0;
      if (null ? !domain.option : !atom_member<T>(domain.atom, block.as<T>()[i])) return false;
    }
  }
  return true;
}

}  // namespace

bool member(const Domain& domain, const Value& value) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    check_carrier(value, domain);
    if (value.as<Text>()) return true;
    return visit_atom(atom->type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return atom_member<T>(*atom, Cell<T>(element_in<T>(value)));
    });
  }
  if (domain.as<VectorDomain>()) {
    check_carrier(value, domain);
    const RowDomain rows_in_domain = row_domain(domain);
    const Rows& rows = *rows_in(value);
    if (rows_in_domain.size && *rows_in_domain.size != rows.size()) return false;
    return visit_atom(rows_in_domain.atom.type, [&](auto tag) {
      return all_members<typename decltype(tag)::type>(rows_in_domain, rows);
    });
  }
  if (domain.as<DataFrameDomain>() && value.as<FramePtr>()) {
    check_carrier(value, domain);
    return true;
  }
  throw Error(ErrorKind::not_implemented, "membership of " + debug(domain) + " cannot be tested.");
}

}  // namespace dp
