// The columns of a private table: what each may hold, declared by the data's owner or derived from
// what was declared. All of it is public.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dp::query {

// Integers and dates are 64-bit integers, dates the days since 1970-01-01; levels are declared text
// or integers, of which a row holds the place, from 0.
enum class FieldType : std::uint8_t { logical, integer, real, text, levels, date };
// In the order of the types.
constexpr const char* kFieldTypeNames[] = {"logical", "integer", "real", "text", "levels", "date"};

// What a row without a value counts as: it leaves what is computed of the column, or has a value
// within the bounds.
struct Missing {
  enum class Policy : std::uint8_t { drop, midpoint, value };
  Policy policy = Policy::drop;
  double value = 0;
};

struct Field {
  std::string name;
  FieldType type;
  // Of logical (0, 1), integer, date and levels (0, count - 1); whole numbers within +-2^51 where
  // they were declared, +-2^62 where they were computed. Absent where nothing is known.
  std::optional<std::pair<std::int64_t, std::int64_t>> wholes;
  // Of reals: finite and in order.
  std::optional<std::pair<double, double>> reals;
  std::vector<std::string> levels;
  // Levels that came as whole numbers are released as such.
  bool whole_levels = false;
  Missing missing;
  bool may_be_missing = true;
};

}  // namespace dp::query
