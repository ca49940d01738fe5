// Text, records and data frames.
#include <optional>
#include <string>

#include "boundary.h"
#include "core/transformations/create_dataframe.h"
#include "core/transformations/df_cast_default.h"
#include "core/transformations/df_is_equal.h"
#include "core/transformations/frame_keys.h"
#include "core/transformations/select_column.h"
#include "core/transformations/split_dataframe.h"
#include "core/transformations/split_lines.h"
#include "core/transformations/split_records.h"
#include "core/transformations/subset_by.h"
#include "r_rows.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// The texts of a character vector or a factor, as the core reads them: NA for what says nothing.
// [[Rcpp::export(rng = false)]]
SEXP core_texts(SEXP x) {
  return guarded([&] { return rows_to_r(*rows_from_r(x, AtomType::string, true)); });
}

namespace {

std::optional<std::string> separator_from_r(SEXP separator) {
  if (Rf_isNull(separator)) return std::nullopt;
  return string_from_r(separator, "separator");
}

// NULL is none, of either.
RecordStyle style_from_r(SEXP quote, SEXP header) {
  RecordStyle style;
  if (!Rf_isNull(quote)) {
    const std::string text = string_from_r(quote, "quote");
    if (text.size() != 1) {
      throw Error(ErrorKind::make_transformation, "quote must be one visible character of ASCII");
    }
    style.quote = text.front();
  }
  if (!Rf_isNull(header)) style.header = strings_from_r(header, "header");
  return style;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_make_split_lines() {
  return guarded([] { return to_handle(make_split_lines()); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_split_records(SEXP separator, SEXP quote, SEXP header) {
  return guarded([&] {
    return to_handle(make_split_records(separator_from_r(separator), style_from_r(quote, header)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_create_dataframe(SEXP col_names, std::string k) {
  return guarded([&] {
    const AtomType key = parse_atom_type(k);
    return to_handle(make_create_dataframe(scalars_from_r(col_names, key, "col_names"), key));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_split_dataframe(
    SEXP separator, SEXP col_names, std::string k, SEXP quote, SEXP header) {
  return guarded([&] {
    const AtomType key = parse_atom_type(k);
    return to_handle(make_split_dataframe(separator_from_r(separator),
                                          scalars_from_r(col_names, key, "col_names"),
                                          key,
                                          style_from_r(quote, header)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_select_column(SEXP key, std::string toa, std::string k) {
  return guarded([&] {
    const AtomType type = parse_atom_type(k);
    return to_handle(
        make_select_column(scalar_from_r(key, type, "key"), type, parse_atom_type(toa)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_df_cast_default(
    SEXP input_domain, SEXP input_metric, SEXP column_name, std::string tia, std::string toa) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(
        make_df_cast_default(domain,
                             from_handle<Metric>(input_metric),
                             scalar_from_r(column_name, key_type_of(domain), "column_name"),
                             parse_atom_type(tia),
                             parse_atom_type(toa)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_df_is_equal(
    SEXP input_domain, SEXP input_metric, SEXP column_name, SEXP value, std::string tia) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    const AtomType type = parse_atom_type(tia);
    return to_handle(
        make_df_is_equal(domain,
                         from_handle<Metric>(input_metric),
                         scalar_from_r(column_name, key_type_of(domain), "column_name"),
                         scalar_from_r(value, type, "value"),
                         type));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_subset_by(SEXP indicator_column, SEXP keep_columns, std::string tk) {
  return guarded([&] {
    const AtomType key = parse_atom_type(tk);
    return to_handle(make_subset_by(scalar_from_r(indicator_column, key, "indicator_column"),
                                    scalars_from_r(keep_columns, key, "keep_columns"),
                                    key));
  });
}
