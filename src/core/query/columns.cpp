#include "core/query/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/steps.h"
#include "core/expressions/typing.h"
#include "core/numeric/lattice.h"
#include "core/numeric/rational.h"

namespace dp::query {
namespace {

constexpr double kMostExact = 0x1p51;
constexpr int kCoarseBits = 25;

struct Ends {
  double lower;
  double upper;
  bool whole;
};

void check_numbers(const Field& field, const std::string& column) {
  const bool has_numbers = is_number(field) || field.type == FieldType::date;
  if (has_numbers && field.type != FieldType::levels) return;
  const std::string fix = field.whole_levels ? "Levels are labels: `as.integer()` makes numbers."
                                             : "Count them with `group_by()` and `dp_count()`.";
  throw Error(ErrorKind::domain,
              "`" + column + "` is of " + kind_of(field) + ", but needs numbers. " + fix);
}

Ends given_ends(const std::pair<double, double>& bounds, bool whole, const std::string& column) {
  const auto [lower, upper] = bounds;
  if (!(lower <= upper) || !std::isfinite(lower) || !std::isfinite(upper)) {
    throw Error(ErrorKind::domain,
                "the bounds of `" + column + "` must be two finite numbers, the lower one first.");
  }
  return {whole ? std::ceil(lower) : lower, whole ? std::floor(upper) : upper, whole};
}

Ends ends_of(const Field& field,
             const std::optional<std::pair<double, double>>& bounds,
             const std::string& column) {
  check_numbers(field, column);
  const bool whole = field.type != FieldType::real;
  const bool declared = has_bounds(field);
  if (!declared && !bounds) {
    const std::string name = shown_name(field.name);
    const bool of_column = !name.empty() && name != column;
    const std::string reason = of_column ? ", because `" + name + "` has none." : ".";
    throw Error(ErrorKind::domain, "`" + column + "` has no bounds" + reason);
  }
  constexpr double kMost = std::numeric_limits<double>::max();
  Ends ends{-kMost, kMost, whole};
  if (bounds) ends = given_ends(*bounds, whole, column);
  if (declared) {
    const double lower = whole ? static_cast<double>(field.wholes->first) : field.reals->first;
    const double upper = whole ? static_cast<double>(field.wholes->second) : field.reals->second;
    ends.lower = std::max(ends.lower, lower);
    ends.upper = std::min(ends.upper, upper);
  }
  if (!(ends.lower <= ends.upper)) {
    throw Error(ErrorKind::domain,
                "the bounds of `" + column +
                    "` exclude all declared values. Choose `bounds` within " +
                    "the declared bounds.");
  }
  return ends;
}

int lattice_exponent(const Ends& ends, Origin origin) {
  const bool exact = ends.whole && std::max(-ends.lower, ends.upper) <= kMostExact;
  const int fine = exact ? 0 : lattice_for(ends.lower, ends.upper).exponent;
  if (origin == Origin::factor) {
    int size = 0;
    std::frexp(std::max(-ends.lower, ends.upper), &size);
    return std::max(fine, size - kCoarseBits - 1);
  }
  if (origin != Origin::coarse) return fine;
  int half_range = 0;
  std::frexp(ends.upper / 2 - ends.lower / 2, &half_range);
  return std::max(fine, half_range - kCoarseBits);
}

std::int64_t floor_half(std::int64_t sum) { return sum >= 0 ? sum / 2 : -((1 - sum) / 2); }

// Of dates that are first days of periods no others count.
bool is_in_period(const Field& field, std::int64_t place) {
  return !field.period || first_day(*field.period, place) == place;
}

// The key of missing values is on no grid.
bool is_on_grid(const Field& field, std::int64_t place) {
  return place == field.missing_key || (is_in_period(field, place) && is_on(field.steps, place));
}

// Whether the range ends with the key of missing values, beside the grid of the others.
bool ends_beside_grid(const Field& field) {
  return field.missing_key && places_in(field)->second == *field.missing_key &&
         !(is_in_period(field, *field.missing_key) && is_on(field.steps, *field.missing_key));
}

void set_fill(const Field& field, Quantiser& quantiser) {
  if (field.missing.policy == Missing::Policy::midpoint) {
    quantiser.fill = floor_half(quantiser.least + quantiser.most);
  } else if (field.missing.policy == Missing::Policy::value) {
    quantiser.fill = point_of(quantiser, field.missing.value);
  }
}

}  // namespace

bool has_bounds(const Field& field) {
  return field.type == FieldType::date ? field.wholes.has_value() : is_bounded(field);
}

std::optional<std::pair<std::int64_t, std::int64_t>> places_in(const Field& field) {
  if (field.type == FieldType::real || field.type == FieldType::text) return {};
  if (field.type == FieldType::logical) return {{0, 1}};
  if (field.type != FieldType::levels) return field.wholes;
  return {{0, static_cast<std::int64_t>(field.levels.size()) - 1}};
}

bool can_have(const Field& field, std::int64_t place) {
  if (!is_on_grid(field, place)) return false;
  if (field.places) {
    return std::binary_search(field.places->begin(), field.places->end(), place);
  }
  const auto range = places_in(field);
  return !range || (range->first <= place && place <= range->second);
}

std::vector<std::int64_t> values_of(const Field& field) {
  std::vector<std::int64_t> values;
  if (field.places) {
    for (const std::int64_t place : *field.places) {
      if (is_on_grid(field, place)) values.push_back(place);
    }
    return values;
  }
  const auto [first, last] = ends_on(field.steps, *places_in(field));
  if (!field.period) {
    const std::int64_t step = field.steps ? std::max<std::int64_t>(field.steps->size, 1) : 1;
    for (int128_t place = first; place <= last; place += step) {
      values.push_back(static_cast<std::int64_t>(place));
    }
  } else {
    std::int64_t place = first;
    if (!is_in_period(field, first)) {
      place = next_first_day(*field.period, first_day(*field.period, first));
    }
    for (; place <= last; place = next_first_day(*field.period, place)) {
      if (is_on(field.steps, place)) values.push_back(place);
    }
  }
  if (ends_beside_grid(field)) values.push_back(*field.missing_key);
  return values;
}

uint128_t number_of_values(const Field& field) {
  if (field.places || field.period) return values_of(field).size();
  const auto [first, last] = ends_on(field.steps, *places_in(field));
  const uint128_t beside = ends_beside_grid(field) ? 1 : 0;
  if (last < first) return beside;
  const std::int64_t step = field.steps ? std::max<std::int64_t>(field.steps->size, 1) : 1;
  return static_cast<uint128_t>((static_cast<int128_t>(last) - first) / step + 1) + beside;
}

Field with_values(Field type, std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (!values.empty() && values.front() == kNone) {
    values.erase(values.begin());
  } else {
    type.may_be_missing = false;
  }
  if (values.empty()) return type;
  const bool has_range = type.type == FieldType::integer || type.type == FieldType::date;
  if (has_range) type.wholes = {values.front(), values.back()};
  type.places.reset();
  if (number_of_values(type) > values.size()) type.places = std::move(values);
  return type;
}

bool may_drop(const Field& field) {
  const bool fills = field.missing.policy == Missing::Policy::midpoint ||
                     field.missing.policy == Missing::Policy::value;
  return field.may_be_missing && !fills;
}

Quantiser quantiser_of(const Field& field,
                       const std::optional<std::pair<double, double>>& bounds,
                       Origin origin,
                       const std::string& column) {
  const Ends ends = ends_of(field, bounds, column);
  Quantiser quantiser;
  quantiser.exponent = lattice_exponent(ends, origin);
  quantiser.lower = ends.lower;
  quantiser.upper = ends.upper;
  const Lattice lattice{quantiser.exponent};
  const std::int64_t least = lattice.index(ends.lower);
  const std::int64_t most = lattice.index(ends.upper);
  const bool is_centred = origin == Origin::middle || origin == Origin::coarse;
  if (is_centred) quantiser.offset = floor_half(least + most);
  quantiser.least = least - quantiser.offset;
  quantiser.most = most - quantiser.offset;
  set_fill(field, quantiser);
  return quantiser;
}

std::int64_t point_of(const Quantiser& quantiser, double value) {
  const double held = std::min(std::max(value, quantiser.lower), quantiser.upper);
  const std::int64_t z = Lattice{quantiser.exponent}.index(held) - quantiser.offset;
  return std::min(std::max(z, quantiser.least), quantiser.most);
}

Rational value_of(const Quantiser& quantiser, const Integer& z) {
  return Rational(z + quantiser.offset) * power_of_two(quantiser.exponent);
}

}  // namespace dp::query
