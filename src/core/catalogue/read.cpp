#include "core/catalogue/read.h"

namespace dp {
namespace {

AtomType type_of_input(const Domain& domain) {
  const auto* atom = domain.as<AtomDomain>();
  return atom != nullptr ? atom->type : row_domain(domain).atom.type;
}

// A domain without numbers as values is the constructor's to refuse, so any number will do.
AtomType type_of_map_values(const Domain& domain) {
  const auto* map = domain.as<MapDomain>();
  const auto* value = map == nullptr ? nullptr : map->value->as<AtomDomain>();
  return value != nullptr && is_number(value->type) ? value->type : AtomType::f64;
}

const std::string kOpen = ".T";

bool is_open(const std::string& descriptor) { return descriptor.find(kOpen) != std::string::npos; }

}  // namespace

AtomType carrier_of(const Arguments& in, const Argument& argument) {
  switch (argument.carrier) {
    case Argument::Carrier::named:
      return in.type(argument.type, argument.example);
    case Argument::Carrier::key:
      return key_type_of(in.domain("input_domain"));
    case Argument::Carrier::map_value:
      return type_of_map_values(in.domain("input_domain"));
    case Argument::Carrier::input:
      break;
  }
  return type_of_input(in.domain("input_domain"));
}

Summation summation_over(const Arguments& in, const char* name, AtomType type) {
  std::string descriptor = in.descriptor(name);
  if (is_open(descriptor)) {
    descriptor.replace(descriptor.find(kOpen), kOpen.size(), dp::name(type));
  }
  return parse_summation(descriptor);
}

Summation summation_of_bounds(const Arguments& in, const char* name, const char* bounds) {
  if (!is_open(in.descriptor(name))) return parse_summation(in.descriptor(name));
  return summation_over(in, name, in.type(nullptr, bounds));
}

void check_guarantee(const Arguments& in, const char* name, const Measure& measure) {
  const std::string asked = in.descriptor(name);
  const std::string guaranteed = type_name(measure);
  if (asked != guaranteed) {
    throw Error(ErrorKind::type,
                "`" + std::string(name) + "` must be " + guaranteed + ", not " + asked + ".");
  }
}

}  // namespace dp
