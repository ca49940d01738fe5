#include "core/engine/value.h"

namespace dp {

bool has_carrier(const Value& value, const Domain& domain) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    const auto* scalar = value.as<Scalar>();
    return scalar != nullptr && carries(*scalar, atom->type);
  }
  if (const auto* vector = domain.as<VectorDomain>()) {
    const auto* rows = value.as<RowsPtr>();
    if (const auto* atom = vector->element->as<AtomDomain>()) {
      return rows != nullptr && (*rows)->type() == atom->type;
    }
    if (const auto* option = vector->element->as<OptionDomain>()) {
      return rows != nullptr && (*rows)->type() == option->element.type;
    }
  }
  if (const auto* map = domain.as<MapDomain>()) {
    const auto* pairs = value.as<MapPtr>();
    if (pairs == nullptr) return value.as<Opaque>() != nullptr;
    const auto* key = map->key->as<AtomDomain>();
    const auto* element = map->value->as<AtomDomain>();
    return key != nullptr && element != nullptr && (*pairs)->keys->type() == key->type &&
           (*pairs)->values->type() == element->type;
  }
  if (domain.as<BitVectorDomain>()) return value.as<Value::Bits>() || value.as<Opaque>();
  return true;  // carried as the calling language gave it
}

const RowsPtr& rows_in(const Value& value) {
  const auto* rows = value.as<RowsPtr>();
  if (rows == nullptr) throw Error(ErrorKind::failed_cast, "arg must be a vector of rows.");
  return *rows;
}

const MapPtr& map_in(const Value& value) {
  const auto* map = value.as<MapPtr>();
  if (map == nullptr) throw Error(ErrorKind::failed_cast, "arg must be a map.");
  return *map;
}

const Value::Bits& bits_in(const Value& value) {
  const auto* bits = value.as<Value::Bits>();
  if (bits == nullptr) throw Error(ErrorKind::failed_cast, "arg must be a vector of bits.");
  return *bits;
}

void check_carrier(const Value& value, const Domain& domain) {
  if (!has_carrier(value, domain)) {
    throw Error(ErrorKind::failed_cast,
                "arg must have the carrier type " + carrier_name(domain) + ".");
  }
}

}  // namespace dp
