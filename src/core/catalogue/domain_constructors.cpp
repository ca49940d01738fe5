#include "core/catalogue/families.h"

namespace dp {
namespace {

Made new_atom_domain(const Arguments& in) {
  const AtomType type = in.type(".T", "bounds");
  if (in.is_given("bounds") && !is_number(type)) {
    throw Error(ErrorKind::make_domain, std::string(name(type)) + " cannot be bounded");
  }
  std::optional<Bounds> bounds;
  if (in.is_given("bounds")) bounds = in.bounds("bounds", type);
  return Domain(make_atom_domain(type, bounds, Read<std::optional<bool>>::from(in, "nan")));
}

Made new_option_domain(const Arguments& in) {
  return Domain(OptionDomain{atom_domain(in.domain("element_domain"))});
}

Made new_vector_domain(const Arguments& in) {
  const Domain& element = in.domain("atom_domain");
  if (!element.as<AtomDomain>() && !element.as<OptionDomain>() && !element.as<UserDomain>()) {
    throw Error(ErrorKind::make_domain,
                "Inner domain of VectorDomain must be AtomDomain, OptionDomain or "
                "ExtrinsicDomain (created through foreign language bindings)");
  }
  return vector_of(element, Read<std::optional<std::uint64_t>>::from(in, "size"));
}

Made new_map_domain(const Arguments& in) {
  const Domain& keys = in.domain("key_domain");
  const auto* atom = keys.as<AtomDomain>();
  if (atom == nullptr || !is_hashable(atom->type)) {
    throw Error(ErrorKind::type,
                "No match for concrete type " + type_name(keys) +
                    ". key_domain must be an atom of integers, bool or String.");
  }
  return Domain(MapDomain{std::make_shared<const Domain>(keys),
                          std::make_shared<const Domain>(in.domain("value_domain"))});
}

Made new_bitvector_domain(const Arguments& in) {
  return Domain(make_bitvector_domain(Read<std::optional<std::uint32_t>>::from(in, "max_weight"),
                                      Read<std::optional<std::uint64_t>>::from(in, "size")));
}

Made new_user_domain(const Arguments& in) {
  return Domain(
      UserDomain{in.text("identifier"), in.membership_test("member"), in.object("descriptor")});
}

}  // namespace

std::vector<Constructor> domain_constructors() {
  return {
      constructor("atom_domain", {"bounds", "nan", ".T"}, new_atom_domain)
          .example("bounds = c(-0.1, 1 / 3), nan = TRUE")
          .needs({}),
      constructor("option_domain", {"element_domain", ".D"}, new_option_domain)
          .example("atom_domain(.T = 'i32')")
          .needs({}),
      constructor("vector_domain", {"atom_domain", "size"}, new_vector_domain)
          .example("atom_domain(.T = 'i32'), size = 7")
          .needs({}),
      constructor("map_domain", {"key_domain", "value_domain"}, new_map_domain)
          .example("atom_domain(.T = 'String'), atom_domain(.T = 'i32')")
          .needs({}),
      constructor("bitvector_domain", {"max_weight", "size"}, new_bitvector_domain)
          .example("max_weight = 3L, size = 8")
          .needs({}),
      constructor("user_domain", {"identifier", "member", "descriptor"}, new_user_domain)
          .example("'Even', function(x) x %% 2 == 0, descriptor = list(a = 1)")
          .needs({"honest-but-curious"}),
  };
}

}  // namespace dp
