#include "r_values.h"

#include <memory>
#include <vector>

#include "boundary.h"
#include "core/measures/privacy_profile.h"
#include "core/numeric/cast.h"
#include "r_rows.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

Scalar number_distance(SEXP object, AtomType type) {
  if (type == AtomType::f32) {
    return cast_up<float>(std::get<double>(number_from_r(object, AtomType::f64, "the distance")));
  }
  return number_from_r(object, type, "the distance");
}

// The parts of a tuple, given as a list or as an atomic vector.
std::vector<Rcpp::RObject> parts_of(SEXP object, std::size_t count) {
  if (!Rf_isVector(object) || static_cast<std::size_t>(Rf_xlength(object)) != count) {
    throw Error(ErrorKind::failed_cast,
                "the distance must have " + std::to_string(count) + " parts, not " +
                    std::to_string(Rf_xlength(object)) + ".");
  }
  const Rcpp::Shield<SEXP> list(TYPEOF(object) == VECSXP ? object
                                                         : Rf_coerceVector(object, VECSXP));
  std::vector<Rcpp::RObject> parts;
  for (std::size_t i = 0; i < count; ++i) {
    parts.emplace_back(VECTOR_ELT(list, static_cast<R_xlen_t>(i)));
  }
  return parts;
}

}  // namespace

Value value_from_r(SEXP object, const Domain& domain) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    return scalar_from_r(object, atom->type, "arg");
  }
  if (const auto* vector = domain.as<VectorDomain>()) {
    if (const auto* atom = vector->element->as<AtomDomain>()) {
      return rows_from_r(object, atom->type, false);
    }
    if (const auto* option = vector->element->as<OptionDomain>()) {
      return rows_from_r(object, option->element.type, true);
    }
  }
  return keep_alive(object);
}

Value release_from_r(SEXP object) {
  if (OBJECT(object)) return keep_alive(object);
  const auto value = [&](AtomType type) -> Value {
    if (Rf_xlength(object) == 1) return scalar_from_r(object, type, "arg");
    return rows_from_r(object, type, false);
  };
  switch (TYPEOF(object)) {
    case INTSXP:
      return value(AtomType::i32);
    case REALSXP:
      return value(AtomType::f64);
    case LGLSXP:
      return value(AtomType::boolean);
    case STRSXP:
      return value(AtomType::string);
    default:
      return keep_alive(object);
  }
}

Value value_of_type(SEXP object, const std::string& descriptor) {
  const std::string vector = "Vec<";
  const bool is_vector = descriptor.compare(0, vector.size(), vector) == 0;
  const std::string atom =
      is_vector ? descriptor.substr(vector.size(), descriptor.size() - vector.size() - 1)
                : descriptor;
  AtomType type;
  try {
    type = parse_atom_type(atom);
  } catch (const Error&) {
    return keep_alive(object);
  }
  if (is_vector) return rows_from_r(object, type, false);
  return scalar_from_r(object, type, "the result");
}

SEXP value_to_r(const Value& value) {
  if (const auto* scalar = value.as<Scalar>()) return scalar_to_r(*scalar);
  if (const auto* rows = value.as<RowsPtr>()) return rows_to_r(**rows);
  if (const auto* opaque = value.as<Opaque>()) return kept(*opaque);
  if (const auto* tuple = value.as<Value::Tuple>()) {
    const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, static_cast<R_xlen_t>(tuple->size())));
    for (std::size_t i = 0; i < tuple->size(); ++i) {
      SET_VECTOR_ELT(list, static_cast<R_xlen_t>(i), value_to_r((*tuple)[i]));
    }
    return list;
  }
  return R_NilValue;
}

Distance distance_from_r(SEXP object, const Metric& metric) {
  if (metric.kind == MetricKind::user) return keep_alive(object);
  if (metric.inner) {
    const std::vector<Rcpp::RObject> parts = parts_of(object, 3);
    return Distance::Tuple{number_distance(parts[0], AtomType::u32),
                           distance_from_r(parts[1], *metric.inner),
                           distance_from_r(parts[2], *metric.inner)};
  }
  return number_distance(object, metric.distance_type);
}

Distance distance_from_r(SEXP object, const Measure& measure) {
  switch (measure.kind) {
    case MeasureKind::max_divergence:
    case MeasureKind::zero_concentrated_divergence:
      return number_distance(object, AtomType::f64);
    case MeasureKind::approximate: {
      const std::vector<Rcpp::RObject> parts = parts_of(object, 2);
      return Distance::Tuple{distance_from_r(parts[0], *measure.inner),
                             number_distance(parts[1], AtomType::f64)};
    }
    case MeasureKind::smoothed_max_divergence:
      return shared_from_handle<PrivacyProfile>(object);
    case MeasureKind::renyi_divergence: {
      const Opaque closure = keep_alive(object);
      return Distance::Curve([closure](double alpha) {
        const Rcpp::Shield<SEXP> argument(Rf_ScalarReal(alpha));
        return double_from_r(call_user(kept(closure), argument, true), "the curve's value");
      });
    }
    case MeasureKind::user:
      return keep_alive(object);
  }
  throw Error(ErrorKind::type, "unknown measure.");
}

SEXP distance_to_r(const Distance& distance) {
  if (const auto* scalar = distance.as<Scalar>()) return distance_number_to_r(*scalar);
  if (const auto* opaque = distance.as<Opaque>()) return kept(*opaque);
  if (const auto* tuple = distance.as<Distance::Tuple>()) {
    const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, static_cast<R_xlen_t>(tuple->size())));
    for (std::size_t i = 0; i < tuple->size(); ++i) {
      SET_VECTOR_ELT(list, static_cast<R_xlen_t>(i), distance_to_r((*tuple)[i]));
    }
    return list;
  }
  if (const auto* profile = distance.as<std::shared_ptr<const PrivacyProfile>>()) {
    return to_handle(*profile);
  }
  throw Error(ErrorKind::not_implemented, "a Renyi curve has no form in R.");
}

Rcpp::RObject call_user(SEXP closure, SEXP argument, bool public_argument) {
  const Rcpp::Function call = Rcpp::Environment::namespace_env("PSIlence")["call_user_function"];
  const Rcpp::List outcome = call(Rcpp::RObject(closure), Rcpp::RObject(argument));
  if (Rcpp::as<bool>(outcome["failed"])) {
    std::string sentence = "Exception in user-defined function";
    if (public_argument) sentence += ": " + Rcpp::as<std::string>(outcome["message"]);
    throw Error(ErrorKind::failed_function, sentence);
  }
  return outcome["value"];
}

}  // namespace dp::r
