#include "core/transformations/counts/count_by_categories.h"

#include <algorithm>
#include <memory>

#include "core/numeric/directed.h"
#include "core/transformations/counts/counts.h"
#include "core/transformations/counts/distinct_counts.h"
#include "core/transformations/counts/hashable.h"
#include "core/transformations/rows/categories.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

// Numbers of categories, by an index, or by a table for integers in a small range.
template <class T>
class Categories {
 public:
  explicit Categories(std::shared_ptr<const CellIndex<T>> index) : index_(std::move(index)) {
    if constexpr (kCanTabulate) tabulate();
  }

  std::size_t size() const { return index_->size(); }

  // The number of the category `cell`, size() if it is not a category.
  std::size_t find(Element<T> cell) const {
    if constexpr (kCanTabulate) {
      if (!numbers_.empty()) {
        const std::uint64_t place = static_cast<std::uint64_t>(cell) - first_;
        return place < numbers_.size() ? numbers_[static_cast<std::size_t>(place)] : size();
      }
    }
    return index_->find(cell);
  }

 private:
  static constexpr bool kCanTabulate = detail::is_integer_carrier<T> && !std::is_same_v<T, bool>;

  void tabulate() {
    if (size() == 0) return;
    T least = (*index_)[0];
    T most = least;
    for (std::size_t i = 1; i < size(); ++i) {
      least = std::min(least, (*index_)[i]);
      most = std::max(most, (*index_)[i]);
    }
    first_ = static_cast<std::uint64_t>(least);
    const std::uint64_t range = static_cast<std::uint64_t>(most) - first_;  // modulo 2^64
    if (range >= 4 * size() + 1024) return;
    numbers_.assign(static_cast<std::size_t>(range) + 1, size());
    for (std::size_t i = 0; i < size(); ++i) {
      numbers_[static_cast<std::size_t>(static_cast<std::uint64_t>((*index_)[i]) - first_)] = i;
    }
  }

  std::shared_ptr<const CellIndex<T>> index_;
  std::uint64_t first_ = 0;
  std::vector<std::size_t> numbers_;  // empty if the range is too wide
};

// Counts per category, followed by the count of all other rows.
template <class T>
class CategoryCounts final : public Partial {
 public:
  explicit CategoryCounts(const Categories<T>& categories)
      : categories_(categories), counts_(categories.size() + 1) {}

  void update(const Batch& batch) override {
    const Element<T>* rows = batch.as<T>();
    for (std::size_t i = 0; i < batch.size; ++i) ++counts_[categories_.find(rows[i])];
  }

  void merge(Partial&& later) override {
    const auto& other = static_cast<const CategoryCounts&>(later).counts_;
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other[i];
  }

  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  const Categories<T>& categories_;
  std::vector<std::uint64_t> counts_;
};

template <class T>
class CountByCategories final : public Reducer {
 public:
  CountByCategories(std::shared_ptr<const CellIndex<T>> categories, bool others, AtomType type)
      : categories_(std::move(categories)), others_(others), type_(type) {}

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<CategoryCounts<T>>(categories_);
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    const auto all = merged(std::move(parts));
    return result(static_cast<const CategoryCounts<T>&>(*all).counts());
  }

  std::shared_ptr<const Reducer> over_codes(const CodedText& text) const override {
    if constexpr (std::is_same_v<T, std::string>) {
      return std::make_shared<CodePass>(text, [this](const auto& texts, const auto& counts) {
        std::vector<std::uint64_t> all(categories_.size() + 1);
        for (std::size_t i = 0; i < counts.size(); ++i) {
          all[categories_.find(texts.views[i])] += counts[i];
        }
        return result(all);
      });
    } else {
      return nullptr;
    }
  }

 private:
  Value result(const std::vector<std::uint64_t>& counts) const {
    return saturated_counts(counts, counts.size() - (others_ ? 0 : 1), type_);
  }

  Categories<T> categories_;
  bool others_;
  AtomType type_;
};

// The map for replaced rows, in L2.
StabilityMap root_two_map() {
  return map_rows<double>(
      [](std::uint32_t d_in) { return mul_up(static_cast<double>(d_in), sqrt_up(2)); });
}

}  // namespace

Transformation make_count_by_categories(const Domain& input_domain,
                                        const Metric& input_metric,
                                        const std::vector<Scalar>& categories,
                                        bool null_category,
                                        const Metric& output_metric,
                                        AtomType output_type) {
  const std::uint32_t moved = counts_moved(input_metric);
  const bool largest = output_metric.kind == MetricKind::linf && !output_metric.monotonic;
  if (output_metric.kind != MetricKind::l1 && output_metric.kind != MetricKind::l2 && !largest) {
    refuse_metric(output_metric,
                  "the output metric must be L1Distance, L2Distance or LInfDistance");
  }
  const bool l2_of_replaced = moved == 2 && output_metric.kind == MetricKind::l2 &&
                              output_metric.distance_type == AtomType::f64;
  if (!is_number(output_type)) detail::refuse_type(output_type, "numbers");
  Function function = visit_hashable(atom_row_type(input_domain), [&](auto input) {
    using T = typename decltype(input)::type;
    return reduce_function<CountByCategories<T>>(
        index_of_categories<T>(categories), null_category, output_type);
  });
  return Transformation(
      input_domain,
      input_metric,
      vector_of(non_nan_atom(output_type)),
      output_metric,
      std::move(function),
      l2_of_replaced ? root_two_map() : constant_map(output_metric, largest ? 1 : moved));
}

}  // namespace dp
