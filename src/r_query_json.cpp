#include "r_query_json.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "r_query_lists.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

using QueryForm = query::Form;

template <class Cells, class Read>
QueryForm form_cells_from_r(SEXP object, Read read) {
  Cells cells;
  const R_xlen_t size = Rf_xlength(object);
  cells.reserve(static_cast<std::size_t>(size));
  for (R_xlen_t i = 0; i < size; ++i) cells.push_back(read(i));
  return cells;
}

QueryForm::Reals::value_type form_real_from_r(double number) {
  if (R_IsNA(number) != 0) return std::nullopt;
  if (std::isnan(number)) refuse_query("a number");
  return number;
}

std::optional<std::string> form_text_from_r(SEXP element) {
  if (element == NA_STRING) return std::nullopt;
  std::string room;
  const auto text = text_of(element, room);
  if (!text) refuse_query("a text");
  return std::string(*text);
}

void refuse_form_attributes(SEXP object) {
  for (SEXP each = ATTRIB(object); each != R_NilValue; each = CDR(each)) {
    if (TYPEOF(object) != VECSXP || TAG(each) != R_NamesSymbol) refuse_query("an attribute");
  }
}

QueryForm form_at_depth(SEXP object, std::size_t depth) {
  if (depth > limits::kNestedLists) refuse_query("a list");
  refuse_form_attributes(object);
  switch (TYPEOF(object)) {
    case LGLSXP:
      return form_cells_from_r<QueryForm::Flags>(object, [&](R_xlen_t i) -> std::optional<bool> {
        const int cell = LOGICAL(object)[i];
        if (cell == NA_LOGICAL) return std::nullopt;
        return cell != 0;
      });
    case INTSXP:
      return form_cells_from_r<QueryForm::Wholes>(object,
                                                  [&](R_xlen_t i) -> std::optional<std::int32_t> {
                                                    const int cell = INTEGER(object)[i];
                                                    if (cell == NA_INTEGER) return std::nullopt;
                                                    return cell;
                                                  });
    case REALSXP:
      return form_cells_from_r<QueryForm::Reals>(
          object, [&](R_xlen_t i) { return form_real_from_r(REAL(object)[i]); });
    case STRSXP:
      return form_cells_from_r<QueryForm::Texts>(
          object, [&](R_xlen_t i) { return form_text_from_r(STRING_ELT(object, i)); });
    case VECSXP:
      break;
    default:
      refuse_query("an element");
  }
  const SEXP names = Rf_getAttrib(object, R_NamesSymbol);
  const R_xlen_t size = Rf_xlength(object);
  if (Rf_isNull(names)) {
    QueryForm::List list;
    for (R_xlen_t i = 0; i < size; ++i) {
      list.push_back(form_at_depth(VECTOR_ELT(object, i), depth + 1));
    }
    return list;
  }
  QueryForm::Fields fields;
  for (R_xlen_t i = 0; i < size; ++i) {
    const SEXP element = VECTOR_ELT(object, i);
    const auto name = form_text_from_r(STRING_ELT(names, i));
    if (!name) refuse_query("a name");
    if (!Rf_isNull(element)) fields.push_back({*name, form_at_depth(element, depth + 1)});
  }
  return fields;
}

SEXP form_text_to_r(const std::optional<std::string>& text) {
  if (!text) return NA_STRING;
  return Rf_mkCharLenCE(text->data(), static_cast<int>(text->size()), CE_UTF8);
}

}  // namespace

query::Form form_from_r(SEXP object) { return form_at_depth(object, 0); }

SEXP form_to_r(const query::Form& form) {
  if (const auto* flags = form.as<QueryForm::Flags>()) {
    Rcpp::LogicalVector out(flags->size());
    for (std::size_t i = 0; i < flags->size(); ++i) {
      out[i] = (*flags)[i] ? static_cast<int>(*(*flags)[i]) : NA_LOGICAL;
    }
    return out;
  }
  if (const auto* wholes = form.as<QueryForm::Wholes>()) {
    Rcpp::IntegerVector out(wholes->size());
    for (std::size_t i = 0; i < wholes->size(); ++i) out[i] = (*wholes)[i].value_or(NA_INTEGER);
    return out;
  }
  if (const auto* reals = form.as<QueryForm::Reals>()) {
    Rcpp::NumericVector out(reals->size());
    for (std::size_t i = 0; i < reals->size(); ++i) out[i] = (*reals)[i].value_or(NA_REAL);
    return out;
  }
  if (const auto* texts = form.as<QueryForm::Texts>()) {
    Rcpp::CharacterVector out(texts->size());
    for (std::size_t i = 0; i < texts->size(); ++i) {
      SET_STRING_ELT(out, static_cast<R_xlen_t>(i), form_text_to_r((*texts)[i]));
    }
    return out;
  }
  if (const auto* list = form.as<QueryForm::List>()) {
    Rcpp::List out(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) out[i] = form_to_r((*list)[i]);
    return out;
  }
  const auto& fields = *form.as<QueryForm::Fields>();
  Rcpp::List out(fields.size());
  Rcpp::CharacterVector names(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    out[i] = form_to_r(fields[i].value);
    SET_STRING_ELT(names, static_cast<R_xlen_t>(i), form_text_to_r(fields[i].name));
  }
  out.names() = names;
  return out;
}

}  // namespace dp::r
