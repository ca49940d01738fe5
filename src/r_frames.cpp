#include "r_frames.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/data/frame.h"
#include "r_maps.h"
#include "r_rows.h"
#include "r_scalars.h"
#include "r_settled.h"

namespace dp::r {
namespace {

class Vector final : public ColumnSource {
 public:
  Vector(SEXP vector, std::size_t size)
      : vector_(vector), alive_(keep_alive(vector)), size_(size) {}

  std::size_t size() const override { return size_; }
  AtomType type() const override {
    const std::optional<AtomType> type = row_type(vector_);
    if (!type) {
      throw Error(ErrorKind::failed_cast,
                  "a column must hold rows, not " + describe_element_type(vector_) + ".");
    }
    return *type;
  }
  ColumnPtr as(AtomType type) const override {
    settle();
    return rows_if_type(vector_, type, false);
  }
  ColumnSourcePtr owned() const override {
    settle();
    const Rcpp::Shield<SEXP> copy(Rf_duplicate(vector_));
    return std::make_shared<Vector>(copy, size_);
  }

 private:
  // Settles the column once, at the first access, so that every reader sees the same elements. A
  // column whose type no reader supports is not settled.
  void settle() const {
    if (!row_type(vector_)) return;
    const Rcpp::Shield<SEXP> same(settled(vector_));
    if (static_cast<std::size_t>(Rf_xlength(same)) != size_) refuse_nonmember();
    if (same == vector_) return;
    vector_ = same;
    alive_ = keep_alive(same);
  }

  mutable SEXP vector_;
  mutable Opaque alive_;
  std::size_t size_;
};

// Checks the length of vectors; other columns have no rows of any type.
bool has_length(SEXP column, std::size_t rows) {
  return !row_type(column) || static_cast<std::size_t>(Rf_xlength(column)) == rows;
}

ColumnSourcePtr source_from_r(SEXP column, std::size_t rows) {
  if (is_numbers(column)) {
    ColumnPtr numbers = numbers_from_r(column);
    if (numbers->size() != rows) refuse_nonmember();
    return contents_of(std::move(numbers));
  }
  if (is_texts(column)) {
    ColumnPtr texts = texts_from_r(column);
    if (texts->size() != rows) refuse_nonmember();
    return contents_of(std::move(texts));
  }
  if (!has_length(column, rows)) refuse_nonmember();
  return std::make_shared<Vector>(column, rows);
}

}  // namespace

std::size_t frame_rows(SEXP frame) {
  return static_cast<std::size_t>(
      Rf_xlength(Rcpp::Shield<SEXP>(Rf_getAttrib(frame, R_RowNamesSymbol))));
}

FramePtr frame_from_r(SEXP object, AtomType key) {
  const Rcpp::Shield<SEXP> names(Rf_getAttrib(object, R_NamesSymbol));
  if (TYPEOF(object) != VECSXP || !Rf_inherits(object, "data.frame") ||
      Rf_xlength(names) != Rf_xlength(object)) {
    throw Error(ErrorKind::failed_cast, "arg must be a data frame.");
  }
  const std::size_t rows = frame_rows(object);
  std::vector<NamedColumn> columns;
  for (R_xlen_t i = 0; i < Rf_xlength(object); ++i) {
    std::optional<Scalar> name = key_from_name(STRING_ELT(names, i), key);
    if (!name) continue;
    const SEXP column = VECTOR_ELT(object, i);
    columns.emplace_back(std::move(*name), source_from_r(column, rows));
  }
  const std::size_t count = columns.size();
  auto frame = std::make_shared<Frame>(key, std::move(columns));
  if (frame->columns().size() != count) {
    throw Error(ErrorKind::failed_cast, "no two columns of arg may have one name.");
  }
  return frame;
}

SEXP frame_to_r(const Frame& frame) {
  const auto n = static_cast<R_xlen_t>(frame.columns().size());
  const Rcpp::Shield<SEXP> list(Rf_allocVector(VECSXP, n));
  const Rcpp::Shield<SEXP> names(Rf_allocVector(STRSXP, n));
  std::size_t rows = 0;
  for (R_xlen_t i = 0; i < n; ++i) {
    const NamedColumn& column = frame.columns()[static_cast<std::size_t>(i)];
    SET_STRING_ELT(names, i, name_from_key(column.name));
    SET_VECTOR_ELT(list, i, rows_to_r(*column.contents->as(column.contents->type())));
    rows = column.contents->size();
  }
  Rf_setAttrib(list, R_NamesSymbol, names);
  // R's short form of 1, ..., rows.
  const Rcpp::Shield<SEXP> row_names(Rf_allocVector(INTSXP, 2));
  INTEGER(row_names)[0] = NA_INTEGER;
  INTEGER(row_names)[1] = -static_cast<int>(rows);
  Rf_setAttrib(list, R_RowNamesSymbol, row_names);
  const Rcpp::Shield<SEXP> label(Rf_mkString("data.frame"));
  Rf_setAttrib(list, R_ClassSymbol, label);
  return list;
}

}  // namespace dp::r
