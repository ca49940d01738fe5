#include "core/postprocessing/consistent_b_ary_tree.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/postprocessing/numbers.h"
#include "core/transformations/trees/tree_shape.h"

namespace dp {
namespace {

template <class T>
class Tree {
 public:
  // `nodes` without the leaves that are missing at the end.
  Tree(std::vector<T> nodes, std::size_t branching_factor)
      : shape_(TreeShape::with_nodes(nodes.size(), branching_factor)),
        b_(branching_factor),
        missing_(static_cast<std::size_t>(shape_.nodes()) - nodes.size()),
        value_(std::move(nodes)) {
    value_.resize(static_cast<std::size_t>(shape_.nodes()));
    variance_.assign(value_.size(), T{1});
    forget_missing();
  }

  std::vector<T> consistent_leaves() {
    for (std::size_t layer = shape_.layers() - 1; layer-- > 0;) weigh_in_children(layer);
    for (std::size_t layer = 0; layer + 1 < shape_.layers(); ++layer) share_out(layer);
    const auto leaves = value_.begin() + static_cast<std::ptrdiff_t>(first(shape_.layers() - 1));
    return {leaves, value_.end() - static_cast<std::ptrdiff_t>(missing_)};
  }

 private:
  std::size_t first(std::size_t layer) const {
    return static_cast<std::size_t>(shape_.first(layer));
  }
  std::size_t width(std::size_t layer) const {
    return static_cast<std::size_t>(shape_.width(layer));
  }
  T sum_of_children(const std::vector<T>& of, std::size_t node) const {
    const auto child = of.begin() + static_cast<std::ptrdiff_t>(node * b_ + 1);
    return std::accumulate(child, child + static_cast<std::ptrdiff_t>(b_), T{0});
  }

  // Nodes above missing leaves only are known to be 0.
  void forget_missing() {
    std::size_t empty = missing_;
    for (std::size_t layer = shape_.layers(); layer-- > 0; empty /= b_) {
      const std::size_t end = first(layer) + width(layer);
      for (std::size_t i = end - empty; i < end; ++i) value_[i] = variance_[i] = 0;
    }
  }

  void weigh_in_children(std::size_t layer) {
    for (std::size_t i = first(layer); i < first(layer) + width(layer); ++i) {
      if (variance_[i] == 0) continue;
      const T precision = 1 / variance_[i];
      const T variance = 1 / (precision + 1 / sum_of_children(variance_, i));
      const T weight = precision * variance;
      value_[i] = weight * value_[i] + (1 - weight) * sum_of_children(value_, i);
      variance_[i] = variance;
    }
  }

  void share_out(std::size_t layer) {
    for (std::size_t i = first(layer); i < first(layer) + width(layer); ++i) {
      const T rest = value_[i] - sum_of_children(value_, i);
      if (rest == 0) continue;
      const T variance = sum_of_children(variance_, i);
      for (std::size_t child = i * b_ + 1; child <= i * b_ + b_; ++child) {
        value_[child] += rest * (variance_[child] / variance);
      }
    }
  }

  TreeShape shape_;
  std::size_t b_;
  std::size_t missing_;
  std::vector<T> value_;
  std::vector<T> variance_;
};

}  // namespace

Function make_consistent_b_ary_tree(std::uint64_t branching_factor,
                                    AtomType input_type,
                                    AtomType output_type) {
  if (branching_factor < 2) {
    throw Error(ErrorKind::make_transformation, "branching_factor must be at least 2");
  }
  if (!is_integer(input_type)) detail::refuse_type(input_type, "integers");
  return visit_float(output_type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return whole_function([=](const Value& arg) -> Value {
      std::vector<T> nodes = numbers_in<T>(arg, input_type);
      if (nodes.empty()) throw Error(ErrorKind::failed_function, "arg must have a root.");
      Tree<T> tree(std::move(nodes), static_cast<std::size_t>(branching_factor));
      return make_column(output_type, tree.consistent_leaves());
    });
  });
}

}  // namespace dp
