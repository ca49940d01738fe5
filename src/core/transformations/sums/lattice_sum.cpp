#include "core/transformations/sums/lattice_sum.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/numeric/limits.h"
#include "core/transformations/rows/clamp_rows.h"
#include "core/transformations/rows/impute_constant_rows.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"
#include "core/transformations/sums/int_kernels.h"
#include "core/transformations/sums/lattice_kernels.h"

namespace dp {
namespace {

// How rows of type T become integers.
template <class T>
struct RowRule {
  T lower;
  T upper;
  Lattice lattice;
  std::optional<T> fill;  // in place of missing rows; without one there are none in the domain
};

// Sums batches of rows.
template <class T, class = void>
class BlockSum {  // integers and bool: fewer than 2^31 rows
 public:
  explicit BlockSum(const RowRule<T>& rule)
      : lower_(rule.lower), upper_(rule.upper), fill_(rule.fill.value_or(rule.lower)) {}

  int128_t operator()(const Batch& batch) const {
    const T* rows = batch.as<T>();
    if constexpr (std::is_same_v<T, std::int32_t>) {
      constexpr std::size_t kMost = std::size_t{1} << 30;
      if (batch.valid == nullptr && batch.size <= kMost) {
        return int_kernels().clamped_sum(rows, batch.size, lower_, upper_);
      }
    }
    std::conditional_t<sizeof(T) < 8, std::int64_t, int128_t> sum = 0;
    for (std::size_t i = 0; i < batch.size; ++i) {
      const T row = is_missing<T>(batch, i) ? fill_ : rows[i];
      sum += std::min(std::max(row, lower_), upper_);
    }
    return sum;
  }

 private:
  T lower_;
  T upper_;
  T fill_;
};

template <class T>
class BlockSum<T, std::enable_if_t<kIsFloat<T>>> {
 public:
  explicit BlockSum(const RowRule<T>& rule)
      : rule_{rule.lower, rule.upper, rule.lattice.reciprocal()}, fills_(rule.fill.has_value()) {
    if (fills_) rule_.fill = *rule.fill;
  }

  int128_t operator()(const Batch& batch) const {
    const LatticeTotal total = sum(batch);
    if (total.nan && !fills_) {
      refuse_nonmember();
    }
    return total.sum;
  }

 private:
  LatticeTotal sum(const Batch& batch) const {
    if constexpr (std::is_same_v<T, double>) {
      if (batch.valid == nullptr) {
        return lattice_kernels().sum(batch.as<double>(), batch.size, rule_);
      }
    }
    LatticeTotal total{0, false};
    for (std::size_t i = 0; i < batch.size; ++i) {
      const bool missing = is_missing<T>(batch, i);
      total.nan |= missing;
      total.sum += lattice_index(missing ? rule_.fill : batch.as<T>()[i], rule_);
    }
    return total;
  }

  LatticeRule rule_;
  bool fills_;
};

template <class T>
class LatticePart final : public Partial {
 public:
  explicit LatticePart(const RowRule<T>& rule) : sum_of_(rule) {}
  void update(const Batch& batch) override { sum_ += sum_of_(batch); }
  void merge(Partial&& later) override { sum_ += static_cast<LatticePart&&>(later).sum_; }
  int128_t sum() const { return sum_; }

 private:
  BlockSum<T> sum_of_;
  int128_t sum_ = 0;
};

template <class T>
class LatticeReducer final : public Reducer {
 public:
  explicit LatticeReducer(RowRule<T> rule) : rule_(std::move(rule)) {}

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<LatticePart<T>>(rule_);
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    const auto all = merged(std::move(parts));
    return Scalar(static_cast<const LatticePart<T>&>(*all).sum());
  }

  // A clamp to the same bounds is what happens here anyway; in front of it, missing rows can be
  // filled on the way.
  std::shared_ptr<const Reducer> fuse(const RowOperator& before) const override {
    if (rule_.fill) return nullptr;
    if constexpr (!std::is_same_v<T, bool>) {
      const auto* clamp = dynamic_cast<const ClampRows<T>*>(&before);
      if (clamp != nullptr && clamp->lower() == rule_.lower && clamp->upper() == rule_.upper) {
        return std::make_shared<LatticeReducer>(rule_);
      }
    }
    if (const auto* impute = dynamic_cast<const ImputeConstantRows<T>*>(&before)) {
      RowRule<T> filling = rule_;
      filling.fill = impute->constant();
      return std::make_shared<LatticeReducer>(filling);
    }
    return nullptr;
  }

 private:
  RowRule<T> rule_;
};

template <class T>
RowRule<T> rule_of(const AtomDomain& atom) {
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true, lattice_of_rows(atom), std::nullopt};
  } else {
    return {std::get<T>(atom.bounds->lower),
            std::get<T>(atom.bounds->upper),
            lattice_of_rows(atom),
            std::nullopt};
  }
}

template <class T>
int128_t steps(T bound, const Lattice& lattice) {
  if constexpr (kIsFloat<T>) {
    return lattice.index(bound);
  } else {
    return bound;
  }
}

template <class T>
StabilityMap map_of(const RowRule<T>& rule, bool sized, const Metric& input_metric) {
  const int128_t low = steps(rule.lower, rule.lattice);
  const int128_t high = steps(rule.upper, rule.lattice);
  const int128_t effect = sized ? high - low : std::max(low < 0 ? -low : low, high);
  const std::uint32_t rows_per_effect = sized && !is_bounded(input_metric) ? 2 : 1;
  return map_rows<int128_t>([effect, rows_per_effect](std::uint32_t d_in) {
    return static_cast<int128_t>(d_in / rows_per_effect) * effect;
  });
}

// The rows' atom without the NaN that no bounded domain holds.
AtomDomain summed_atom(const AtomDomain& atom) {
  if (atom.type == AtomType::boolean) return atom;
  if (!is_number(atom.type)) detail::refuse_type(atom.type, "numbers and bool");
  if (!atom.bounds) {
    throw Error(ErrorKind::make_transformation,
                "`input_domain` must be bounded. Use `make_clamp` to bound data.");
  }
  return closed_atom(atom.type, atom.bounds->lower, atom.bounds->upper);
}

}  // namespace

Lattice lattice_of_rows(const AtomDomain& atom) {
  const AtomDomain summed = summed_atom(atom);
  if (!is_float(summed.type)) return {0};
  return visit_float(summed.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return lattice_for(std::get<T>(summed.bounds->lower), std::get<T>(summed.bounds->upper));
  });
}

Transformation make_lattice_sum(const Domain& input_domain, const Metric& input_metric) {
  check_dataset_metric(input_metric);
  atom_row_type(input_domain);  // refuses rows that may be null
  const RowDomain rows = row_domain(input_domain);
  const AtomDomain atom = summed_atom(rows.atom);
  return visit_prim(atom.type, [&](auto tag) -> Transformation {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, std::string>) {
      detail::refuse_type(atom.type, "numbers and bool");
    } else {
      const RowRule<T> rule = rule_of<T>(atom);
      return Transformation(vector_of(atom, rows.size),
                            input_metric,
                            default_atom(AtomType::i128),
                            absolute_distance(AtomType::i128),
                            reduce_function<LatticeReducer<T>>(rule),
                            map_of(rule, rows.size.has_value(), input_metric));
    }
  });
}

}  // namespace dp
