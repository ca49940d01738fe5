// Converts operands of different types to a common type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/expression.h"

namespace dp::query {

// The common type that an operator requires.
enum class Meeting : std::uint8_t {
  numbers,  // integers, or reals if one of them is
  values    // the same, or logicals, dates, levels of one declaration, or texts, if all are
};

// Whether an operand has no type yet: the missing literal.
bool is_untyped(const BoundPtr& operand);

BoundPtr bind_literal(const Literal& literal, TextPool& texts);

// Converts `operands` to one type. Throws unsupported, naming `op`, if there is none.
std::vector<BoundPtr> promoted(const std::string& op,
                               std::vector<BoundPtr> operands,
                               Meeting meeting,
                               TextPool& texts);

// Converts literal texts, and levels that are texts, to levels with all of their texts, in order of
// appearance. Returns nothing if an operand is anything else.
std::optional<std::vector<BoundPtr>> in_common_levels(const std::vector<BoundPtr>& operands,
                                                      const TextPool& texts);

// Converts written numbers without a fraction, of at most 2^31 in magnitude, to integers. Returns
// nothing if an operand is anything else.
std::optional<std::vector<BoundPtr>> in_common_wholes(const std::vector<BoundPtr>& operands);

// Converts `operand` to a logical. Throws if it is anything else.
BoundPtr as_logical(const std::string& op, BoundPtr operand);

// Throws unsupported: "`+` takes numbers, but `ward` holds text." `fix` is a further sentence.
[[noreturn]] void refuse_operand(const std::string& op,
                                 const std::string& wanted,
                                 const Field& operand,
                                 const std::string& fix = "");

// A result of this type without known bounds.
Field field_of(FieldType type, bool may_be_missing);
Field logical_field(bool may_be_missing);

// The whole number of a level with this text. Requires levels declared as whole numbers.
std::int64_t whole_level(const std::string& level);

// Replaces the level index of `operand` by the level's whole number.
BoundPtr wholes_of_levels(BoundPtr operand);

// The level index of `operand`, as a whole number.
BoundPtr indices_of_levels(BoundPtr operand);

}  // namespace dp::query
