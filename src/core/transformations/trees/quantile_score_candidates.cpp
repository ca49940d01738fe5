#include "core/transformations/trees/quantile_score_candidates.h"

#include <algorithm>

#include "core/numeric/directed.h"
#include "core/transformations/rows/bins.h"
#include "core/transformations/rows/public_elements.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"
#include "core/transformations/trees/quantile_score.h"

namespace dp {
namespace {

// Counts rows in the 2 k + 1 cells that k candidates make of the numbers: below the first, equal to
// it, between it and the second, ...
template <class T>
class CellCounts final : public Partial {
 public:
  explicit CellCounts(const std::vector<T>& candidates)
      : candidates_(candidates), counts_(2 * candidates.size() + 1) {}

  void update(const Batch& batch) override {
    const T* rows = batch.as<T>();
    for (std::size_t i = 0; i < batch.size; ++i) {
      const std::size_t at_or_below = bin_of(candidates_, rows[i]);
      const bool equal = at_or_below > 0 && candidates_[at_or_below - 1] == rows[i];
      ++counts_[2 * at_or_below - (equal ? 1 : 0)];
    }
  }

  void merge(Partial&& later) override {
    const auto& other = static_cast<const CellCounts&>(later).counts_;
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other[i];
  }

  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  const std::vector<T>& candidates_;
  std::vector<std::uint64_t> counts_;
};

template <class T>
class QuantileScores final : public Reducer {
 public:
  QuantileScores(std::vector<T> candidates, QuantileScore rule)
      : candidates_(std::move(candidates)), rule_(rule) {}

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<CellCounts<T>>(candidates_);
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t size) const override {
    const auto all = merged(std::move(parts));
    const auto& counts = static_cast<const CellCounts<T>&>(*all).counts();
    const auto scores =
        std::make_shared<OwnedColumn<std::uint64_t>>(AtomType::u64, candidates_.size());
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      below += counts[2 * i];
      const std::uint64_t equal = counts[2 * i + 1];
      scores->cells()[i] = rule_.score(below, size - below - equal);
      below += equal;
    }
    return ColumnPtr(scores);
  }

 private:
  std::vector<T> candidates_;
  QuantileScore rule_;
};

void check_metric(const Metric& metric) {
  if (metric.kind != MetricKind::symmetric && metric.kind != MetricKind::insert_delete) {
    refuse_metric(metric, "input_metric must be SymmetricDistance or InsertDeleteDistance");
  }
}

StabilityMap map_of(const QuantileScore& rule, bool sized) {
  const std::uint64_t effect = sized ? rule.den : std::max(rule.num, rule.den - rule.num);
  return map_rows<std::uint64_t>([effect, sized](std::uint32_t d_in) {
    return mul_up(std::uint64_t{sized ? d_in / 2 : d_in}, effect);
  });
}

}  // namespace

Transformation make_quantile_score_candidates(const Domain& input_domain,
                                              const Metric& input_metric,
                                              const std::vector<Scalar>& candidates,
                                              double alpha) {
  check_metric(input_metric);
  const AtomType type = atom_row_type(input_domain);
  const RowDomain rows = row_domain(input_domain);
  return visit_number(type, [&](auto tag) -> Transformation {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, int128_t>) {
      detail::refuse_type(type, "numbers of at most 64 bits");
    } else {
      if (rows.atom.nan) {
        throw Error(ErrorKind::make_transformation, "input_domain members must be non-nan");
      }
      std::vector<T> points = candidates_as<T>(candidates);
      const QuantileScore rule(alpha, rows.size);
      const std::size_t count = points.size();
      return Transformation(input_domain,
                            input_metric,
                            vector_of(non_nan_atom(AtomType::u64), count),
                            linf_distance(AtomType::u64, false),
                            reduce_function<QuantileScores<T>>(std::move(points), rule),
                            map_of(rule, rows.size.has_value()));
    }
  });
}

}  // namespace dp
