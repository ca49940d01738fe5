#include "core/transformations/trees/tree_shape.h"

#include <numeric>
#include <string>

#include "core/error.h"
#include "core/limits.h"

namespace dp {

void TreeShape::add_layer() {
  if (branching_factor_ > limits::kLeaves / leaves()) {
    throw Error(ErrorKind::make_transformation,
                "the tree must have at most " + std::to_string(limits::kLeaves) +
                    " leaves. Use fewer, or a smaller branching factor.");
  }
  widths_.push_back(leaves() * branching_factor_);
}

TreeShape TreeShape::with_leaves(std::uint64_t leaf_count, std::uint64_t branching_factor) {
  TreeShape shape(branching_factor);
  while (shape.leaves() < leaf_count) shape.add_layer();
  return shape;
}

TreeShape TreeShape::with_nodes(std::uint64_t node_count, std::uint64_t branching_factor) {
  TreeShape shape(branching_factor);
  while (shape.nodes() < node_count) shape.add_layer();
  return shape;
}

std::uint64_t TreeShape::nodes() const { return first(layers()); }

std::uint64_t TreeShape::first(std::size_t layer) const {
  return std::accumulate(
      widths_.begin(), widths_.begin() + static_cast<std::ptrdiff_t>(layer), std::uint64_t{0});
}

}  // namespace dp
