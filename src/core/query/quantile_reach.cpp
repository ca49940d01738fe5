#include "core/query/quantile_reach.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numeric/directed.h"

namespace dp::query {
namespace {

// How many leaves a node of each layer is over, the root's first.
std::vector<std::size_t> leaves_of_layers(std::size_t leaves) {
  std::vector<std::size_t> spans = {1};
  while (spans.front() < leaves) spans.insert(spans.begin(), spans.front() * kBranches);
  return spans;
}

std::vector<std::size_t> begins_of_layers(std::size_t layers) {
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  std::size_t nodes = 1;
  for (std::size_t layer = 0; layer < layers; ++layer, nodes *= kBranches) {
    begins.push_back(begin);
    begin += nodes;
  }
  return begins;
}

}  // namespace

double rank_reach(const Part& scores, std::size_t candidates, const NoiseLaw& law, Alpha alpha) {
  if (candidates < 2) return 0;
  const double worse = static_cast<double>(candidates - 1) / alpha.value();
  return law.scale() * ln_up(worse) / static_cast<double>(scores.fraction.den);
}

std::vector<SignedNode> nodes_before(std::size_t leaves, std::size_t before) {
  const std::vector<std::size_t> spans = leaves_of_layers(leaves);
  const std::vector<std::size_t> begins = begins_of_layers(spans.size());
  std::vector<SignedNode> left;
  std::vector<SignedNode> right = {{0, 1}};
  std::size_t end = before;
  std::size_t begin = before;
  for (std::size_t layer = spans.size(); layer-- > 0;) {
    for (std::size_t i = end / kBranches * kBranches; i < end; ++i) {
      left.push_back({begins[layer] + i, 1});
    }
    end /= kBranches;
    if (layer == 0) break;
    const std::size_t next = (begin + kBranches - 1) / kBranches;
    for (std::size_t i = begin; i < next * kBranches && i * spans[layer] < leaves; ++i) {
      right.push_back({begins[layer] + i, -1});
    }
    begin = next;
  }
  // From the right, nothing is left of no leaves but the root itself.
  return before == 0 || left.size() <= right.size() ? left : right;
}

TreeReach::TreeReach(std::vector<double> points, double far)
    : points_(std::move(points)), far_(far), least_(points_.size()), most_(points_.size()) {
  const std::size_t leaves = points_.size() - 1;
  for (std::size_t j = 0; j < leaves; ++j) before_.push_back(nodes_before(leaves, j));
}

void TreeReach::read(const std::vector<double>& nodes) {
  for (std::size_t j = 0; j < before_.size(); ++j) {
    double rows = 0;
    for (const SignedNode& node : before_[j]) rows += node.sign * nodes[node.place];
    const double off = far_ * static_cast<double>(before_[j].size());
    least_[j] = rows - off;
    most_[j] = rows + off;
  }
  least_rows_ = std::max(nodes.front() - far_, 0.0);
  most_rows_ = std::max(nodes.front() + far_, 0.0);
}

// The first point has nothing below it, and at the last one all that lies beyond counts.
double TreeReach::lower(double probability) const {
  for (std::size_t j = before_.size(); j-- > 1;) {
    if (most_[j] < probability * least_rows_) return points_[j];
  }
  return points_.front();
}

double TreeReach::upper(double probability) const {
  for (std::size_t j = 1; j < before_.size(); ++j) {
    if (least_[j] >= probability * most_rows_) return points_[j];
  }
  return points_.back();
}

}  // namespace dp::query
