#include "core/domains/domain.h"

#include <type_traits>
#include <utility>

namespace dp {
namespace {

bool same(const std::optional<Bounds>& a, const std::optional<Bounds>& b) {
  if (!a || !b) return !a && !b;
  return same_value(a->lower, b->lower) && same_value(a->upper, b->upper);
}

bool same(const AtomDomain& a, const AtomDomain& b) {
  return a.type == b.type && a.nan == b.nan && same(a.bounds, b.bounds);
}

bool same(const OptionDomain& a, const OptionDomain& b) { return same(a.element, b.element); }

bool same(const PairDomain& a, const PairDomain& b) {
  return same(a.first, b.first) && same(a.second, b.second);
}

bool same(const VectorDomain& a, const VectorDomain& b) {
  return a.size == b.size && *a.element == *b.element;
}

bool same(const MapDomain& a, const MapDomain& b) {
  return *a.key == *b.key && *a.value == *b.value;
}

bool same(const DataFrameDomain& a, const DataFrameDomain& b) { return a.key == b.key; }

bool same(const BitVectorDomain& a, const BitVectorDomain& b) {
  return a.max_weight == b.max_weight && a.size == b.size;
}

bool same(const UserDomain& a, const UserDomain& b) { return a.identifier == b.identifier; }

std::string debug(const AtomDomain& atom) {
  std::string out = "AtomDomain(";
  if (atom.bounds) {
    out +=
        "bounds=[" + dp::debug(atom.bounds->lower) + ", " + dp::debug(atom.bounds->upper) + "], ";
  }
  if (atom.nan) out += "nan=true, ";
  return out + "T=" + name(atom.type) + ")";
}

std::string debug(const BitVectorDomain& bits) {
  std::string out = bits.max_weight ? "weight=" + std::to_string(*bits.max_weight) : "";
  if (bits.size) out += (out.empty() ? "size=" : ", size=") + std::to_string(*bits.size);
  return "BitVectorDomain(" + out + ")";
}

template <class Map>
std::string both(const Map& map, std::string (*text)(const Domain&)) {
  return text(*map.key) + ", " + text(*map.value);
}

bool above(const Scalar& lower, const Scalar& upper) {
  return std::visit(
      [&](const auto& low) {
        using T = std::decay_t<decltype(low)>;
        return low > std::get<T>(upper);
      },
      lower);
}

}  // namespace

AtomDomain default_atom(AtomType type) { return {type, std::nullopt, is_float(type)}; }

AtomDomain non_nan_atom(AtomType type) { return {type, std::nullopt, false}; }

AtomDomain closed_atom(AtomType type, const Scalar& lower, const Scalar& upper) {
  if (!carries(lower, type) || !carries(upper, type)) {
    throw Error(ErrorKind::failed_cast,
                std::string("bounds must have the carrier type ") + name(type) + ".");
  }
  if (is_nan(lower)) throw Error(ErrorKind::failed_function, "lower must not be null");
  if (is_nan(upper)) throw Error(ErrorKind::failed_function, "upper must not be null");
  if (above(lower, upper)) {
    throw Error(ErrorKind::make_domain,
                "lower bound (" + debug(lower) + ") may not be greater than upper bound (" +
                    debug(upper) + ")");
  }
  return {type, Bounds{lower, upper}, false};
}

AtomDomain make_atom_domain(AtomType type, std::optional<Bounds> bounds, std::optional<bool> nan) {
  if (bounds && !is_number(type)) {
    throw Error(ErrorKind::make_domain, std::string(name(type)) + " cannot be bounded");
  }
  if (nan.value_or(false) && !is_float(type)) {
    throw Error(ErrorKind::make_domain,
                is_integer(type) ? std::string("integers cannot represent nullity")
                                 : std::string(name(type)) + " cannot be NaN");
  }
  if (bounds && (is_nan(bounds->lower) || is_nan(bounds->upper))) {
    throw Error(ErrorKind::make_domain,
                is_nan(bounds->lower) ? "lower must not be null" : "upper must not be null");
  }
  AtomDomain atom = bounds ? closed_atom(type, bounds->lower, bounds->upper) : default_atom(type);
  if (nan) atom.nan = *nan;
  return atom;
}

BitVectorDomain make_bitvector_domain(std::optional<std::uint32_t> max_weight,
                                      std::optional<std::uint64_t> size) {
  if (size.value_or(0) % 8 != 0) {
    throw Error(ErrorKind::make_domain,
                "size must be a multiple of 8, for bit vectors are made of bytes, not " +
                    std::to_string(*size));
  }
  return {max_weight, size};
}

Domain vector_of(Domain element, std::optional<std::uint64_t> size) {
  return VectorDomain{std::make_shared<const Domain>(std::move(element)), size};
}

bool operator==(const Domain& a, const Domain& b) {
  return std::visit(
      [&](const auto& form) {
        const auto* other = b.as<std::decay_t<decltype(form)>>();
        return other != nullptr && same(form, *other);
      },
      a.form());
}

std::string debug(const Domain& domain) {
  return std::visit(
      [](const auto& form) -> std::string {
        using T = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<T, AtomDomain>) {
          return debug(form);
        } else if constexpr (std::is_same_v<T, OptionDomain>) {
          return "OptionDomain(" + debug(form.element) + ")";
        } else if constexpr (std::is_same_v<T, PairDomain>) {
          return "PairDomain(" + debug(form.first) + ", " + debug(form.second) + ")";
        } else if constexpr (std::is_same_v<T, VectorDomain>) {
          const std::string size = form.size ? ", size=" + std::to_string(*form.size) : "";
          return "VectorDomain(" + dp::debug(*form.element) + size + ")";
        } else if constexpr (std::is_same_v<T, MapDomain>) {
          return "MapDomain { key_domain: " + dp::debug(*form.key) +
                 ", value_domain: " + dp::debug(*form.value) + " }";
        } else if constexpr (std::is_same_v<T, DataFrameDomain>) {
          return std::string("DataFrameDomain(\"") + name(form.key) + "\")";
        } else if constexpr (std::is_same_v<T, BitVectorDomain>) {
          return debug(form);
        } else {
          return form.identifier;
        }
      },
      domain.form());
}

std::string type_name(const Domain& domain) {
  return std::visit(
      [](const auto& form) -> std::string {
        using T = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<T, AtomDomain>) {
          return std::string("AtomDomain<") + name(form.type) + ">";
        } else if constexpr (std::is_same_v<T, OptionDomain>) {
          return "OptionDomain<" + type_name(form.element) + ">";
        } else if constexpr (std::is_same_v<T, PairDomain>) {
          return "PairDomain<" + type_name(form.first) + ", " + type_name(form.second) + ">";
        } else if constexpr (std::is_same_v<T, VectorDomain>) {
          return "VectorDomain<" + type_name(*form.element) + ">";
        } else if constexpr (std::is_same_v<T, MapDomain>) {
          return "MapDomain<" + both(form, type_name) + ">";
        } else if constexpr (std::is_same_v<T, DataFrameDomain>) {
          return std::string("DataFrameDomain<") + name(form.key) + ">";
        } else if constexpr (std::is_same_v<T, BitVectorDomain>) {
          return "BitVectorDomain";
        } else {
          return "ExtrinsicDomain";
        }
      },
      domain.form());
}

std::string carrier_name(const Domain& domain) {
  return std::visit(
      [](const auto& form) -> std::string {
        using T = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<T, AtomDomain>) {
          return name(form.type);
        } else if constexpr (std::is_same_v<T, OptionDomain>) {
          return std::string("Option<") + name(form.element.type) + ">";
        } else if constexpr (std::is_same_v<T, PairDomain>) {
          return std::string("(") + name(form.first.type) + ", " + name(form.second.type) + ")";
        } else if constexpr (std::is_same_v<T, VectorDomain>) {
          return "Vec<" + carrier_name(*form.element) + ">";
        } else if constexpr (std::is_same_v<T, MapDomain>) {
          return "HashMap<" + both(form, carrier_name) + ">";
        } else if constexpr (std::is_same_v<T, DataFrameDomain>) {
          return std::string("DataFrame<") + name(form.key) + ">";
        } else if constexpr (std::is_same_v<T, BitVectorDomain>) {
          return "BitVector";
        } else {
          return "ExtrinsicObject";
        }
      },
      domain.form());
}

void refuse_nonmember() {
  throw Error(ErrorKind::failed_function, "arg must be a member of the input domain.");
}

RowDomain row_domain(const Domain& domain) {
  if (const auto* vector = domain.as<VectorDomain>()) {
    if (const auto* atom = vector->element->as<AtomDomain>()) {
      return {*atom, false, vector->size};
    }
    if (const auto* option = vector->element->as<OptionDomain>()) {
      return {option->element, true, vector->size};
    }
  }
  throw Error(ErrorKind::failed_cast,
              "input_domain must be a vector of atoms or options, not " + debug(domain) + ".");
}

const AtomDomain& atom_domain(const Domain& domain) {
  if (const auto* atom = domain.as<AtomDomain>()) return *atom;
  throw Error(ErrorKind::failed_cast, "expected an AtomDomain, not " + debug(domain) + ".");
}

}  // namespace dp
