// Queries as JSON (?to_json). Each object has a closed set of keys in a fixed order, determined by
// its step, operator, aggregate or other position. Unknown keys are rejected, so a text from a
// later version is never read with a part ignored.
//
//   root      version (1), declaration or query.source, loss and alpha (or neither), query
//   batch     version (1), accountant, members, loss and alpha (or neither). A member has a name,
//   and
//             the keys of a root without its version; without a loss it has a weight
//   numbers   a literal, a scale or an accuracy without a point is a whole number; all others are
//             real. Numbers of a loss are decimals in text, in their fewest digits
//   missing   null, in literals and in values of public tables
//
// The parser produces the types that R's verbs write, so a query keeps its hash in a round trip.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/limits.h"
#include "core/plan/json_text.h"
#include "core/query/form.h"

namespace dp::query {

// Size limits of a text. A server uses the defaults for its clients.
struct QueryJsonLimits {
  std::size_t bytes = std::size_t{1} << 16;
  std::size_t depth = 40;
  std::size_t parts = 5000;
  std::size_t steps = 64;
  std::size_t aggregates = 64;  // and columns of the result, and queries of a batch
  std::size_t literals = 1000;
  std::size_t numbers = 1000;  // probabilities or breaks of one aggregate
  std::size_t rows = 10000;    // of a public table
  std::size_t name_bytes = 200;
};

// Limits for texts that a user reads on the machine that runs R.
constexpr QueryJsonLimits kLocalQueryJson = {std::size_t{1} << 25,
                                             limits::kNestedLists,
                                             std::size_t{1} << 22,
                                             std::size_t{1} << 16,
                                             std::size_t{1} << 16,
                                             limits::kCells,
                                             limits::kCells,
                                             limits::kCells,
                                             std::size_t{1} << 16};

// Throws failed_cast if a form or text is not a query in this format, or exceeds a limit. Messages
// name keys of the format, never contents of the text.
std::string query_to_json(const Form& form);
Form query_from_json(std::string_view text, const QueryJsonLimits& limits);

// The format's names of steps and of aggregates.
std::vector<std::string> json_steps();
std::vector<std::string> json_aggregates();

}  // namespace dp::query
