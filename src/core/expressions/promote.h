// How operands of different types meet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/expression.h"

namespace dp::query {

// What operands become before an operator reads them.
enum class Meeting : std::uint8_t {
  numbers,  // integers, or reals if one of them is
  values    // the same, or logicals, dates, levels of one declaration, or texts, if all are
};

// An operand that has no type yet: the missing literal.
bool is_untyped(const BoundPtr& operand);

BoundPtr bind_literal(const Literal& literal, TextPool& texts);

// `operands` in one type. Throws unsupported, naming `op`, if there is none.
std::vector<BoundPtr> promoted(const std::string& op,
                               std::vector<BoundPtr> operands,
                               Meeting meeting,
                               TextPool& texts);

// Texts that are written out, and levels that are texts, as levels of all of them, in the order in
// which they stand. Nothing if an operand is anything else.
std::optional<std::vector<BoundPtr>> in_common_levels(const std::vector<BoundPtr>& operands,
                                                      const TextPool& texts);

// `operand` as a logical. Throws if it is anything else.
BoundPtr as_logical(const std::string& op, BoundPtr operand);

// Throws unsupported: "`+` takes numbers, not text."
[[noreturn]] void refuse_operand(const std::string& op,
                                 const std::string& wanted,
                                 const Field& operand);

// A result of this type about which nothing else is known.
Field field_of(FieldType type, bool may_be_missing);
Field logical_field(bool may_be_missing);

// The level with this text as a whole number. Levels that came as such are.
std::int64_t whole_level(const std::string& level);

// The place of `operand` among the levels as their whole numbers, or as texts.
BoundPtr wholes_of_levels(BoundPtr operand);

}  // namespace dp::query
