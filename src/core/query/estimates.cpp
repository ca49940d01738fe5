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
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Range {
  double lower;
  double upper;
};

Range within(const Range& range, double least, double most) {
  return {std::clamp(range.lower, least, most), std::clamp(range.upper, least, most)};
}

// All quotients of numbers in the two ranges; that of the second is positive.
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

void push(Estimates& to, double value, double deviation, const Range& range) {
  to.values.push_back(value);
  to.deviations.push_back(deviation);
  to.lower.push_back(range.lower);
  to.upper.push_back(range.upper);
}

class AggregateEstimates {
 public:
  AggregateEstimates(const Aggregate& aggregate,
                     const AggregateParts& places,
                     const QueryParts& parts,
                     const std::vector<std::optional<NoiseLaw>>& laws,
                     const std::vector<Measured>& measured,
                     double alpha)
      : aggregate_(aggregate),
        places_(places),
        parts_(parts),
        laws_(laws),
        measured_(measured),
        alpha_(alpha),
        groups_(main().numbers.size() / main().width) {}

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
  const Measured& main() const { return measured_[places_.main.front()]; }

  // How far the noise of a part goes, in the unit of the release; with probability alpha / parts.
  double reach(std::size_t part, double parts) const {
    const auto& law = laws_[part];
    if (!law) return 0;
    return std::ldexp(law->reach(Alpha(alpha_ / parts)), parts_.parts[part].exponent);
  }

  double number(std::size_t part, std::size_t at) const {
    return scaled_to_double(measured_[part].numbers[at], parts_.parts[part].exponent);
  }

  Range range(std::size_t part, std::size_t at, double reach) const {
    const double value = number(part, at);
    return {value - reach, value + reach};
  }

  Estimates numbers() const {
    const std::size_t part = places_.main.front();
    const double far = reach(part, 1);
    const auto& law = laws_[part];
    const double deviation = law ? std::ldexp(law->deviation(), parts_.parts[part].exponent) : 0;
    Estimates result;
    result.width = main().width;
    result.is_list = aggregate_.kind == Aggregate::Kind::histogram;
    for (std::size_t i = 0; i < main().numbers.size(); ++i) {
      push(result, number(part, i), deviation, range(part, i, far));
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
    const std::size_t sum = places_.main.front();
    const double far_sum = reach(sum, 2);
    const double far_rows = reach(*places_.count, 2);
    const Quantiser& column = places_.quantiser;
    Estimates result;
    for (std::size_t group = 0; group < groups_; ++group) {
      const double mean = middle() + number(sum, group) / rows(group);
      const Range around = quotients(range(sum, group, far_sum), rows_range(group, far_rows));
      push(result,
           std::clamp(mean, column.lower, column.upper),
           kUnknown,
           within({middle() + around.lower, middle() + around.upper}, column.lower, column.upper));
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
      const double held = std::clamp(variance, 0.0, half * half);
      push(result,
           roots ? std::sqrt(held) : held,
           kUnknown,
           roots ? Range{std::sqrt(around.lower), std::sqrt(around.upper)} : around);
    }
    return result;
  }

  Estimates list_of(std::size_t width) const {
    Estimates result;
    result.width = width;
    result.is_list = width > 1;
    return result;
  }

  Estimates score_quantiles() const {
    Estimates result = list_of(places_.main.size());
    for (std::size_t group = 0; group < groups_; ++group) {
      for (const std::size_t part : places_.main) {
        const auto place = static_cast<std::size_t>(measured_[part].numbers[group]);
        push(result, places_.grid[place], kUnknown, {kUnknown, kUnknown});
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
    TreeReach around(places_.grid, reach(places_.main.front(), static_cast<double>(main().width)));
    Estimates result = list_of(alphas.size());
    for (std::size_t group = 0; group < groups_; ++group) {
      check_interrupt();
      around.read(nodes(group));
      const auto points =
          numbers_in<double>(quantiles(consistent(noisy_tree(group))), AtomType::f64);
      for (const double alpha : alphas) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), alpha) - sorted.begin();
        const double point = of_some_rows(points[static_cast<std::size_t>(at)]);
        push(result,
             point,
             kUnknown,
             {std::min(point, around.lower(alpha)), std::max(point, around.upper(alpha))});
      }
    }
    return result;
  }

  std::vector<double> nodes(std::size_t group) const {
    std::vector<double> nodes(main().width);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i] = number(places_.main.front(), group * nodes.size() + i);
    }
    return nodes;
  }

  // The middle, as a mean has it, if noise shows no rows at all.
  double of_some_rows(double quantile) const {
    const std::vector<double>& grid = places_.grid;
    return std::isnan(quantile) ? grid.front() / 2 + grid.back() / 2 : quantile;
  }

  // Noise beyond 64 bits leaves a count at their end.
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

  const Aggregate& aggregate_;
  const AggregateParts& places_;
  const QueryParts& parts_;
  const std::vector<std::optional<NoiseLaw>>& laws_;
  const std::vector<Measured>& measured_;
  double alpha_;
  std::size_t groups_;
};

}  // namespace

Estimates estimates_of(const Aggregate& aggregate,
                       const AggregateParts& places,
                       const QueryParts& parts,
                       const std::vector<std::optional<NoiseLaw>>& laws,
                       const std::vector<Measured>& measured,
                       Alpha alpha) {
  return AggregateEstimates(aggregate, places, parts, laws, measured, alpha.value()).all();
}

}  // namespace dp::query
