#include "core/query/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/expressions/row_batch.h"
#include "core/measurements/objective_perturbation.h"
#include "core/measurements/selection.h"
#include "core/numeric/directed.h"
#include "core/numeric/rank_gap.h"
#include "core/numeric/rational.h"
#include "core/runtime/parallel.h"
#include "core/tables/effects.h"

namespace dp::query {
namespace {

constexpr std::size_t kNoiseBatch = 4096;

// The exact numbers of one group.
class ExactGroup {
 public:
  ExactGroup(const QueryComponents& parts, const ExactAggregates& tallied)
      : parts_(parts), tallied_(tallied) {}

  std::vector<int128_t> of(const NoisyComponent& part, std::size_t group) const {
    switch (part.kind) {
      case NoisyComponent::Kind::number:
        return {one(part.tally, group)};
      case NoisyComponent::Kind::squares:
        return {2 * one(part.tally, group) - to_int128(part.square) * one(part.rows, group)};
      case NoisyComponent::Kind::moments:
        return moments_of(part, group);
      case NoisyComponent::Kind::effect:
        return effect_of(part, group);
      case NoisyComponent::Kind::cells:
        return cells_of(bins(part, group), part.cells);
      case NoisyComponent::Kind::tree:
        return tree_of(cells_of(bins(part, group), part.cells));
      case NoisyComponent::Kind::scores:
        return scores_of(part, bins(part, group));
      case NoisyComponent::Kind::model:
        break;
    }
    return {};
  }

 private:
  int128_t one(std::size_t tally, std::size_t group) const {
    return group == kNoGroup ? 0 : tallied_.values[tally][group];
  }

  std::vector<int128_t> moments_of(const NoisyComponent& part, std::size_t group) const {
    std::vector<int128_t> moments;
    for (const Combination& each : part.moments) {
      int128_t sum = 0;
      for (const auto& [factor, tally] : each) sum += to_int128(factor) * one(tally, group);
      moments.push_back(sum);
    }
    return moments;
  }

  std::vector<int128_t> effect_of(const NoisyComponent& part, std::size_t group) const {
    const std::vector<int128_t> cells = cells_of(bins(part, group), CellRule::points);
    return tables::scaled_effect(tables::margin(cells, part.shape, part.kept),
                                 tables::kept_shape(part.shape, part.kept));
  }

  std::vector<int128_t> bins(const NoisyComponent& part, std::size_t group) const {
    const std::size_t width = 2 * parts_.tallies[part.tally].grid.size() + 1;
    if (group == kNoGroup) return std::vector<int128_t>(width, 0);
    const auto begin =
        tallied_.values[part.tally].begin() + static_cast<std::ptrdiff_t>(group * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(width)};
  }

  const QueryComponents& parts_;
  const ExactAggregates& tallied_;
};

void wipe(std::vector<int128_t>& numbers) {
  erase(numbers.data(), numbers.size() * sizeof(int128_t));
}

void add_noise(std::vector<Integer>& numbers, const GridNoise& noise, BitSource& bits) {
  if (!noise.fits_int64()) {
    for (Integer& number : numbers) number += noise.draw(bits);
    return;
  }
  std::vector<std::int64_t> draws(std::min(kNoiseBatch, numbers.size()));
  const Wiper wiper(draws.data(), draws.size() * sizeof(std::int64_t));
  for (std::size_t begin = 0; begin < numbers.size(); begin += draws.size()) {
    const std::size_t size = std::min(draws.size(), numbers.size() - begin);
    check_interrupt();
    noise.fill(draws.data(), size, bits);
    for (std::size_t i = 0; i < size; ++i) numbers[begin + i] += draws[i];
  }
}

Integer best_candidate(std::vector<int128_t>& scores,
                       const std::optional<NoiseLaw>& law,
                       NoiseKind kind,
                       BitSource& bits) {
  const SelectionRule rule =
      kind == NoiseKind::laplace ? SelectionRule::permute_and_flip : SelectionRule::exponential;
  const double scale = law ? law->scale() : 0;
  const std::size_t best = select_top<int128_t>(scores, 1, scale, true, rule, bits).front();
  return Integer(best);
}

}  // namespace

double epsilon_of_model(const NoiseLaw& law) { return div_down(1.0, law.scale()); }

Measured measure_model(const QueryComponents& parts,
                       const NoisyComponent& part,
                       const NoiseLaw& law,
                       const ExactAggregates& tallied,
                       BitSource& bits) {
  const RowModel& model = *part.model;
  std::vector<std::vector<double>> columns;
  for (const std::size_t tally : model.tallies) {
    const Quantiser& points = parts.tallies[tally].quantiser;
    std::vector<double>& column = columns.emplace_back();
    for (const int128_t z : tallied.values[tally]) {
      const bool is_missing = z == kNone;
      const double value = std::ldexp(static_cast<double>(z + points.offset), points.exponent);
      column.push_back(is_missing ? std::numeric_limits<double>::quiet_NaN() : value);
    }
  }
  Measured measured;
  measured.reals = release_of_rows(model.columns, model.plan(epsilon_of_model(law)), columns, bits);
  for (std::vector<double>& column : columns) erase(column.data(), column.size() * sizeof(double));
  measured.width = measured.reals.size();
  return measured;
}

std::vector<int128_t> cells_of(const std::vector<int128_t>& bins, CellRule rule) {
  const std::size_t points = bins.size() / 2;
  std::vector<int128_t> cells;
  if (rule == CellRule::points) {
    for (std::size_t j = 0; j < points; ++j) cells.push_back(bins[2 * j + 1]);
    return cells;
  }
  for (std::size_t j = 0; j + 1 < points; ++j) cells.push_back(bins[2 * j + 1] + bins[2 * j + 2]);
  if (cells.empty()) return cells;
  if (rule != CellRule::below) cells.back() += bins[2 * points - 1];
  if (rule == CellRule::covering) {
    cells.front() += bins.front();
    cells.back() += bins.back();
  }
  return cells;
}

std::vector<int128_t> tree_of(const std::vector<int128_t>& leaves) {
  std::vector<std::vector<int128_t>> layers = {leaves};
  std::size_t full = 1;  // leaves of a full tree
  while (full < leaves.size()) {
    full *= kBranches;
    const std::vector<int128_t>& below = layers.back();
    std::vector<int128_t> above((below.size() + kBranches - 1) / kBranches, 0);
    for (std::size_t i = 0; i < below.size(); ++i) above[i / kBranches] += below[i];
    layers.push_back(std::move(above));
  }
  std::vector<int128_t> tree;
  std::size_t in_layer = 1;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer, in_layer *= kBranches) {
    const bool is_last = layer + 1 == layers.rend();
    if (!is_last) layer->resize(in_layer, 0);  // all nodes of an inner layer are there
    tree.insert(tree.end(), layer->begin(), layer->end());
  }
  return tree;
}

std::vector<int128_t> scores_of(const std::vector<int128_t>& bins, const Fraction& alpha) {
  int128_t all = 0;
  for (const int128_t bin : bins) all += bin;
  std::vector<int128_t> scores;
  int128_t below = bins.front();
  for (std::size_t at = 1; at < bins.size(); at += 2) {
    const int128_t above = all - below - bins[at];
    const int128_t score = static_cast<int128_t>(alpha.den - alpha.num) * below -
                           static_cast<int128_t>(alpha.num) * above;
    scores.push_back(score < 0 ? -score : score);
    below += bins[at] + bins[at + 1];
  }
  return scores;
}

std::vector<int128_t> rank_gaps_of(const std::vector<int128_t>& cells, const Fraction& alpha) {
  const auto num = static_cast<int128_t>(alpha.num);
  const auto rest = static_cast<int128_t>(alpha.den - alpha.num);
  int128_t all = 0;
  for (const int128_t cell : cells) all += cell;
  std::vector<int128_t> gaps;
  int128_t below = 0;
  for (const int128_t cell : cells) {
    const int128_t not_above = below + cell;
    gaps.push_back(rank_gap(num, rest, below, all - below, all - not_above, not_above));
    below = not_above;
  }
  return gaps;
}

std::vector<int128_t> scores_of(const NoisyComponent& part, const std::vector<int128_t>& bins) {
  return is_by_rank(part) ? rank_gaps_of(cells_of(bins, part.cells), part.fraction)
                          : scores_of(bins, part.fraction);
}

Measured measure(const QueryComponents& parts,
                 const NoisyComponent& part,
                 const std::optional<NoiseLaw>& law,
                 NoiseKind kind,
                 const ExactAggregates& tallied,
                 const std::vector<std::size_t>& groups,
                 BitSource& bits) {
  const ExactGroup exact(parts, tallied);
  Measured measured;
  measured.width = part.kind == NoisyComponent::Kind::scores ? 1 : exact.of(part, kNoGroup).size();
  measured.numbers.reserve(measured.width * groups.size());
  for (const std::size_t group : groups) {
    check_interrupt();
    std::vector<int128_t> numbers = exact.of(part, group);
    if (part.kind == NoisyComponent::Kind::scores) {
      measured.numbers.push_back(best_candidate(numbers, law, kind, bits));
    } else {
      for (const int128_t number : numbers) measured.numbers.push_back(to_integer(number));
    }
    wipe(numbers);
  }
  if (law && part.kind != NoisyComponent::Kind::scores)
    add_noise(measured.numbers, *law->noise(), bits);
  return measured;
}

}  // namespace dp::query
