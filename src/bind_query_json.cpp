// Binds queries as JSON.
#include <Rcpp.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>

#include "boundary.h"
#include "core/plan/json_text.h"
#include "core/query/query_json.h"
#include "r_query_json.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

constexpr std::size_t query::QueryJsonLimits::*kLimits[] = {&query::QueryJsonLimits::bytes,
                                                            &query::QueryJsonLimits::depth,
                                                            &query::QueryJsonLimits::parts,
                                                            &query::QueryJsonLimits::steps,
                                                            &query::QueryJsonLimits::aggregates,
                                                            &query::QueryJsonLimits::literals,
                                                            &query::QueryJsonLimits::numbers,
                                                            &query::QueryJsonLimits::rows,
                                                            &query::QueryJsonLimits::name_bytes};
const char* const kLimitNames[] = {
    "bytes", "depth", "parts", "steps", "aggregates", "literals", "numbers", "rows", "name_bytes"};
constexpr R_xlen_t kLimitCount = sizeof kLimits / sizeof *kLimits;

Rcpp::NumericVector limits_to_r(const query::QueryJsonLimits& limits) {
  Rcpp::NumericVector out(kLimitCount);
  Rcpp::CharacterVector names(kLimitCount);
  for (R_xlen_t i = 0; i < kLimitCount; ++i) {
    out[i] = static_cast<double>(limits.*kLimits[i]);
    names[i] = kLimitNames[i];
  }
  out.names() = names;
  return out;
}

query::QueryJsonLimits limits_from_r(const Rcpp::NumericVector& numbers) {
  query::QueryJsonLimits limits;
  if (numbers.size() != kLimitCount) throw Error(ErrorKind::failed_cast, "limits are a table.");
  for (R_xlen_t i = 0; i < kLimitCount; ++i) {
    limits.*kLimits[i] =
        static_cast<std::size_t>(size_from_r(Rf_ScalarReal(numbers[i]), "a limit"));
  }
  // Readers recurse, so the depth must be limited.
  limits.depth = std::min(limits.depth, query::kLocalQueryJson.depth);
  return limits;
}

JsonBounds bounds_from_r(SEXP bytes, SEXP depth, SEXP parts) {
  const auto size = [](SEXP object) {
    return static_cast<std::size_t>(size_from_r(object, "a bound"));
  };
  return {size(bytes), size(depth), size(parts)};
}

SEXP utf8_to_r(const std::string& text) {
  return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8);
}

// Returns lists like jsonlite::parse_json(): an array is a list without names, and a number without
// a point is an integer if it fits.
SEXP node_to_r(const JsonNode& node) {
  if (const auto* flag = node.as<bool>()) return Rf_ScalarLogical(*flag ? TRUE : FALSE);
  if (const auto* number = node.as<JsonNode::Number>()) {
    const bool fits = number->is_whole && std::fabs(number->value) <= INT_MAX;
    return fits ? Rf_ScalarInteger(static_cast<int>(number->value)) : Rf_ScalarReal(number->value);
  }
  if (const auto* text = node.as<std::string>()) {
    const Rcpp::Shield<SEXP> held(utf8_to_r(*text));
    return Rf_ScalarString(held);
  }
  if (const auto* array = node.as<JsonNode::Array>()) {
    const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, static_cast<R_xlen_t>(array->size())));
    R_xlen_t at = 0;
    for (const JsonNode& each : *array) SET_VECTOR_ELT(list, at++, node_to_r(each));
    return list;
  }
  const auto* object = node.as<JsonNode::Object>();
  if (object == nullptr) return R_NilValue;
  const auto size = static_cast<R_xlen_t>(object->size());
  const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, size));
  const Rcpp::Shield<SEXP> names(Rf_allocVector(STRSXP, size));
  R_xlen_t at = 0;
  for (const JsonField& field : *object) {
    SET_STRING_ELT(names, at, utf8_to_r(field.key));
    SET_VECTOR_ELT(list, at++, node_to_r(field.value));
  }
  Rf_setAttrib(list, R_NamesSymbol, names);
  return list;
}

}  // namespace

// Size limits of a query's text: for a server's clients, and for a local reader.
// [[Rcpp::export(rng = false)]]
SEXP core_query_json_limits() {
  return guarded([&]() -> SEXP {
    return Rcpp::List::create(Rcpp::_["server"] = limits_to_r({}),
                              Rcpp::_["local"] = limits_to_r(query::kLocalQueryJson));
  });
}

// The names of steps and aggregates in JSON.
// [[Rcpp::export(rng = false)]]
SEXP core_query_json_words() {
  return guarded([&]() -> SEXP {
    return Rcpp::List::create(Rcpp::_["steps"] = query::json_steps(),
                              Rcpp::_["aggregates"] = query::json_aggregates());
  });
}

// Writes the canonical text of list(declaration, query, loss, alpha), or of list(accountant,
// members, loss, alpha).
// [[Rcpp::export(rng = false)]]
SEXP core_query_to_json(Rcpp::List form) {
  return guarded([&]() -> SEXP {
    const std::string text = query::query_to_json(form_from_r(form));
    const Rcpp::Shield<SEXP> made(utf8_to_r(text));
    return Rf_ScalarString(made);
  });
}

// Parses a query's text to a list.
// [[Rcpp::export(rng = false)]]
SEXP core_query_from_json(SEXP text, Rcpp::NumericVector limits) {
  return guarded([&]() -> SEXP {
    return form_to_r(query::query_from_json(string_from_r(text, "text"), limits_from_r(limits)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_check_json_bounds(SEXP text, SEXP bytes, SEXP depth, SEXP parts) {
  return guarded([&]() -> SEXP {
    check_json_bounds(string_from_r(text, "text"), bounds_from_r(bytes, depth, parts));
    return R_NilValue;
  });
}

// Parses JSON text to lists.
// [[Rcpp::export(rng = false)]]
SEXP core_parse_json(SEXP text, SEXP bytes, SEXP depth, SEXP parts) {
  return guarded([&]() -> SEXP {
    return node_to_r(
        parse_json_text(string_from_r(text, "text"), bounds_from_r(bytes, depth, parts)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_has_json_key(SEXP text, SEXP key) {
  return guarded([&]() -> SEXP {
    return Rf_ScalarLogical(
        has_json_key(string_from_r(text, "text"), string_from_r(key, "key")) ? TRUE : FALSE);
  });
}
