// Columns computed from other columns of the same row, for model formulas: from numbers within
// public bounds, and declared levels.
//
// Sources are read as statistics read columns (prepare.h), so an expression sees only values within
// the bounds, or a missing value. A level counts by its index; undeclared levels are missing.
// Expressions are total (expressions/typing.h). If a row lacks a value, or a result is not finite,
// the derived value is NaN, which means missing.
//
// Each row is computed separately, so a replaced row changes only its values. This is arithmetic of
// doubles, the same on every machine (expressions/elementary.h). It comes before the clamp that
// bounds a row's contribution: readers of the terms clamp them, and make integers of them
// (lattice_columns.h).
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

  // Bounds of each term, rounded outward, for all rows within the bounds of the sources. Empty if
  // one end is not known.
  std::vector<std::optional<std::pair<double, double>>> bounds() const;

  // The terms, of f64, for private rows.
  FramePtr derived(const Frame& frame, SourceGaps gaps) const;

  // Derives public rows unchanged, even beyond the bounds of the sources.
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
// Stability: 1, because each row is a random function of only that row (row_wise.h).
Transformation make_derive_columns(RowProgram program, SourceGaps gaps);

}  // namespace dp
