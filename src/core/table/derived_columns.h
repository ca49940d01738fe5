// Columns that are computed of other columns of the same row, as a formula of a model has them: of
// numbers within public bounds, and of levels that are declared.
//
// Sources are read as statistics read columns (prepare.h), so an expression sees nothing beyond
// their bounds, and a missing value where there is none. A level counts by its place; what is no
// level is missing. Expressions are total (expressions/typing.h): of a row that lacks a value, and
// where a value is not finite, the derived one is NaN, which is to say missing.
//
// Each row by itself, so a row that is replaced changes its own values and no others. This is
// arithmetic of doubles, the same on every machine (expressions/elementary.h), and comes before the
// clamp that bounds what a row can do: whoever reads the terms moves them into their bounds, and
// makes integers of them, however they were computed (lattice_columns.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/data/frame.h"
#include "core/expressions/bound.h"
#include "core/expressions/expression.h"
#include "core/expressions/text_pool.h"
#include "core/table/column_spec.h"
#include "core/transformations/transformation.h"

namespace dp {

// A column of numbers; or of levels, which are texts or, if `whole_levels`, numbers: then the
// bounds are 0 and their number less 1, and whole.
struct SourceColumn {
  ColumnSpec column;
  std::vector<std::string> levels;
  bool whole_levels = false;
};

struct DerivedTerm {
  std::string name;
  query::ExpressionPtr expression;
};

enum class SourceGaps {
  kept,    // whatever needs the value is missing
  imputed  // a value is drawn, of levels one of all; first of all, so that all terms see the same
};

class RowProgram {
 public:
  // Throws what check_column_specs() throws, what bind_expression() throws of formulas, and
  // make_transformation unless terms have different names and are numbers, and levels are two or
  // more, and different.
  RowProgram(std::vector<SourceColumn> sources, std::vector<DerivedTerm> terms);

  // Of each term, outward: of all rows within the bounds of the sources. Nothing if one end is not
  // known.
  std::vector<std::optional<std::pair<double, double>>> bounds() const;

  // The terms, of f64, for private rows.
  FramePtr derived(const Frame& frame, SourceGaps gaps) const;

  // For public rows as they are, beyond the bounds of the sources too.
  FramePtr derived_as_given(const Frame& frame) const;

 private:
  using Numbers = std::vector<double>;

  FramePtr evaluated(const std::vector<Numbers>& sources) const;

  std::vector<SourceColumn> sources_;
  std::vector<DerivedTerm> terms_;
  std::shared_ptr<query::TextPool> texts_;  // of `bound_`, whose addresses must stay
  std::vector<query::BoundPtr> bound_;
};

// From data frames with the sources to data frames with the terms, under the change-one distance.
//
// Stability: 1, as each row by itself is a random function of that row alone (row_wise.h).
Transformation make_derive_columns(RowProgram program, SourceGaps gaps);

}  // namespace dp
