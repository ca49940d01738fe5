// The lattice of an aggregate's column, and what a row may add on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/field.h"
#include "core/numeric/int128.h"
#include "core/numeric/integer.h"
#include "core/query/tally.h"

namespace dp::query {

// How fine a lattice is, and where its origin.
enum class Origin : std::uint8_t {
  zero,    // sums: z is the point itself
  middle,  // means: z counts from a point in the middle of the bounds
  coarse,  // squares: as `middle`, |z| at most 2^26, so that squares stay small
  factor   // factors of products: as `zero`, |z| at most 2^26
};

// Whether nothing more is needed to make numbers of the column.
bool has_bounds(const Field& field);

// Points of the lattice between the column's bounds, made narrower by `bounds` but never wider; a
// column without any has those of `bounds`. Each value is clamped, so that it does not matter who
// gives them.
//
// Whole numbers within 2^51 are their own lattice; reals, and wholes beyond, have the finest one on
// which both bounds have 51 bits (numeric/lattice.h). The coarse one has steps of at least 2^-25 of
// the half range, so that a point is off by at most 2^-26 of the range. That of factors has steps
// of at least 2^-26 of the next power of two above both bounds.
//
// Throws domain, naming `column`, if it has no numbers, if neither it nor the caller has bounds, if
// those given are not finite and in order, or if none of its values is within them.
Quantiser quantiser_of(const Field& field,
                       const std::optional<std::pair<double, double>>& bounds,
                       Origin origin,
                       const std::string& column);

// The whole numbers that a value may be, or the places of levels; none if nothing bounds them.
std::optional<std::pair<std::int64_t, std::int64_t>> places_in(const Field& field);

// How many whole numbers or levels the column can have, and all of them in order: those that
// filters, periods and steps leave. The column must have places_in().
uint128_t number_of_values(const Field& field);
std::vector<std::int64_t> values_of(const Field& field);

// Whether the column can have this whole number.
bool can_have(const Field& field, std::int64_t place);

// Whether a row may leave what is computed of the column.
bool may_drop(const Field& field);

// The point of a public value, held within the quantiser's ends.
std::int64_t point_of(const Quantiser& quantiser, double value);

// The value of a point, exactly: (z + offset) 2^exponent.
Rational value_of(const Quantiser& quantiser, const Integer& z);

}  // namespace dp::query
