#include "boundary.h"
#include "core/domains/domain.h"
#include "core/engine/membership.h"
#include "r_rows.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_atom_domain(std::string type, SEXP bounds, SEXP nan) {
  return guarded([&] {
    const AtomType atom = parse_atom_type(type);
    std::optional<Bounds> ends;
    if (!Rf_isNull(bounds)) {
      if (!is_number(atom)) {
        throw Error(ErrorKind::make_domain, type + " cannot be bounded");
      }
      ends = bounds_from_r(bounds, atom);
    }
    std::optional<bool> flag;
    if (!Rf_isNull(nan)) flag = flag_from_r(nan, "nan");
    return to_handle(Domain(make_atom_domain(atom, ends, flag)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_option_domain(SEXP element) {
  return guarded(
      [&] { return to_handle(Domain(OptionDomain{atom_domain(from_handle<Domain>(element))})); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_vector_domain(SEXP element, SEXP size) {
  return guarded([&] {
    const Domain& inner = from_handle<Domain>(element);
    if (!inner.as<AtomDomain>() && !inner.as<OptionDomain>() && !inner.as<UserDomain>()) {
      throw Error(ErrorKind::make_domain,
                  "Inner domain of VectorDomain must be AtomDomain, OptionDomain or "
                  "ExtrinsicDomain (created through foreign language bindings)");
    }
    std::optional<std::uint64_t> length;
    if (!Rf_isNull(size)) length = size_from_r(size, "size");
    return to_handle(vector_of(inner, length));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_map_domain(SEXP key, SEXP value) {
  return guarded([&] {
    const auto& keys = from_handle<Domain>(key);
    const auto* atom = keys.as<AtomDomain>();
    if (atom == nullptr || !is_hashable(atom->type)) {
      throw Error(ErrorKind::type,
                  "No match for concrete type " + type_name(keys) +
                      ". key_domain must be an atom of integers, bool or String.");
    }
    return to_handle(
        Domain(MapDomain{shared_from_handle<Domain>(key), shared_from_handle<Domain>(value)}));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_bitvector_domain(SEXP max_weight, SEXP size) {
  return guarded([&] {
    std::optional<std::uint32_t> weight;
    if (!Rf_isNull(max_weight)) {
      weight = std::get<std::uint32_t>(number_from_r(max_weight, AtomType::u32, "max_weight"));
    }
    std::optional<std::uint64_t> bits;
    if (!Rf_isNull(size)) bits = size_from_r(size, "size");
    return to_handle(Domain(make_bitvector_domain(weight, bits)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_user_domain(std::string identifier, SEXP member, SEXP descriptor) {
  return guarded([&] {
    return to_handle(Domain(UserDomain{identifier, keep_alive(member), keep_alive(descriptor)}));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_domain_describe(SEXP domain) {
  return guarded([&] {
    const auto& it = from_handle<Domain>(domain);
    const auto* user = it.as<UserDomain>();
    return Rcpp::List::create(
        Rcpp::_["debug"] = debug(it),
        Rcpp::_["type"] = type_name(it),
        Rcpp::_["carrier_type"] = carrier_name(it),
        Rcpp::_["descriptor"] = user != nullptr ? kept(user->descriptor) : R_NilValue);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_domain_equal(SEXP a, SEXP b) {
  return guarded(
      [&] { return Rf_ScalarLogical(from_handle<Domain>(a) == from_handle<Domain>(b)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_domain_member(SEXP domain, SEXP value) {
  return guarded([&] {
    const auto& it = from_handle<Domain>(domain);
    if (const auto* user = it.as<UserDomain>()) {
      const Rcpp::RObject answer = call_user(kept(user->member), value, true);
      return Rf_ScalarLogical(user_result(
          true, [&] { return flag_from_r(answer, "the result of the member function"); }));
    }
    return Rf_ScalarLogical(member(it, value_from_r(value, it)));
  });
}
