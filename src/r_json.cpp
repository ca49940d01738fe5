#include "r_json.h"

#include <string>

#include "core/error.h"
#include "r_scalars.h"
#include "r_values.h"

namespace dp::r {
namespace {

Json json_at_depth(SEXP object, std::size_t depth);

Json object_from_r(const Rcpp::List& list, const Rcpp::CharacterVector& names, std::size_t depth) {
  Json out;
  for (R_xlen_t i = 0; i < list.size(); ++i) {
    out.set(std::string(Rf_translateCharUTF8(names[i])), json_at_depth(list[i], depth));
  }
  return out;
}

Json json_at_depth(SEXP object, std::size_t depth) {
  if (depth > kMostDepth) throw Error(ErrorKind::ledger, "a record has too many levels.");
  if (TYPEOF(object) == STRSXP) return string_from_r(object, "a value");
  if (TYPEOF(object) != VECSXP) return size_from_r(object, "a value");
  const Rcpp::List list(object);
  const SEXP names = Rf_getAttrib(object, R_NamesSymbol);
  if (!Rf_isNull(names)) return object_from_r(list, names, depth + 1);
  Json::Array array;
  for (R_xlen_t i = 0; i < list.size(); ++i) array.push_back(json_at_depth(list[i], depth + 1));
  return array;
}

}  // namespace

Json json_from_r(SEXP object) { return json_at_depth(object, 0); }

SEXP json_to_r(const Json& json) {
  if (const auto* number = json.as<std::uint64_t>()) {
    return Rf_ScalarReal(static_cast<double>(*number));
  }
  if (const auto* text = json.as<std::string>()) {
    return Rf_ScalarString(Rf_mkCharLenCE(text->data(), static_cast<int>(text->size()), CE_UTF8));
  }
  if (const auto* array = json.as<Json::Array>()) {
    Rcpp::List out(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) out[i] = json_to_r((*array)[i]);
    return out;
  }
  const auto& members = *json.as<Json::Object>();
  Rcpp::List out(members.size());
  Rcpp::CharacterVector names(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    out[i] = json_to_r(members[i].value);
    names[i] = Rf_mkCharCE(members[i].key.c_str(), CE_UTF8);
  }
  out.names() = names;
  return out;
}

}  // namespace dp::r
