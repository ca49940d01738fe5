#include "core/data/membership.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>

#include "core/data/public_size.h"
#include "core/data/records.h"
#include "core/numeric/limits.h"

namespace dp {
namespace {

// The numbers of an atom domain: all in [lower, upper], and NaN if it says so.
template <class T>
struct Numbers {
  T lower = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : kMin<T>;
  T upper = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : kMax<T>;
  bool nan;

  explicit Numbers(const AtomDomain& domain) : nan(domain.nan) {
    if (!domain.bounds) return;
    lower = std::get<T>(domain.bounds->lower);
    upper = std::get<T>(domain.bounds->upper);
  }
  bool has(T x) const {
    if constexpr (kIsFloat<T>) {
      if (std::isnan(x)) return nan;
    }
    return lower <= x && x <= upper;
  }
};

// Whether an atom can be outside of its domain.
bool is_narrow(const AtomDomain& domain) {
  return domain.bounds || (is_float(domain.type) && !domain.nan);
}

template <class T, class Has>
bool all_rows(const Column& rows, bool nulls, Has has) {
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    buffer.clear_text();
    const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      const bool null = batch.valid != nullptr && batch.valid[i] == 0;
      if (null ? !nulls : !has(batch.as<T>()[i])) return false;
    }
  }
  return true;
}

bool are_rows_of(const Column& rows, const AtomDomain& domain, bool nulls) {
  if (!is_narrow(domain)) return true;
  return visit_number(domain.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return all_rows<T>(rows, nulls, [in = Numbers<T>(domain)](T x) { return in.has(x); });
  });
}

// Whether all rows are in the domains of their columns, as far as these are of numbers.
bool has_declared_rows(const Value& value, const Domain& element) {
  if (const auto* rows = value.as<ColumnPtr>()) {
    if (const auto* atom = element.as<AtomDomain>()) return are_rows_of(**rows, *atom, false);
    const auto* option = element.as<OptionDomain>();
    return option == nullptr || are_rows_of(**rows, option->element, true);
  }
  const auto* columns = value.as<Value::Tuple>();
  const auto* pair = element.as<PairDomain>();
  return columns == nullptr || pair == nullptr ||
         (are_rows_of(*rows_in(columns->front()), pair->first, false) &&
          are_rows_of(*rows_in(columns->back()), pair->second, false));
}

template <class T>
bool atom_member(const AtomDomain& domain, const Element<T>& cell) {
  if constexpr (detail::is_float_carrier<T>) {
    if (std::isnan(cell) && domain.bounds) {
      throw Error(ErrorKind::failed_function,
                  std::string(name(domain.type)) + " must not be NaN where bounds are compared.");
    }
  }
  if constexpr (detail::is_number_carrier<T>) return Numbers<T>(domain).has(cell);
  return true;
}

template <class T>
bool all_members(const RowDomain& domain, const Column& rows) {
  return all_rows<T>(rows, domain.option, [&](const Element<T>& cell) {
    return atom_member<T>(domain.atom, cell);
  });
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

// Every byte is looked at, whatever the others hold.
std::uint64_t bits_set(const Value::Bits& bits) {
  std::uint64_t set = 0;
  for (const std::uint8_t byte : bits.bytes) set += std::bitset<8>(byte).count();
  return set;
}

bool has_declared_bits(const Value& value, const BitVectorDomain& domain) {
  return value.as<Value::Bits>() == nullptr ||
         has_size(bits_in(value).bytes.size() * 8, domain.size);
}

bool is_vector_of_bits(const Value& value, const BitVectorDomain& domain) {
  if (value.as<Value::Bits>() == nullptr) return true;
  return has_declared_bits(value, domain) &&
         (!domain.max_weight || bits_set(bits_in(value)) <= *domain.max_weight);
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
  if (const auto* vector = domain.as<VectorDomain>()) {
    return has_declared_size(value, *vector) && has_declared_rows(value, *vector->element);
  }
  const auto* map = domain.as<MapDomain>();
  if (map != nullptr && value.as<MapPtr>()) {
    const Map& entries = *map_in(value);
    return has_declared_rows(entries.keys, *map->key) &&
           has_declared_rows(entries.values, *map->value);
  }
  if (const auto* bits = domain.as<BitVectorDomain>()) return is_vector_of_bits(value, *bits);
  return true;
}

bool has_public_size(const Value& value, const Domain& domain) {
  if (const auto* vector = domain.as<VectorDomain>()) return has_declared_size(value, *vector);
  const auto* bits = domain.as<BitVectorDomain>();
  return bits == nullptr || has_declared_bits(value, *bits);
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
  if (const auto* bits = domain.as<BitVectorDomain>()) {
    check_carrier(value, domain);
    return is_vector_of_bits(value, *bits);
  }
  if (domain.as<DataFrameDomain>() && value.as<FramePtr>()) {
    check_carrier(value, domain);
    return true;
  }
  throw Error(ErrorKind::not_implemented, "membership of " + debug(domain) + " cannot be tested.");
}

}  // namespace dp
