#include "r_values.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/combinators/measurement_query.h"
#include "core/data/records.h"
#include "core/measures/privacy_profile.h"
#include "core/numeric/cast.h"
#include "r_frames.h"
#include "r_integer64.h"
#include "r_maps.h"
#include "r_objects.h"
#include "r_rows.h"
#include "r_scalars.h"
#include "r_settled.h"

namespace dp::r {
namespace {

enum class Toward { more, less };

Scalar number_distance(SEXP object, AtomType type, Toward toward = Toward::more) {
  if (type == AtomType::f32) {
    const double exact = std::get<double>(number_from_r(object, AtomType::f64, "the distance"));
    return toward == Toward::more ? cast_up<float>(exact) : cast_down<float>(exact);
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
  // Without its class a vector can mean different numbers, as an integer64 vector does.
  if (TYPEOF(object) != VECSXP && OBJECT(object)) {
    throw Error(ErrorKind::failed_cast, "the distance must be a list or a plain vector.");
  }
  const Rcpp::Shield<SEXP> list(TYPEOF(object) == VECSXP ? object
                                                         : Rf_coerceVector(object, VECSXP));
  std::vector<Rcpp::RObject> parts;
  for (std::size_t i = 0; i < count; ++i) {
    parts.emplace_back(VECTOR_ELT(list, static_cast<R_xlen_t>(i)));
  }
  return parts;
}

// Reads text of any size in place; only text in other encodings than UTF-8 is translated to a copy.
Text text_from_r(SEXP object) {
  if (TYPEOF(object) == STRSXP && !OBJECT(object) && Rf_xlength(object) == 1) {
    const SEXP element = STRING_ELT(object, 0);
    const auto copy = std::make_shared<std::string>();
    const std::optional<std::string_view> text = text_of(element, *copy);
    if (!text) refuse_nonmember();
    if (text->data() == CHAR(element)) return {*text, keep_alive(element)};
    return {*copy, copy};
  }
  datum_from_r(object, AtomType::string);  // which refuses it
  refuse_nonmember();
}

RecordsPtr records_from_r(SEXP object) {
  if (TYPEOF(object) != VECSXP || OBJECT(object)) {
    throw Error(ErrorKind::failed_cast, "arg must be a list of character vectors.");
  }
  const R_xlen_t n = Rf_xlength(object);
  std::vector<std::vector<std::string>> records;
  records.reserve(static_cast<std::size_t>(n));
  for (R_xlen_t i = 0; i < n; ++i) {
    std::vector<std::string> fields;
    for (Scalar& field : data_from_r(VECTOR_ELT(object, i), AtomType::string)) {
      fields.push_back(std::get<std::string>(std::move(field)));
    }
    records.push_back(std::move(fields));
  }
  return std::make_shared<OwnedRecords>(std::move(records));
}

// Two columns of one length, in a list of two vectors or a data frame.
Value columns_from_r(SEXP object, const PairDomain& pair) {
  const bool list = TYPEOF(object) == VECSXP && Rf_xlength(object) == 2 &&
                    (!OBJECT(object) || Rf_inherits(object, "data.frame"));
  if (!list) throw Error(ErrorKind::failed_cast, "arg must be a list of two vectors.");
  return Value::Tuple{value_from_r(VECTOR_ELT(object, 0), vector_of(pair.first)),
                      value_from_r(VECTOR_ELT(object, 1), vector_of(pair.second))};
}

SEXP records_to_r(const Records& records) {
  const auto n = static_cast<R_xlen_t>(records.size());
  const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const std::vector<std::string> fields = records.record(static_cast<std::size_t>(i));
    SET_VECTOR_ELT(list, i, rows_to_r(*make_column(AtomType::string, fields)));
  }
  return list;
}

SEXP bits_to_r(const Value::Bits& bits) {
  const Rcpp::Shield<SEXP> out(Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(bits.bytes.size())));
  std::copy(bits.bytes.begin(), bits.bytes.end(), RAW(out));
  return out;
}

// Facts known before a result exists: its domain, or null, and whether the data were integer64.
struct Known {
  const Domain* domain;
  bool like_integer64;
};

const AtomDomain* element_domain(const Domain& domain) {
  if (const auto* vector = domain.as<VectorDomain>()) return element_domain(*vector->element);
  if (const auto* option = domain.as<OptionDomain>()) return &option->element;
  return domain.as<AtomDomain>();
}

Wide form_of(const Known& known, AtomType type) {
  const AtomDomain* atom = known.domain == nullptr ? nullptr : element_domain(*known.domain);
  return wide_form(atom, atom == nullptr ? type : atom->type, known.like_integer64);
}

SEXP known_map_to_r(const Map& map, const Known& known) {
  const auto* domain = known.domain == nullptr ? nullptr : known.domain->as<MapDomain>();
  const auto form = [&](const Column& rows, const std::shared_ptr<const Domain> MapDomain::*part) {
    const Known of_part{domain == nullptr ? nullptr : (domain->*part).get(), known.like_integer64};
    return form_of(of_part, rows.type());
  };
  return map_to_r(map, form(*map.keys, &MapDomain::key), form(*map.values, &MapDomain::value));
}

// A scalar does not distinguish u64 from usize; without a domain it is treated as u64.
SEXP result_to_r(const Value& value, const Known& known) {
  if (const auto* scalar = value.as<Scalar>()) {
    return scalar_to_r(*scalar, form_of(known, AtomType::u64));
  }
  if (const auto* rows = value.as<ColumnPtr>()) {
    return rows_to_r(**rows, form_of(known, (*rows)->type()));
  }
  if (const auto* opaque = value.as<Opaque>()) return kept(*opaque);
  if (const auto* text = value.as<Text>()) return scalar_to_r(std::string(text->characters));
  if (const auto* records = value.as<RecordsPtr>()) return records_to_r(**records);
  if (const auto* frame = value.as<FramePtr>()) return frame_to_r(**frame);
  if (const auto* map = value.as<MapPtr>()) return known_map_to_r(**map, known);
  if (const auto* bits = value.as<Value::Bits>()) return bits_to_r(*bits);
  if (const auto* queryable = value.as<QueryablePtr>()) return queryable_to_r(*queryable);
  if (const auto* measurement = value.as<MeasurementPtr>()) return measurement_to_r(*measurement);
  if (const auto* tuple = value.as<Value::Tuple>()) {
    const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, static_cast<R_xlen_t>(tuple->size())));
    for (std::size_t i = 0; i < tuple->size(); ++i) {
      SET_VECTOR_ELT(list,
                     static_cast<R_xlen_t>(i),
                     result_to_r((*tuple)[i], {nullptr, known.like_integer64}));
    }
    return list;
  }
  return R_NilValue;
}

Distance distance_toward(SEXP object, const Metric& metric, Toward toward) {
  if (metric.kind == MetricKind::user) return keep_alive(object);
  if (metric.inner) {
    const std::vector<Rcpp::RObject> parts = parts_of(object, 3);
    return Distance::Tuple{number_distance(parts[0], AtomType::u32),
                           distance_toward(parts[1], *metric.inner, toward),
                           distance_toward(parts[2], *metric.inner, toward)};
  }
  return number_distance(object, metric.distance_type, toward);
}

}  // namespace

Value value_from_r(SEXP object, const Domain& domain) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    if (atom->type == AtomType::string) return text_from_r(object);
    return datum_from_r(object, atom->type);
  }
  if (const auto* vector = domain.as<VectorDomain>()) {
    if (const auto* atom = vector->element->as<AtomDomain>()) {
      if (atom->type == AtomType::f64 && is_numbers(object)) return numbers_from_r(object);
      return rows_from_r(object, atom->type, false);
    }
    if (const auto* option = vector->element->as<OptionDomain>()) {
      return rows_from_r(object, option->element.type, true);
    }
    if (const auto* pair = vector->element->as<PairDomain>()) return columns_from_r(object, *pair);
    if (vector->element->as<VectorDomain>()) return records_from_r(object);
  }
  if (const auto* map = domain.as<MapDomain>()) {
    const auto* key = map->key->as<AtomDomain>();
    const auto* value = map->value->as<AtomDomain>();
    if (key != nullptr && value != nullptr) return map_from_r(object, key->type, value->type);
  }
  if (const auto* frame = domain.as<DataFrameDomain>()) return frame_from_r(object, frame->key);
  if (domain.as<BitVectorDomain>()) {
    if (TYPEOF(object) != RAWSXP || OBJECT(object)) {
      throw Error(ErrorKind::failed_cast, "arg must be a raw vector.");
    }
    const Rcpp::Shield<SEXP> bits(settled(object));
    return Value::Bits{{RAW(bits), RAW(bits) + Rf_xlength(bits)}};
  }
  return keep_alive(object);
}

Value release_from_r(SEXP object) {
  if (OBJECT(object) && !is_integer64(object)) return keep_alive(object);
  const auto value = [&](AtomType type) -> Value {
    if (Rf_xlength(object) == 1) return datum_from_r(object, type);
    return rows_from_r(object, type, false);
  };
  switch (TYPEOF(object)) {
    case INTSXP:
      return value(AtomType::i32);
    case REALSXP:
      return value(is_integer64(object) ? AtomType::i64 : AtomType::f64);
    case LGLSXP:
      return value(AtomType::boolean);
    case STRSXP:
      return value(AtomType::string);
    default:
      return keep_alive(object);
  }
}

Value value_of_type(SEXP object, const std::string& descriptor) {
  if (descriptor == kMeasurementQuery) return shared_from_handle<Measurement>(object);
  std::string atom = descriptor;
  const auto unwrap = [&](const std::string& outer) {
    if (atom.compare(0, outer.size(), outer) != 0) return false;
    atom = atom.substr(outer.size(), atom.size() - outer.size() - 1);
    return true;
  };
  const bool is_vector = unwrap("Vec<");
  const bool option = is_vector && unwrap("Option<");
  AtomType type;
  try {
    type = parse_atom_type(atom);
  } catch (const Error&) {
    return keep_alive(object);
  }
  if (is_vector) return rows_from_r(object, type, option);
  return scalar_from_r(object, type, "the result");
}

SEXP value_to_r(const Value& value) { return result_to_r(value, {nullptr, false}); }

SEXP value_to_r(const Value& value, const Domain& domain, SEXP arg) {
  return result_to_r(value, {&domain, is_integer64(arg)});
}

Distance distance_from_r(SEXP object, const Metric& metric) {
  return distance_toward(object, metric, Toward::more);
}

Distance limit_from_r(SEXP object, const Metric& metric) {
  return distance_toward(object, metric, Toward::less);
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
      return curve_from_r(object);
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
  return curve_to_r(*distance.as<Distance::Curve>());
}

Rcpp::RObject call_user(SEXP closure, SEXP argument, bool public_argument) {
  const Rcpp::Function call = Rcpp::Environment::namespace_env("PSIlence")["call_user_function"];
  // Passes the argument in a list, because R would evaluate an argument that is a call.
  const Rcpp::List outcome = call(Rcpp::RObject(closure), Rcpp::List::create(argument));
  if (Rcpp::as<bool>(outcome["failed"])) {
    std::string sentence = "Exception in user-defined function";
    if (public_argument) sentence += ": " + Rcpp::as<std::string>(outcome["message"]);
    throw Error(ErrorKind::failed_function, sentence);
  }
  return outcome["value"];
}

}  // namespace dp::r
