#include "core/transformations/trees/b_ary_tree.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/numeric/approx.h"
#include "core/numeric/directed.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/stability.h"
#include "core/transformations/trees/tree_shape.h"

namespace dp {
namespace {

template <class T>
class BuildTree final : public WholeStage {
 public:
  BuildTree(AtomType type, TreeShape shape, std::size_t leaf_count)
      : type_(type), shape_(std::move(shape)), leaf_count_(leaf_count) {}

  bool streams() const override { return true; }

  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    const std::size_t given = std::min(leaf_count_, rows.size());
    // The missing leaves are last, and zero: all that is cut off.
    const auto tree = std::make_shared<OwnedColumn<T>>(
        type_, static_cast<std::size_t>(shape_.nodes() - (shape_.leaves() - given)));
    const std::size_t last = shape_.layers() - 1;
    T* leaves = tree->cells() + shape_.first(last);
    BatchBuffer buffer;
    for (std::size_t begin = 0; begin < given; begin += kBatchRows) {
      const Batch in = rows.read(begin, std::min(kBatchRows, given - begin), buffer);
      std::copy(in.as<T>(), in.as<T>() + in.size, leaves + begin);
    }
    std::size_t below = given;  // nodes of the layer below
    for (std::size_t layer = last; layer-- > 0;) {
      const T* children = tree->cells() + shape_.first(layer + 1);
      T* nodes = tree->cells() + shape_.first(layer);
      const auto b = static_cast<std::size_t>(shape_.branching_factor());
      for (std::size_t i = 0; i < below; ++i) {
        nodes[i / b] = saturating_add(nodes[i / b], children[i]);
      }
      below = static_cast<std::size_t>(shape_.width(layer));
    }
    return ColumnPtr(tree);
  }

 private:
  AtomType type_;
  TreeShape shape_;
  std::size_t leaf_count_;
};

// The least whole number whose square is at least n < 2^63.
std::uint64_t ceil_sqrt(std::uint64_t n) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (root > 0 && (root - 1) * (root - 1) >= n) --root;
  while (root * root < n) ++root;
  return root;
}

// How much further than the leaves the tree may move. Below sqrt(2^6 * 2^39): fits.
std::uint32_t stretch(const TreeShape& shape, std::uint64_t leaf_count, MetricKind kind) {
  if (kind == MetricKind::l1) return static_cast<std::uint32_t>(shape.layers());
  std::uint64_t squared = 0;
  for (std::size_t layer = 0; layer < shape.layers(); ++layer) {
    squared += std::min(shape.leaves() / shape.width(layer), leaf_count);
  }
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(shape.layers(), ceil_sqrt(squared)));
}

}  // namespace

Transformation make_b_ary_tree(const Domain& input_domain,
                               const Metric& input_metric,
                               std::uint64_t leaf_count,
                               std::uint64_t branching_factor) {
  if (input_metric.kind != MetricKind::l1 && input_metric.kind != MetricKind::l2) {
    refuse_metric(input_metric, "input_metric must be L1Distance or L2Distance");
  }
  const AtomType type = atom_row_type(input_domain);
  if (leaf_count == 0) {
    throw Error(ErrorKind::make_transformation, "leaf_count must be at least 1");
  }
  if (branching_factor < 2) {
    throw Error(ErrorKind::make_transformation, "branching_factor must be at least 2");
  }
  const TreeShape shape = TreeShape::with_leaves(leaf_count, branching_factor);
  Function function = visit_integer(type, [&](auto tag) -> Function {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, int128_t>) {
      detail::refuse_type(type, "integers of at most 64 bits");
    } else {
      return stage_function<BuildTree<T>>(type, shape, static_cast<std::size_t>(leaf_count));
    }
  });
  return Transformation(input_domain,
                        input_metric,
                        vector_of(non_nan_atom(type)),
                        input_metric,
                        std::move(function),
                        constant_map(input_metric, stretch(shape, leaf_count, input_metric.kind)));
}

std::uint32_t choose_branching_factor(std::uint32_t size_guess) {
  if (size_guess < 2) return size_guess;
  const double log_size = ln1p_near(size_guess - 1.0);
  std::uint32_t best = 2;
  double least = HUGE_VAL;
  for (std::uint32_t b = 2; b <= size_guess; ++b) {
    if ((b - 5.0) / 3 >= least) break;  // below every variance from here on, since h >= 1
    const double h = log_size / ln1p_near(b - 1.0);
    const double variance = (b - 1.0) * h * h * h - 2 * (b + 1.0) * h * h / 3;
    if (variance < least) {
      least = variance;
      best = b;
    }
  }
  return best;
}

}  // namespace dp
