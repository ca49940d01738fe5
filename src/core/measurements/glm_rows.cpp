#include "core/measurements/glm_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/measurements/row_weight.h"
#include "core/numeric/int128.h"

namespace dp {

GlmScaling::GlmScaling(std::vector<ColumnRule> rules, GlmFamily family, GlmLayout layout)
    : intercept_(layout.intercept) {
  if (layout.has_weights) {
    weights_.emplace(rules.back());
    check_weights(*weights_);
    rules.pop_back();
  }
  if (layout.has_offset) {
    offset_.emplace(rules.back());
    rules.pop_back();
  }
  columns_.push_back(scaled_response(rules[0], family, intercept_));
  for (std::size_t j = 1; j < rules.size(); ++j) columns_.push_back(scaled(rules[j], intercept_));
}

GlmScaling::Column GlmScaling::scaled(const ColumnRule& rule, bool centred) {
  if (centred) return {2, -rule.width(), rule.width()};
  return {
      1, rule.lowest(), std::max(std::abs(rule.lowest()), std::abs(rule.lowest() + rule.width()))};
}

GlmScaling::Column GlmScaling::scaled_response(const ColumnRule& rule,
                                               GlmFamily family,
                                               bool centred) {
  if (family == GlmFamily::ols) return scaled(rule, centred);
  if (family == GlmFamily::poisson) return scaled(rule, false);
  return {1, 0, rule.width()};
}

double GlmScaling::Column::real(std::int64_t q) const {
  return static_cast<double>(factor * q + shift) / static_cast<double>(denominator);
}

std::int32_t GlmScaling::Column::fixed(std::int64_t q) const {
  const int128_t scaled = int128_t{factor * q + shift} * (int128_t{1} << kPredictorBits);
  const int128_t half = denominator / 2;
  return static_cast<std::int32_t>((scaled < 0 ? scaled - half : scaled + half) / denominator);
}

GlmPart GlmScaling::part(const PresentRows& all,
                         const std::vector<std::size_t>& order,
                         std::size_t begin,
                         std::size_t size) const {
  GlmPart part{{predictors(), {}, {}, {}, {}}, {}};
  part.rows.z.reserve(size * predictors());
  part.rows.y.reserve(size);
  for (std::size_t i = begin; i < begin + size; ++i) {
    const std::size_t row = order[i];
    const std::uint8_t present = all.present[row];
    part.present.push_back(present);
    part.rows.y.push_back(present * columns_[0].real(all.columns[0][row]));
    if (intercept_) part.rows.z.push_back(present * (std::int32_t{1} << kPredictorBits));
    for (std::size_t j = 1; j < columns_.size(); ++j) {
      part.rows.z.push_back(present * columns_[j].fixed(all.columns[j][row]));
    }
    if (offset_) {
      const double steps =
          static_cast<double>(offset_->lowest() + all.columns[columns_.size()][row]);
      part.rows.offsets.push_back(present * std::ldexp(steps, offset_->exponent()));
    }
    if (weights_) {
      part.rows.weights.push_back(present * share_of_largest(*weights_, all.columns.back()[row]));
    }
  }
  return part;
}

}  // namespace dp
