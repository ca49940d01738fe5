#include "core/tables/design.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/runtime/parallel.h"

namespace dp::tables {
namespace {

constexpr int kReweightings = 30;
constexpr int kDesignBits = 40;
constexpr std::size_t kMostEffects = std::size_t{1} << 16;

double to_design_bits(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, kDesignBits)), exponent - kDesignBits);
}

// A smaller set comes first.
struct BySize {
  bool operator()(const ColumnSet& a, const ColumnSet& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

// An effect in a table, with its coefficient in the variance of a cell.
struct Within {
  std::size_t effect;
  double coefficient;
};

class Planner {
 public:
  Planner(const Shape& sizes, const std::vector<WorkloadTable>& tables, bool replaced)
      : sizes_(sizes), tables_(tables) {
    std::map<ColumnSet, std::size_t, BySize> places;
    for (const WorkloadTable& table : tables) {
      for (const ColumnSet& effect : effects_in(table)) places.emplace(effect, 0);
      if (places.size() > kMostEffects) {
        throw Error(ErrorKind::unsupported,
                    "these tables have more than " + std::to_string(kMostEffects) +
                        " effects. Use fewer tables, or tables of fewer columns.");
      }
    }
    for (auto& [columns, place] : places) {
      place = design_.effects.size();
      design_.effects.push_back({columns, 0, 0});
      numbers_ += cells_of(shape_of(columns));
      costs_.push_back(cost_of(columns, replaced));
    }
    if (numbers_ > limits::kNumbers) {
      throw Error(ErrorKind::unsupported,
                  "the effects of these tables have " + std::to_string(numbers_) +
                      " numbers, but at most " + std::to_string(limits::kNumbers) +
                      " can be released. Use fewer tables, or tables of fewer columns.");
    }
    for (const WorkloadTable& table : tables) {
      std::vector<Within> within;
      for (const ColumnSet& effect : effects_in(table)) {
        within.push_back({places.at(effect), coefficient_of(effect, table)});
      }
      within_.push_back(std::move(within));
    }
  }

  Design plan() {
    std::vector<double> weights;
    for (const WorkloadTable& table : tables_) weights.push_back(table.importance);
    optimise(weights);
    for (int i = 0; i < kReweightings; ++i) {
      check_interrupt();
      for (std::size_t b = 0; b < tables_.size(); ++b) {
        const double cells = static_cast<double>(cells_of(shape_of(tables_[b].columns)));
        weights[b] = tables_[b].importance * cells / std::sqrt(design_.variances[b]);
      }
      optimise(weights);
    }
    for (PlannedEffect& each : design_.effects) {
      each.share = to_design_bits(each.share);
      each.variance = to_design_bits(each.variance);
    }
    return std::move(design_);
  }

 private:
  Shape shape_of(const ColumnSet& columns) const {
    Shape shape;
    for (const std::size_t i : columns) shape.push_back(sizes_[i]);
    return shape;
  }

  // All subsets of the columns with several cells.
  std::vector<ColumnSet> effects_in(const WorkloadTable& table) const {
    cells_of(shape_of(table.columns));
    std::vector<ColumnSet> sets{{}};
    for (const std::size_t i : table.columns) {
      if (sizes_[i] == 1) continue;
      const std::size_t before = sets.size();
      for (std::size_t k = 0; k < before; ++k) {
        sets.push_back(sets[k]);
        sets.back().push_back(i);
      }
    }
    return sets;
  }

  double cost_of(const ColumnSet& columns, bool replaced) const {
    double cost = 1;
    double least = 0;
    for (const std::size_t i : columns) {
      const double size = static_cast<double>(sizes_[i]);
      cost *= 1 - 1 / size;
      least = least == 0 ? size : std::min(least, size);
    }
    return replaced && least > 0 ? 2 * cost * least / (least - 1) : cost;
  }

  double coefficient_of(const ColumnSet& effect, const WorkloadTable& table) const {
    double coefficient = 1;
    for (const std::size_t i : table.columns) {
      const double size = static_cast<double>(sizes_[i]);
      const bool in_effect = std::binary_search(effect.begin(), effect.end(), i);
      coefficient *= in_effect ? 1 - 1 / size : 1 / (size * size);
    }
    return coefficient;
  }

  void optimise(const std::vector<double>& weights) {
    std::vector<double> values(costs_.size(), 0);
    for (std::size_t b = 0; b < within_.size(); ++b) {
      for (const Within& each : within_[b]) values[each.effect] += weights[b] * each.coefficient;
    }
    double total = 0;
    for (std::size_t a = 0; a < costs_.size(); ++a) total += std::sqrt(costs_[a] * values[a]);
    for (std::size_t a = 0; a < costs_.size(); ++a) {
      design_.effects[a].share = std::sqrt(costs_[a] * values[a]) / total;
      design_.effects[a].variance = std::sqrt(costs_[a] / values[a]) * total / 2;
    }
    design_.variances.clear();
    for (const std::vector<Within>& table : within_) {
      double variance = 0;
      for (const Within& each : table) {
        variance += each.coefficient * design_.effects[each.effect].variance;
      }
      design_.variances.push_back(to_design_bits(variance));
    }
  }

  const Shape& sizes_;
  const std::vector<WorkloadTable>& tables_;
  std::uint64_t numbers_ = 0;
  std::vector<double> costs_;
  std::vector<std::vector<Within>> within_;  // by table
  Design design_;
};

}  // namespace

Design planned_design(const Shape& sizes, const std::vector<WorkloadTable>& tables, bool replaced) {
  return Planner(sizes, tables, replaced).plan();
}

}  // namespace dp::tables
