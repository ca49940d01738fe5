#include "core/query/estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/column.h"
#include "core/numeric/rational.h"
#include "core/postprocessing/consistent_b_ary_tree.h"
#include "core/postprocessing/numbers.h"
#include "core/postprocessing/quantiles_from_counts.h"
#include "core/query/quantile_reach.h"
#include "core/query/same_expression.h"
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Range within(const Range& range, double least, double most) {
  return {std::clamp(range.lower, least, most), std::clamp(range.upper, least, most)};
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

class AggregateEstimates {
 public:
  AggregateEstimates(const NoisyParts& noisy, std::size_t place, Alpha alpha)
      : noisy_(noisy),
        places_(noisy.parts.aggregates[place]),
        aggregate_(noisy.statement.aggregates[places_.aggregate]),
        parts_(noisy.parts),
        alpha_(alpha),
        combined_(noisy.kind, alpha),
        groups_(noisy.groups) {}

  Estimates all() const {
    using Kind = Aggregate::Kind;
    switch (aggregate_.kind) {
      case Kind::mean:
        return means();
      case Kind::variance:
        return variances(false);
      case Kind::deviation:
        return variances(true);
      case Kind::quantiles:
        return places_.by_tree ? tree_quantiles() : score_quantiles();
      default:
        return numbers();
    }
  }

 private:
  const Measured& main() const { return noisy_.measured[places_.main.front()]; }

  // Reach of a part's noise, in the unit of the release, with probability alpha / parts.
  double reach(std::size_t part, double parts) const {
    const auto& law = noisy_.laws[part];
    if (!law) return 0;
    return std::ldexp(law->reach(Alpha(alpha_.value() / parts)), parts_.parts[part].exponent);
  }

  double number(std::size_t part, std::size_t at) const { return noisy_.number(part, at); }

  Range range(std::size_t part, std::size_t at, double reach) const {
    const double value = number(part, at);
    return {value - reach, value + reach};
  }

  // Adds an estimate within bounds, for a group that has rows or could be empty.
  static void push_bounded(
      Estimates& to, double value, const Range& range, const Range& bounds, bool may_be_empty) {
    if (may_be_empty) {
      to.push(value, kUnknown, {kUnknown, kUnknown}, Mark::may_be_empty);
      return;
    }
    const Range held = within(range, bounds.lower, bounds.upper);
    const bool is_all =
        bounds.lower < bounds.upper && held.lower <= bounds.lower && held.upper >= bounds.upper;
    to.push(value, kUnknown, held, is_all ? Mark::covers_range : Mark::none);
  }

  Estimates numbers() const {
    const std::size_t part = places_.main.front();
    const double far = reach(part, 1);
    const auto& law = noisy_.laws[part];
    const double deviation = law ? std::ldexp(law->deviation(), parts_.parts[part].exponent) : 0;
    Estimates result;
    result.width = main().width;
    result.is_list = aggregate_.kind == Aggregate::Kind::histogram;
    for (std::size_t i = 0; i < main().numbers.size(); ++i) {
      result.push(number(part, i), deviation, range(part, i, far));
    }
    return result;
  }

  double middle() const {
    return std::ldexp(static_cast<double>(places_.quantiser.offset), places_.quantiser.exponent);
  }

  double rows(std::size_t group) const {
    return std::max(places_.least_rows, number(*places_.count, group));
  }
  Range rows_range(std::size_t group, double far) const {
    const Range rows = range(*places_.count, group, far);
    return {std::max(places_.least_rows, rows.lower), std::max(places_.least_rows, rows.upper)};
  }

  Estimates means() const {
    const std::size_t part = places_.main.front();
    const NoiseTerm of_sum = noisy_.term(part, alpha_);
    const NoiseTerm of_rows = noisy_.term(*places_.count, alpha_);
    const auto reach = [&](double mean) {
      CombinedNoise noise(combined_);
      noise.add(1, of_sum);
      noise.add(mean, of_rows);
      return noise.reach();
    };
    const Range bounds{places_.quantiser.lower, places_.quantiser.upper};
    const Range around{bounds.lower - middle(), bounds.upper - middle()};
    Estimates result;
    for (std::size_t group = 0; group < groups_; ++group) {
      check_interrupt();
      const double sum = number(part, group);
      const double count = number(*places_.count, group);
      const double mean = std::clamp(sum / rows(group), around.lower, around.upper);
      const bool may_be_empty = count - of_rows.reach <= 0;
      const Range means = may_be_empty ? around : ratios_about(mean, sum, count, around, reach);
      push_bounded(result,
                   std::clamp(middle() + mean, bounds.lower, bounds.upper),
                   {middle() + means.lower, middle() + means.upper},
                   bounds,
                   may_be_empty);
    }
    return result;
  }

  Estimates variances(bool roots) const {
    const std::size_t sum = places_.main.front();
    const double far_sum = reach(sum, 3);
    const double far_rows = reach(*places_.count, 3);
    const double far_squares = reach(*places_.squares, 3);
    const double half = places_.quantiser.upper / 2 - places_.quantiser.lower / 2;
    const Part& of_squares = parts_.parts[*places_.squares];
    const double mean_square = scaled_to_double(of_squares.square, of_squares.exponent);
    const double certain = reach(*places_.count, 1);
    const auto shown = [&](double x) { return roots ? std::sqrt(x) : x; };
    Estimates result;
    for (std::size_t group = 0; group < groups_; ++group) {
      const double n = rows(group);
      const double mean = number(sum, group) / n;
      const double variance = number(*places_.squares, group) / n + mean_square - mean * mean;
      const Range of_rows = rows_range(group, far_rows);
      const Range square = quotients(range(*places_.squares, group, far_squares), of_rows);
      const Range means_squared = squares(quotients(range(sum, group, far_sum), of_rows));
      const Range around = within({square.lower + mean_square - means_squared.upper,
                                   square.upper + mean_square - means_squared.lower},
                                  0,
                                  half * half);
      push_bounded(result,
                   shown(std::clamp(variance, 0.0, half * half)),
                   {shown(around.lower), shown(around.upper)},
                   {0, shown(half * half)},
                   number(*places_.count, group) - certain <= 0);
    }
    return result;
  }

  Estimates list_of(std::size_t width) const {
    Estimates result;
    result.width = width;
    result.is_list = width > 1;
    return result;
  }

  // The part that counts rows of groups with the weights of the aggregate, if the query asks for
  // it: rows with a value, or all.
  std::optional<std::size_t> counted(bool values) const {
    for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
      const Part& part = parts_.parts[i];
      const Tally& tally = parts_.tallies[part.tally];
      if (part.kind != Part::Kind::number || !is_same(tally.weights.of, aggregate_.weights))
        continue;
      const bool all = tally.kind == Tally::Kind::rows && (!values || !places_.may_drop);
      const bool present = tally.kind == Tally::Kind::present && is_same(tally.of, aggregate_.of);
      if (all || present) return i;
    }
    return {};
  }

  bool may_be_empty(const std::optional<std::size_t>& counted, std::size_t group) const {
    return counted && number(*counted, group) - reach(*counted, 1) <= 0;
  }

  bool is_coarse(std::size_t place) const {
    return !places_.coarse.empty() && places_.coarse[place];
  }

  // The rank error is at most `ranks`. Only a count of values shows that a group has more rows than
  // this.
  Estimates score_quantiles() const {
    const std::optional<std::size_t> rows = counted(false);
    const std::optional<std::size_t> values = counted(true);
    const Range bounds{places_.quantiser.lower, places_.quantiser.upper};
    const Range unknown{kUnknown, kUnknown};
    Estimates result = list_of(places_.main.size());
    for (std::size_t group = 0; group < groups_; ++group) {
      const bool is_empty = may_be_empty(rows, group) || may_be_empty(values, group);
      for (const std::size_t part : places_.main) {
        const auto place = static_cast<std::size_t>(noisy_.measured[part].numbers[group]);
        const auto& law = noisy_.laws[part];
        const double value = places_.grid[place];
        if (!law) {
          result.push(value, 0, {value, value}, is_coarse(place) ? Mark::is_coarse : Mark::none);
          continue;
        }
        const double steps = rank_reach(parts_.parts[part], places_.grid.size(), *law, alpha_);
        const double ranks = std::ldexp(steps, parts_.parts[part].exponent);
        const bool is_any = !values || 2 * ranks >= number(*values, group);
        if (is_empty) {
          result.push(value, kUnknown, unknown, Mark::may_be_empty);
        } else if (is_coarse(place) && !(values && is_any)) {
          result.push(value, kUnknown, is_any ? bounds : unknown, Mark::is_coarse);
        } else {
          result.push(value,
                      kUnknown,
                      is_any ? bounds : unknown,
                      is_any ? Mark::covers_range : Mark::no_interval);
        }
      }
    }
    return result;
  }

  Estimates tree_quantiles() const {
    const std::vector<double>& alphas = aggregate_.probabilities;
    std::vector<double> sorted = alphas;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    const Function consistent = make_consistent_b_ary_tree(kBranches, AtomType::i64, AtomType::f64);
    const Function quantiles =
        make_quantiles_from_counts({places_.grid.begin(), places_.grid.end()},
                                   {sorted.begin(), sorted.end()},
                                   Interpolation::linear,
                                   AtomType::f64,
                                   AtomType::f64);
    const auto& law = noisy_.laws[places_.main.front()];
    const double deviation = law ? law->deviation() : 0;
    const TreeNoise noise(places_.grid.size() - 1, combined_.fourth_cumulant(1));
    const double certain = deviation * combined_.of(noise.root_variance(), noise.root_fourth());
    std::vector<TreeReach> reaches;
    for (const double alpha : alphas) {
      reaches.emplace_back(places_.cells, noise, alpha, deviation, combined_);
    }
    const Range bounds{places_.cells.front().lower, places_.cells.back().upper};
    Estimates result = list_of(alphas.size());
    for (std::size_t group = 0; group < groups_; ++group) {
      check_interrupt();
      const Value leaves = consistent(noisy_tree(group));
      const auto points = numbers_in<double>(quantiles(leaves), AtomType::f64);
      const std::vector<double> below = sums_before(numbers_in<double>(leaves, AtomType::f64));
      for (std::size_t i = 0; i < alphas.size(); ++i) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), alphas[i]) - sorted.begin();
        const double point = value_at(points[static_cast<std::size_t>(at)]);
        const Range range = reaches[i].interval(below);
        push_bounded(result,
                     point,
                     {std::min(point, range.lower), std::max(point, range.upper)},
                     bounds,
                     below.back() - certain <= 0);
      }
    }
    return result;
  }

  static std::vector<double> sums_before(const std::vector<double>& leaves) {
    std::vector<double> sums = {0};
    for (const double leaf : leaves) sums.push_back(sums.back() + leaf);
    return sums;
  }

  // Returns the middle, as a mean does, if the noisy counts show no rows. For whole numbers,
  // returns the last one before the line reaches the point, because a cell does not contain its
  // end.
  double value_at(double point) const {
    const Range bounds{places_.cells.front().lower, places_.cells.back().upper};
    const double value = std::isnan(point) ? bounds.lower / 2 + bounds.upper / 2 : point;
    return places_.is_whole ? std::clamp(std::ceil(value) - 1, bounds.lower, bounds.upper) : value;
  }

  // Clamps counts with noise beyond 64 bits.
  Value noisy_tree(std::size_t group) const {
    static const Integer kLeast = std::numeric_limits<std::int64_t>::min();
    static const Integer kMost = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> nodes;
    for (std::size_t i = 0; i < main().width; ++i) {
      const Integer& node = main().numbers[group * main().width + i];
      nodes.push_back(static_cast<std::int64_t>(std::clamp(node, kLeast, kMost)));
    }
    return make_column<std::int64_t>(AtomType::i64, nodes);
  }

  const NoisyParts& noisy_;
  const AggregateParts& places_;
  const Aggregate& aggregate_;
  const QueryParts& parts_;
  Alpha alpha_;
  CombinedReach combined_;
  std::size_t groups_;
};

}  // namespace

void Estimates::push(double value, double deviation, const Range& range, Mark mark) {
  const bool is_wide = range.upper - range.lower > 2 * std::fabs(value);
  values.push_back(value);
  deviations.push_back(deviation);
  lower.push_back(range.lower);
  upper.push_back(range.upper);
  marks.push_back(mark == Mark::none && is_wide ? Mark::is_wide : mark);
}

double NoisyParts::number(std::size_t part, std::size_t at) const {
  return scaled_to_double(measured[part].numbers[at], parts.parts[part].exponent);
}

NoiseTerm NoisyParts::term(std::size_t part, Alpha alpha) const {
  return laws[part] ? noise_term(*laws[part], parts.parts[part].exponent, alpha) : NoiseTerm{};
}

Estimates estimates_of(const NoisyParts& noisy, std::size_t aggregate, Alpha alpha) {
  return AggregateEstimates(noisy, aggregate, alpha).all();
}

}  // namespace dp::query
