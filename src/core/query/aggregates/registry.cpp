#include <algorithm>
#include <iterator>

#include "core/query/aggregates/aggregate_class.h"

namespace dp::query {

const std::vector<AggregateRow>& aggregate_rows() {
  using Kind = Aggregate::Kind;
  static const AggregateRow kRows[] = {
      {Kind::count,
       count_class,
       Reads::nothing,
       Quantity::count,
       "counts",
       {"scale", "accuracy", "weights"}},
      {Kind::ids,
       people_class,
       Reads::nothing,
       Quantity::count,
       "numbers of people",
       {"scale", "accuracy"}},
      {Kind::missing,
       missing_class,
       Reads::amounts,
       Quantity::count,
       "numbers of missing values",
       {"of", "scale", "accuracy"}},
      {Kind::distinct,
       distinct_class,
       Reads::keys,
       Quantity::count,
       "numbers of distinct values",
       {"of", "scale", "accuracy"}},
      {Kind::sum,
       sum_class,
       Reads::amounts,
       Quantity::sum,
       "sums",
       {"of", "bounds", "scale", "accuracy", "weights"}},
      {Kind::mean,
       mean_class,
       Reads::amounts,
       Quantity::statistic,
       "means",
       {"of", "bounds", "scale", "accuracy", "weights"}},
      {Kind::variance,
       variance_class,
       Reads::amounts,
       Quantity::statistic,
       "variances",
       {"of", "bounds", "scale", "accuracy"}},
      {Kind::deviation,
       deviation_class,
       Reads::amounts,
       Quantity::statistic,
       "standard deviations",
       {"of", "bounds", "scale", "accuracy"}},
      {Kind::quantiles,
       quantiles_class,
       Reads::amounts,
       Quantity::statistic,
       "quantiles",
       {"of", "bounds", "probabilities", "grid", "weights"}},
      {Kind::histogram,
       histogram_class,
       Reads::keys,
       Quantity::count,
       "histograms",
       {"of", "grid"}},
      {Kind::capped,
       capped_class,
       Reads::nothing,
       Quantity::count,
       "numbers of capped people",
       {"scale", "accuracy"}},
      {Kind::dropped,
       dropped_class,
       Reads::nothing,
       Quantity::count,
       "numbers of dropped rows",
       {"scale", "accuracy", "up_to"}},
      {Kind::moment,
       moment_class,
       Reads::amounts,
       Quantity::sum,
       "moments",
       {"of", "scale", "weights", "times", "cells"}},
      {Kind::effect, effect_class, Reads::keys, Quantity::sum, "effects", {"cells"}},
      {Kind::logit,
       logit_class,
       Reads::amounts,
       Quantity::statistic,
       "logistic models",
       {"of", "predictors", "errors"}},
      {Kind::poisson,
       poisson_class,
       Reads::amounts,
       Quantity::statistic,
       "Poisson models",
       {"of", "predictors", "errors"}}};
  static_assert(
      sizeof kRows / sizeof *kRows == sizeof Aggregate::kKindNames / sizeof *Aggregate::kKindNames,
      "every kind has a row");
  static const std::vector<AggregateRow> kAll(std::begin(kRows), std::end(kRows));
  return kAll;
}

const AggregateRow& row_of(Aggregate::Kind kind) {
  return aggregate_rows()[static_cast<std::size_t>(kind)];
}

const AggregateClass& class_of(Aggregate::Kind kind) { return row_of(kind).implementation(); }

bool has_key(const AggregateRow& row, const std::string& key) {
  return std::find(row.keys.begin(), row.keys.end(), key) != row.keys.end();
}

}  // namespace dp::query
