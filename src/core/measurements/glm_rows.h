// Rows of a data frame in the form that generalized linear models use: predictors in fixed point,
// and a response, each scaled by public bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/measurements/glm_loss.h"
#include "core/measurements/glm_objective.h"
#include "core/table/lattice_columns.h"

namespace dp {

// Rows of a model. A row that lacks a value is all zeros, the intercept's predictor included: the
// gradient and the Hessian of an objective are the same without it.
struct GlmPart {
  GlmRows rows;
  std::vector<std::uint8_t> present;  // 0 for a row that lacks a value, else 1
};

// Properties of a model besides its columns. With an intercept, predictors are centred, and so is
// the response of ols. An offset, which is not scaled, and weights (row_weight.h) are separate
// columns, the last ones, in this order.
struct GlmLayout {
  bool intercept;
  bool has_offset = false;
  bool has_weights = false;
};

class GlmScaling {
 public:
  // The response is the first column. Throws make_measurement for weights that may be negative.
  GlmScaling(std::vector<ColumnRule> rules, GlmFamily family, GlmLayout layout);

  std::size_t predictors() const { return columns_.size() - 1 + (intercept_ ? 1 : 0); }

  // Rows order[begin], ..., order[begin + size - 1] of `all`.
  GlmPart part(const PresentRows& all,
               const std::vector<std::size_t>& order,
               std::size_t begin,
               std::size_t size) const;

 private:
  // q becomes (factor q + shift) / denominator, at most 1 in magnitude.
  struct Column {
    std::int64_t factor;
    std::int64_t shift;
    std::int64_t denominator;

    double real(std::int64_t q) const;
    std::int32_t fixed(std::int64_t q) const;
  };
  static Column scaled(const ColumnRule& rule, bool centred);
  static Column scaled_response(const ColumnRule& rule, GlmFamily family, bool centred);

  bool intercept_;
  std::vector<Column> columns_;
  std::optional<ColumnRule> offset_;
  std::optional<ColumnRule> weights_;
};

}  // namespace dp
