#include "core/query/quantile_reach.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numeric/directed.h"

namespace dp::query {

double rank_reach(const NoisyComponent& scores,
                  std::size_t candidates,
                  const NoiseLaw& law,
                  Alpha alpha) {
  if (candidates < 2) return 0;
  const double worse = static_cast<double>(candidates - 1) / alpha.value();
  return law.scale() * ln_up(worse) / static_cast<double>(scores.fraction.den);
}

TreeNoise::TreeNoise(std::size_t leaves, double fourth) {
  layers_.push_back(std::vector<Node>(leaves, Node{1, fourth}));
  for (std::size_t full = 1; full < leaves; full *= kBranches) {
    const std::vector<Node>& below = layers_.front();
    std::vector<Node> layer((below.size() + kBranches - 1) / kBranches);
    for (std::size_t i = 0; i < layer.size(); ++i) {
      Node children{0, 0};
      const std::size_t end = std::min(below.size(), (i + 1) * kBranches);
      for (std::size_t child = i * kBranches; child < end; ++child) {
        children.variance += below[child].variance;
        children.fourth += below[child].fourth;
      }
      const double own = children.variance / (1 + children.variance);
      const double square = own * own;
      const double other = (1 - own) * (1 - own);
      layer[i] = {own, square * square * fourth + other * other * children.fourth};
    }
    layers_.insert(layers_.begin(), std::move(layer));
  }
}

PlaceNoise TreeNoise::below(std::size_t leaf) const {
  const std::size_t leaves = layers_.back().size();
  if (leaf >= leaves) return {0, 0, 1};
  PlaceNoise noise{0, 0, 0};  // of a leaf, nothing is below its begin
  std::size_t place = leaf;
  for (std::size_t layer = layers_.size(); layer-- > 1; place /= kBranches) {
    const std::vector<Node>& nodes = layers_[layer];
    const std::size_t begin = place / kBranches * kBranches;
    const std::size_t end = std::min(nodes.size(), begin + kBranches);
    const auto weight = [&](std::size_t i) { return i < place ? 1 : i > place ? 0 : noise.weight; };
    double all = 0;
    double below = 0;
    for (std::size_t i = begin; i < end; ++i) {
      all += nodes[i].variance;
      below += weight(i) * nodes[i].variance;
    }
    PlaceNoise above{noise.variance, noise.fourth, below / all};
    for (std::size_t i = begin; i < end; ++i) {
      const double off = (weight(i) - above.weight) * (weight(i) - above.weight);
      above.variance += off * nodes[i].variance;
      above.fourth += off * off * nodes[i].fourth;
    }
    noise = above;
  }
  return noise;
}

TreeReach::TreeReach(const std::vector<Range>& cells,
                     const TreeNoise& noise,
                     double probability,
                     double deviation,
                     const CombinedReach& reach)
    : cells_(cells), probability_(probability) {
  for (std::size_t j = 0; j <= cells.size(); ++j) {
    const PlaceNoise place = noise.below(j);
    const double off = (place.weight - probability) * (place.weight - probability);
    const double variance = place.variance + off * noise.root_variance();
    const double fourth = place.fourth + off * off * noise.root_fourth();
    reaches_.push_back(deviation * reach.of(variance, fourth));
  }
}

Range TreeReach::interval(const std::vector<double>& below) const {
  const double rows = probability_ * below.back();
  std::size_t under = 0;
  std::size_t over = 0;
  for (std::size_t j = 0; j < cells_.size(); ++j) {
    under += below[j + 1] - rows + reaches_[j + 1] < 0 ? 1 : 0;
    over += below[j] - rows - reaches_[j] > 0 ? 1 : 0;
  }
  const std::size_t last = cells_.size() - 1;
  return {cells_[std::min(under, last)].lower, cells_[last - std::min(over, last)].upper};
}

double TreeReach::ranks() const { return *std::max_element(reaches_.begin(), reaches_.end()); }

}  // namespace dp::query
