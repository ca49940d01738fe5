#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numeric/rational.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/aggregates/noisy_aggregate.h"
#include "core/query/columns.h"
#include "core/query/quantise.h"

namespace dp::query {
namespace {

void check_squares(const Aggregate& aggregate, const Quantiser& quantiser) {
  constexpr double kFurthest = 1e150;
  if (quantiser.upper - quantiser.lower <= kFurthest) return;
  throw Error(ErrorKind::domain,
              "the bounds of `" + aggregate.name + "` are more than 1e150 apart, too far for " +
                  "squares.");
}

// All quotients of numbers in two ranges; the second range is positive.
Range quotients(const Range& a, const Range& b) {
  return {std::min(a.lower / b.lower, a.lower / b.upper),
          std::max(a.upper / b.lower, a.upper / b.upper)};
}

Range squares(const Range& a) {
  const double low = a.lower * a.lower;
  const double high = a.upper * a.upper;
  const bool has_zero = a.lower <= 0 && a.upper >= 0;
  return {has_zero ? 0 : std::min(low, high), std::max(low, high)};
}

// A variance, or its root.
class Variance final : public AggregateClass {
 public:
  explicit Variance(bool is_root) : is_root_(is_root) {}

  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    const Field field = list.field_of(aggregate);
    const bool drops = may_drop(field);
    const Quantiser quantiser =
        quantiser_of(field, aggregate.bounds, Origin::coarse, aggregate.name);
    check_squares(aggregate, quantiser);
    AggregateComponents parts;
    parts.quantiser = quantiser;
    const double weight = list.weight_beside_count(aggregate, drops, 2);
    parts.main = {list.share(aggregate, list.sum_part(aggregate, {}, quantiser, drops), weight)};
    parts.count = list.present_part(aggregate, drops, aggregate.weight / 3);
    NoisyComponent squares;
    squares.kind = NoisyComponent::Kind::squares;
    squares.tally = list.tally(ExactAggregate::Kind::squares, aggregate.of, quantiser);
    squares.rows = drops ? list.present_tally(aggregate) : list.tally(ExactAggregate::Kind::rows);
    const Integer height = std::max(-quantiser.least, quantiser.most);
    squares.square = height * height;
    squares.effect = effect_on_sum(-squares.square, squares.square, list.facts(drops));
    squares.exponent = 2 * quantiser.exponent - 1;
    parts.squares = list.share(aggregate, squares, weight);
    return parts;
  }

  Estimates estimate(const NoisyAggregate& noisy) const override {
    const AggregateComponents& places = noisy.places();
    const std::size_t sum = noisy.main();
    const double far_sum = noisy.reach(sum, 3);
    const double far_rows = noisy.reach(*places.count, 3);
    const double far_squares = noisy.reach(*places.squares, 3);
    const double half = places.quantiser.upper / 2 - places.quantiser.lower / 2;
    const NoisyComponent& of_squares = noisy.part(*places.squares);
    const double mean_square = scaled_to_double(of_squares.square, of_squares.exponent);
    const double certain = noisy.reach(*places.count, 1);
    Estimates result;
    for (std::size_t group = 0; group < noisy.groups(); ++group) {
      const double n = noisy.rows(group);
      const double mean = noisy.number(sum, group) / n;
      const double variance = noisy.number(*places.squares, group) / n + mean_square - mean * mean;
      const Range of_rows = noisy.rows_range(group, far_rows);
      const Range square = quotients(noisy.range(*places.squares, group, far_squares), of_rows);
      const Range means_squared = squares(quotients(noisy.range(sum, group, far_sum), of_rows));
      const Range around = held_within({square.lower + mean_square - means_squared.upper,
                                        square.upper + mean_square - means_squared.lower},
                                       0,
                                       half * half);
      push_bounded(result,
                   shown(std::clamp(variance, 0.0, half * half)),
                   {shown(around.lower), shown(around.upper)},
                   {0, shown(half * half)},
                   noisy.number(*places.count, group) - certain <= 0);
    }
    return result;
  }

 private:
  double shown(double variance) const { return is_root_ ? std::sqrt(variance) : variance; }

  bool is_root_;
};

}  // namespace

const AggregateClass& variance_class() {
  static const Variance kClass(false);
  return kClass;
}

const AggregateClass& deviation_class() {
  static const Variance kClass(true);
  return kClass;
}

}  // namespace dp::query
