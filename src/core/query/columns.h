// The lattice of an aggregate's column, and the range of each row's contribution on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/field.h"
#include "core/numeric/int128.h"
#include "core/numeric/integer.h"
#include "core/query/exact_aggregate.h"

namespace dp::query {

// The resolution of a lattice, and its origin.
enum class Origin : std::uint8_t {
  zero,    // sums: z is the point itself
  middle,  // means: z counts from a point in the middle of the bounds
  coarse,  // squares: as `middle`, |z| at most 2^26, so that squares stay small
  factor   // factors of products: as `zero`, |z| at most 2^26
};

// Whether the column's declaration suffices to make numbers of it.
bool has_bounds(const Field& field);

// Lattice points between the column's bounds. `bounds` can narrow them but never widen them; a
// column without bounds uses `bounds`. Each value is clamped, so bounds from either source are
// safe.
//
// Whole numbers within 2^51 are their own lattice. Reals, and whole numbers beyond, have the finest
// lattice on which both bounds have 51 bits (numeric/lattice.h). The coarse lattice has steps of at
// least 2^-25 of the half range, so a point is off by at most 2^-26 of the range. The lattice of
// factors has steps of at least 2^-26 of the next power of two above both bounds.
//
// Throws domain, naming `column`, if it is not numeric, or if neither it nor the caller supplies
// bounds. Also throws domain if given bounds are not finite and in order, or exclude all its
// values.
Quantiser quantiser_of(const Field& field,
                       const std::optional<std::pair<double, double>>& bounds,
                       Origin origin,
                       const std::string& column);

// Range of a column's whole numbers, or of its level indices; none if nothing bounds them.
std::optional<std::pair<std::int64_t, std::int64_t>> places_in(const Field& field);

// Number of whole numbers or levels that the column can have, and all of them in order. Filters,
// periods and steps leave some out. The column must have places_in().
uint128_t number_of_values(const Field& field);
std::vector<std::int64_t> values_of(const Field& field);

// The column if it has these whole numbers or level indices only. kNone means a missing value.
Field with_values(Field type, std::vector<std::int64_t> values);

// Whether the column can have this whole number.
bool can_have(const Field& field, std::int64_t place);

// Whether computations on the column can drop a row.
bool may_drop(const Field& field);

// The point of a public value, clamped to the quantiser's ends.
std::int64_t point_of(const Quantiser& quantiser, double value);

// The exact value of a point: (z + offset) 2^exponent.
Rational value_of(const Quantiser& quantiser, const Integer& z);

}  // namespace dp::query
