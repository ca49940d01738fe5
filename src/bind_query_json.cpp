// Queries as JSON.
#include <Rcpp.h>

#include <algorithm>
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
  // Readers recurse.
  limits.depth = std::min(limits.depth, query::kLocalQueryJson.depth);
  return limits;
}

}  // namespace

// Most that the text of a query may have: of a client of a server, and of a local reader.
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

// The canonical text of list(declaration, query, loss, alpha).
// [[Rcpp::export(rng = false)]]
SEXP core_query_to_json(Rcpp::List form) {
  return guarded([&]() -> SEXP {
    const std::string text = query::query_to_json(form_from_r(form));
    const Rcpp::Shield<SEXP> made(
        Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8));
    return Rf_ScalarString(made);
  });
}

// The list that a text stands for.
// [[Rcpp::export(rng = false)]]
SEXP core_query_from_json(SEXP text, Rcpp::NumericVector limits) {
  return guarded([&]() -> SEXP {
    return form_to_r(query::query_from_json(string_from_r(text, "text"), limits_from_r(limits)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_check_json_bounds(SEXP text, SEXP bytes, SEXP depth, SEXP parts) {
  return guarded([&]() -> SEXP {
    const auto size = [](SEXP object) {
      return static_cast<std::size_t>(size_from_r(object, "a bound"));
    };
    check_json_bounds(string_from_r(text, "text"), {size(bytes), size(depth), size(parts)});
    return R_NilValue;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_has_json_key(SEXP text, SEXP key) {
  return guarded([&]() -> SEXP {
    return Rf_ScalarLogical(
        has_json_key(string_from_r(text, "text"), string_from_r(key, "key")) ? TRUE : FALSE);
  });
}
