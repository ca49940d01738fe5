// An expression with known columns, types and bounds: typing.h makes it, evaluate.h evaluates it,
// and the SQL writers read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/expressions/field.h"
#include "core/expressions/text_pool.h"

namespace dp::query {

enum class Operator : std::uint8_t {
  column,
  literal,
  to_real,  // of a whole
  lookup,   // of a place, in `wholes`
  equal,
  unequal,
  less,
  less_equal,
  both,
  either,
  negation,
  is_missing,
  coalesce,
  if_else,
  case_when,
  is_in,
  none_if,  // the first, unless the other two are equal; of two, unless they are
  least,
  most,
  magnitude,
  rounded,  // as rounding.h says, by `wholes`: the way and the digits
  cut,
  year,
  month,
  day,
  day_of_year,
  day_of_week,  // of weeks that start as `wholes` says
  first_day,    // of a period: its months and the start of its weeks, in `wholes`
  add,
  subtract,
  minus,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,  // by `wholes`
  logarithm,
  exponential,
  root,
  logarithm_of_one_more,
  on_lattice  // of steps of 2^k, with k in `wholes`
};

struct Bound;
using BoundPtr = std::shared_ptr<const Bound>;

struct Bound {
  Operator op;
  Field type;  // of the result; has no name
  std::vector<BoundPtr> args;
  std::size_t column = 0;            // the place of the field
  std::vector<std::int64_t> wholes;  // literals, sorted for `is_in`; the table of `lookup`
  std::vector<double> reals;         // the same of reals, breaks of `cut`
  bool takes_missing = false;        // of `is_in`: whether a missing value is among the literals
  const TextPool* texts = nullptr;   // of `less` and `less_equal` of texts
};

}  // namespace dp::query
