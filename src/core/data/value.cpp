#include "core/data/value.h"

#include "core/data/frame.h"

namespace dp {
namespace {

template <class T>
const T& form_in(const Value& value, const char* what) {
  const auto* form = value.as<T>();
  if (form == nullptr)
    throw Error(ErrorKind::failed_cast, std::string("arg must be ") + what + ".");
  return *form;
}

}  // namespace

bool has_carrier(const Value& value, const Domain& domain) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    if (value.as<Text>()) return atom->type == AtomType::string;
    const auto* scalar = value.as<Scalar>();
    return scalar != nullptr && carries(*scalar, atom->type);
  }
  if (const auto* vector = domain.as<VectorDomain>()) {
    const auto* rows = value.as<ColumnPtr>();
    if (const auto* atom = vector->element->as<AtomDomain>()) {
      return rows != nullptr && (*rows)->type() == atom->type;
    }
    if (const auto* option = vector->element->as<OptionDomain>()) {
      return rows != nullptr && (*rows)->type() == option->element.type;
    }
    if (const auto* pair = vector->element->as<PairDomain>()) {
      const auto* columns = value.as<Value::Tuple>();
      return columns != nullptr && columns->size() == 2 &&
             has_carrier((*columns)[0], vector_of(pair->first)) &&
             has_carrier((*columns)[1], vector_of(pair->second));
    }
    if (vector->element->as<VectorDomain>()) return value.as<RecordsPtr>() || value.as<Opaque>();
  }
  if (const auto* map = domain.as<MapDomain>()) {
    const auto* pairs = value.as<MapPtr>();
    if (pairs == nullptr) return value.as<Opaque>() != nullptr;
    const auto* key = map->key->as<AtomDomain>();
    const auto* element = map->value->as<AtomDomain>();
    return key != nullptr && element != nullptr && (*pairs)->keys->type() == key->type &&
           (*pairs)->values->type() == element->type;
  }
  if (const auto* frame = domain.as<DataFrameDomain>()) {
    const auto* columns = value.as<FramePtr>();
    return columns == nullptr ? value.as<Opaque>() != nullptr : (*columns)->key() == frame->key;
  }
  if (domain.as<BitVectorDomain>()) return value.as<Value::Bits>() || value.as<Opaque>();
  return true;  // carried as the calling language gave it
}

Scalar scalar_in(const Value& value) {
  if (const auto* text = value.as<Text>()) return std::string(text->characters);
  return form_in<Scalar>(value, "one element");
}

Text text_in(const Value& value) {
  if (const auto* text = value.as<Text>()) return *text;
  const auto copy = std::make_shared<const std::string>(element_in<std::string>(value));
  return {*copy, copy};
}

const ColumnPtr& rows_in(const Value& value) {
  return form_in<ColumnPtr>(value, "a vector of rows");
}

const RecordsPtr& records_in(const Value& value) {
  return form_in<RecordsPtr>(value, "a vector of records");
}

const FramePtr& frame_in(const Value& value) { return form_in<FramePtr>(value, "a data frame"); }

const MapPtr& map_in(const Value& value) { return form_in<MapPtr>(value, "a map"); }

const Value::Bits& bits_in(const Value& value) {
  return form_in<Value::Bits>(value, "a vector of bits");
}

void check_carrier(const Value& value, const Domain& domain) {
  if (!has_carrier(value, domain)) {
    throw Error(ErrorKind::failed_cast,
                "arg must have the carrier type " + carrier_name(domain) + ".");
  }
}

}  // namespace dp
