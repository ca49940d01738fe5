// Estimates from noisy numbers, their error bounds, and arithmetic with them. All of it is
// postprocessing of noisy measurements and public facts.
//
//   counts and sums   the noisy number, signed; the noise's deviation; an interval that the noise
//                     leaves with probability at most alpha
//   mean              middle + S / max(1, N), within the bounds, with Fieller's interval of S / N
//                     (combined_noise.h)
//   variance          Q / N and (S / N)^2, within [0, h^2], h half the range. The interval holds
//                     all quotients of numbers within the intervals at alpha / 3 each
//   deviation         the square root of the variance and of its interval
//   quantiles         by scores: the chosen candidate. Its interval is the bounds, or missing if
//                     the query counts enough values for its rank. By trees: linear interpolation
//                     of the cell counts at the probability, rounded down for whole values. Its
//                     interval is from quantile_reach.h and has whole cells, even without noise
//   histogram         a number for each cell, as counts
//
// A mean, a variance or a quantile of a group has no interval if the group could be empty, given
// its noisy number of rows. Numbers without noise have intervals of length 0. Rounding is to
// nearest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numeric/parameters.h"
#include "core/query/combined_noise.h"
#include "core/query/measure.h"
#include "core/query/noise_law.h"
#include "core/query/noisy_components.h"
#include "core/query/statement.h"

namespace dp::query {

// Why readers must not take a number as a result.
enum class Mark : std::uint8_t {
  none,
  covers_range,  // the interval is all of the bounds
  is_wide,       // half of the interval is at least the number
  may_be_empty,  // the group can be empty: no interval
  no_interval,   // the interval is unknown
  is_coarse,     // a candidate of a wide cell, whose values are unknown
  is_outside     // the interval has no possible value, such as a count below 0
};

// One number for each group, or `width` of them. NaN: unknown.
struct Estimates {
  std::size_t width = 1;
  bool is_list = false;
  std::vector<double> values, deviations, lower, upper;
  std::vector<Mark> marks;

  // Marks a number without another mark if its interval is wide.
  void push(double value, double deviation, const Range& range, Mark mark = Mark::none);
};

// The measurements of a statement: each part with its law, if it has noise.
struct NoisyComponents {
  const Statement& statement;
  const QueryComponents& parts;
  const std::vector<std::optional<NoiseLaw>>& laws;
  NoiseKind kind;
  const std::vector<Measured>& measured;
  std::size_t groups;

  double number(std::size_t part, std::size_t at) const;
  // Values without noise, as far as their sign is known: a sum of amounts above 0 is not below 0.
  Range possible(std::size_t part) const;
  NoiseTerm term(std::size_t part, Alpha alpha) const;
};

Mark mark_outside(const Range& range, const Range& possible);

// Estimates of one aggregate, given by its index in the parts.
Estimates estimates_of(const NoisyComponents& noisy, std::size_t aggregate, Alpha alpha);

// An output: an aggregate, or arithmetic on aggregates with one number each. The operators are + -
// * / abs pmin pmax and sqrt. Throws unsupported, before any data are read, for other operators and
// for names without an aggregate. The interval:
//
//   sums of counts and sums with constant factors   exact, from all of their noise
//   ratios of such sums                             Fieller's interval
//   these, or an aggregate, with constants          shifted and scaled
//   all others                                      interval arithmetic of the k aggregates, each
//                                                   at alpha / k, by the union bound
void check_output(const Output& output, const std::vector<Aggregate>& aggregates);
Estimates output_of(const NoisyComponents& noisy, const Output& output, Alpha alpha);

}  // namespace dp::query
