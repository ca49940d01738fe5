#include "core/data/membership.h"

#include <algorithm>
#include <cmath>

#include "core/data/records.h"

namespace dp {
namespace {

template <class T>
bool atom_member(const AtomDomain& domain, const Element<T>& cell) {
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
bool all_members(const RowDomain& domain, const Column& rows) {
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    buffer.clear_text();
    const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      const bool null = batch.valid != nullptr && batch.valid[i] == 0;
      if (null ? !domain.option : !atom_member<T>(domain.atom, batch.as<T>()[i])) return false;
    }
  }
  return true;
}

bool has_size(std::size_t size, const std::optional<std::uint64_t>& declared) {
  return !declared || size == *declared;
}

bool has_declared_size(const Value& value, const VectorDomain& domain) {
  if (const auto* rows = value.as<ColumnPtr>()) return has_size((*rows)->size(), domain.size);
  if (const auto* records = value.as<RecordsPtr>()) {
    return has_size((*records)->size(), domain.size);
  }
  const auto* columns = value.as<Value::Tuple>();
  if (columns == nullptr) return true;
  const std::size_t size = rows_in(columns->front())->size();
  return has_size(size, domain.size) &&
         std::all_of(columns->begin(), columns->end(), [&](const Value& column) {
           return rows_in(column)->size() == size;
         });
}

bool is_element_of(const Value& value, const AtomDomain& domain) {
  const auto* scalar = value.as<Scalar>();
  if (scalar == nullptr) return true;
  if (is_nan(*scalar)) return domain.nan;
  return visit_atom(domain.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return atom_member<T>(domain, Element<T>(std::get<T>(*scalar)));
  });
}

}  // namespace

bool fits(const Value& value, const Domain& domain) {
  if (!has_carrier(value, domain)) return false;
  if (const auto* atom = domain.as<AtomDomain>()) return is_element_of(value, *atom);
  if (const auto* vector = domain.as<VectorDomain>()) return has_declared_size(value, *vector);
  const auto* bits = domain.as<BitVectorDomain>();
  if (bits == nullptr || value.as<Value::Bits>() == nullptr) return true;
  return has_size(bits_in(value).bytes.size() * 8, bits->size);
}

void check_arg(const Value& value, const Domain& domain) {
  check_carrier(value, domain);
  if (!fits(value, domain)) refuse_nonmember();
}

bool member(const Domain& domain, const Value& value) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    check_carrier(value, domain);
    if (value.as<Text>()) return true;
    return visit_atom(atom->type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return atom_member<T>(*atom, Element<T>(element_in<T>(value)));
    });
  }
  if (domain.as<VectorDomain>()) {
    check_carrier(value, domain);
    const RowDomain rows_in_domain = row_domain(domain);
    const Column& rows = *rows_in(value);
    if (rows_in_domain.size && *rows_in_domain.size != rows.size()) return false;
    return visit_atom(rows_in_domain.atom.type, [&](auto tag) {
      return all_members<typename decltype(tag)::type>(rows_in_domain, rows);
    });
  }
  const auto* map = domain.as<MapDomain>();
  if (map != nullptr && value.as<MapPtr>()) {
    check_carrier(value, domain);
    const Map& entries = **value.as<MapPtr>();
    return member(vector_of(*map->key), entries.keys) &&
           member(vector_of(*map->value), entries.values);
  }
  if (domain.as<DataFrameDomain>() && value.as<FramePtr>()) {
    check_carrier(value, domain);
    return true;
  }
  throw Error(ErrorKind::not_implemented, "membership of " + debug(domain) + " cannot be tested.");
}

}  // namespace dp
