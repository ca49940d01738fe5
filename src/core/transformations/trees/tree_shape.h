// The shape of complete trees of counts.
#pragma once

#include <cstdint>
#include <vector>

namespace dp {

// A tree whose inner nodes have `branching_factor` children, with all leaves in the last layer.
// Nodes are numbered from the root down, layer by layer, from left to right.
class TreeShape {
 public:
  // The least tree with `leaf_count` leaves; both at least 1 and 2. Throws make_transformation if
  // it has more than 2^40 nodes.
  static TreeShape with_leaves(std::uint64_t leaf_count, std::uint64_t branching_factor);

  // The least tree with `node_count` nodes.
  static TreeShape with_nodes(std::uint64_t node_count, std::uint64_t branching_factor);

  std::uint64_t branching_factor() const { return branching_factor_; }
  std::size_t layers() const { return widths_.size(); }
  std::uint64_t leaves() const { return widths_.back(); }
  std::uint64_t nodes() const;

  // The number of nodes in a layer, 0 being the root's.
  std::uint64_t width(std::size_t layer) const { return widths_[layer]; }

  // The first node of a layer.
  std::uint64_t first(std::size_t layer) const;

 private:
  explicit TreeShape(std::uint64_t branching_factor)
      : branching_factor_(branching_factor), widths_{1} {}
  void add_layer();

  std::uint64_t branching_factor_;
  std::vector<std::uint64_t> widths_;
};

}  // namespace dp
