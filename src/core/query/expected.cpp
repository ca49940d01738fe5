#include "core/query/expected.h"

#include <algorithm>
#include <cmath>

#include "core/numeric/rational.h"
#include "core/query/quantile_reach.h"
#include "core/tables/effects.h"

namespace dp::query {
namespace {

// Spreads `rows` over `cells` cells, as evenly as whole numbers allow.
std::vector<int128_t> spread_evenly(const Integer& rows, std::size_t cells) {
  std::vector<int128_t> numbers;
  int128_t before = 0;
  for (std::size_t i = 1; i <= cells; ++i) {
    const int128_t below = to_int128(rows * i / cells);
    numbers.push_back(below - before);
    before = below;
  }
  return numbers;
}

// Twice the middle of a row's weights, which is a whole number.
Integer twice_the_middle_weight(const ExactAggregate& tally) {
  if (!is_weighted(tally)) return 2;
  return Integer(tally.weights.points.least) + tally.weights.points.most;
}

class MadeUpGroup {
 public:
  MadeUpGroup(const QueryPlan& plan, std::uint64_t rows) : plan_(plan), rows_(rows) {}

  std::vector<Integer> numbers(const NoisyComponent& part) const {
    const ExactAggregate& tally = plan_.parts().tallies[part.tally];
    switch (part.kind) {
      case NoisyComponent::Kind::number:
        return {tally.kind == ExactAggregate::Kind::sum ? sum_of(tally) : counted(tally)};
      case NoisyComponent::Kind::squares:  // a third of the largest square is the mean of all
                                           // squares
        return {-part.square * rows_ / 3};
      case NoisyComponent::Kind::moments:
        return expected_moments(part);
      case NoisyComponent::Kind::effect:
        return expected_effect(part);
      case NoisyComponent::Kind::cells:
        return whole(spread_evenly(counted(tally), cells_of(empty_bins(tally), part.cells).size()));
      case NoisyComponent::Kind::tree:
        return whole(
            tree_of(spread_evenly(counted(tally), cells_of(empty_bins(tally), part.cells).size())));
      case NoisyComponent::Kind::scores:
        return {Integer(place_of_quantile(part, tally))};
      case NoisyComponent::Kind::model:
        break;
    }
    return {};
  }

 private:
  // The row count, with each row weighted by the middle of the weights.
  Integer counted(const ExactAggregate& tally) const {
    return rows_ * twice_the_middle_weight(tally) / 2;
  }

  // Values are spread evenly over their ranges, independently, and rows over the cells. A square is
  // then a third of the largest on average, and other products are 0.
  std::vector<Integer> expected_moments(const NoisyComponent& part) const {
    const Integer cells = part.moments.size() > 1 ? part.moments.size() + 1 : 1;
    const Integer all = part.square * rows_ / (3 * cells);
    const ExactAggregate& first = plan_.parts().tallies[part.moments.front().front().second];
    const bool counts = first.kind != ExactAggregate::Kind::sum;
    return std::vector<Integer>(part.moments.size(),
                                counts ? Integer(counted(first) / cells) : all);
  }

  // Rows are spread evenly over the cells, so only the total differs from 0.
  std::vector<Integer> expected_effect(const NoisyComponent& part) const {
    const tables::Shape shape = tables::kept_shape(part.shape, part.kept);
    return std::vector<Integer>(tables::cells_of(shape), shape.empty() ? Integer(rows_) : 0);
  }

  Integer sum_of(const ExactAggregate& tally) const {
    return counted(tally) * (Integer(tally.quantiser.least) + tally.quantiser.most) / 2;
  }

  // The candidate at the quantile of evenly spread values.
  static std::size_t place_of_quantile(const NoisyComponent& part, const ExactAggregate& tally) {
    const Fraction& share = part.fraction;
    if (!is_by_rank(part)) return (tally.grid.size() - 1) * share.num / share.den;
    const Quantiser& points = tally.quantiser;
    const int128_t range = static_cast<int128_t>(points.most) - points.least;
    const auto wanted = static_cast<std::int64_t>(
        points.least + range * static_cast<int128_t>(share.num) / static_cast<int128_t>(share.den));
    const auto above = std::upper_bound(tally.grid.begin(), tally.grid.end(), wanted);
    const auto place = static_cast<std::size_t>(above - tally.grid.begin());
    return std::min(std::max<std::size_t>(place, 1), candidates_of(part, tally)) - 1;
  }

  static std::vector<int128_t> empty_bins(const ExactAggregate& tally) {
    return std::vector<int128_t>(2 * tally.grid.size() + 1, 0);
  }

  static std::vector<Integer> whole(const std::vector<int128_t>& numbers) {
    std::vector<Integer> result;
    for (const int128_t number : numbers) result.push_back(to_integer(number));
    return result;
  }

  const QueryPlan& plan_;
  std::uint64_t rows_;
};

// The aggregate behind an output, if it is quantiles by scores.
const AggregateComponents* scores_in(const QueryPlan& plan, const Output& output) {
  const auto* column = std::get_if<ColumnReference>(&output.value->node());
  if (column == nullptr) return nullptr;
  for (const AggregateComponents& places : plan.parts().aggregates) {
    const Aggregate& aggregate = plan.statement().aggregates[places.aggregate];
    const NoisyComponent& first = plan.parts().parts[places.main.front()];
    if (aggregate.name == column->name && first.kind == NoisyComponent::Kind::scores)
      return &places;
  }
  return nullptr;
}

// With evenly spread values, a rank error of a share of the rows is a value error of this share.
void add_rank_errors(Estimates& estimates,
                     const QueryPlan& plan,
                     const AggregateComponents& places,
                     const std::vector<std::uint64_t>& rows) {
  const double least = places.grid.front();
  const double most = places.grid.back();
  for (std::size_t i = 0; i < estimates.values.size(); ++i) {
    const std::size_t part = places.main[i % places.main.size()];
    const auto& law = plan.laws()[part];
    if (!law) continue;
    const double ranks =
        rank_reach(plan.parts().parts[part], places.grid.size(), *law, plan.alpha());
    const ExactAggregate& tally = plan.parts().tallies[plan.parts().parts[part].tally];
    // Ranks of weighted rows count steps of the weights' lattice.
    const double weight = scaled_to_double(twice_the_middle_weight(tally), -1);
    const double count = static_cast<double>(rows[i / places.main.size()]) * weight;
    const double off = count > 0 ? (most - least) * ranks / count : most - least;
    estimates.lower[i] = std::max(least, estimates.values[i] - off);
    estimates.upper[i] = std::min(most, estimates.values[i] + off);
    estimates.marks[i] =
        estimates.upper[i] - estimates.lower[i] >= most - least ? Mark::covers_range : Mark::none;
  }
}

}  // namespace

std::vector<Estimates> expected_estimates(const QueryPlan& plan,
                                          const std::vector<std::uint64_t>& rows) {
  std::vector<Measured> measured;
  for (const NoisyComponent& part : plan.parts().parts) {
    Measured each;
    for (const std::uint64_t size : rows) {
      const std::vector<Integer> numbers = MadeUpGroup(plan, size).numbers(part);
      each.width = numbers.size();
      each.numbers.insert(each.numbers.end(), numbers.begin(), numbers.end());
    }
    measured.push_back(std::move(each));
  }
  const NoisyComponents noisy{
      plan.statement(), plan.parts(), plan.laws(), plan.kind(), measured, rows.size()};
  std::vector<Estimates> result;
  for (const Output& output : plan.statement().outputs) {
    result.push_back(output_of(noisy, output, plan.alpha()));
    const AggregateComponents* scores = scores_in(plan, output);
    if (scores != nullptr) add_rank_errors(result.back(), plan, *scores, rows);
  }
  return result;
}

}  // namespace dp::query
