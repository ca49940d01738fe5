// A query on a private table, as data: where its rows come from, what is done to each row, how much
// one person may contribute, and what is counted in each group. Written by R's verbs; read by the
// map, by the preview, by the kernel and by the writers of SQL. Nothing in it depends on data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/expression.h"
#include "core/expressions/field.h"
#include "core/expressions/rules.h"
#include "core/one_of.h"

namespace dp::query {

// Whose presence is hidden: `count` rows, `count` replaced rows, or all rows of `count` people,
// named by the columns `id` together. The rows of a person may lie in `shards` places, in each of
// which they are truncated by themselves.
struct Unit {
  enum class Kind : std::uint8_t { rows, changes, id };
  Kind kind;
  std::vector<std::string> id;
  std::uint32_t count = 1;
  std::uint32_t shards = 1;
};

struct Source {
  std::vector<Field> fields;
  Unit unit;
  Rules rules = kNewestRules;  // of the whole query
};

// Columns of a public table: of each the type, and a literal for each row.
struct PublicTable {
  std::vector<Field> fields;
  std::vector<std::vector<Literal>> columns;
};

// Two columns of one value (lowered.h). The first is missing where the second has a value that is
// no key; or it is a group, which has Field::missing_key where the second is missing.
struct Twins {
  std::string name;
  std::string hidden;
  bool is_group = false;
};
struct Filter {
  ExpressionPtr predicate;
  // Whether columns are known to hold only values that pass (narrowing.h): so under the second
  // rules.
  bool narrows = false;
  std::vector<Twins> twins = {};
};
struct Mutate {
  std::string name;
  ExpressionPtr value;
  // What is known of the values, where that is more than the expression says (lowered.h); else
  // null.
  std::shared_ptr<const Field> known = nullptr;
  // Whether the column has only values that the expression gives (domains.h): so under the second
  // rules.
  bool narrows = false;
  std::vector<Twins> twins = {};
};
// Which columns stay, under which names: (new, old).
struct Select {
  std::vector<std::pair<std::string, std::string>> columns;
};
struct JoinPublic {
  enum class How : std::uint8_t { left, inner, semi, anti };
  How how;
  std::vector<std::pair<std::string, std::string>> by;  // (private, public)
  PublicTable table;
};
// One row for each person and combination of `by`; `of` is absent for counts of rows.
struct PerUnitValue {
  enum class Kind : std::uint8_t { rows, sum, least, most, any, all };
  std::string name;
  Kind kind;
  ExpressionPtr of;
};
struct PerUnit {
  std::vector<std::string> by;
  std::vector<PerUnitValue> values;
  bool narrows = false;  // as Mutate::narrows
};
struct Truncate {
  enum class Keep : std::uint8_t { random, first, last };
  std::vector<std::string> by;
  std::optional<std::uint32_t> rows, groups, rows_per_group;
  Keep keep = Keep::random;
  ExpressionPtr order;  // of first and last
};
// What the data's owner promises of every table that could be: facts of groups of `by`.
struct Margin {
  std::vector<std::string> by;
  bool keys_are_public = false;
  bool lengths_are_public = false;
  std::optional<std::uint32_t> most_groups, most_rows;
};

using Step = OneOf<Filter, Mutate, Select, JoinPublic, PerUnit, Truncate, Margin>;

// One number, or a list of them, for each group.
struct Aggregate {
  enum class Kind : std::uint8_t {
    count,
    ids,
    missing,
    distinct,
    sum,
    mean,
    variance,
    deviation,
    quantiles,
    histogram,
    capped,
    dropped
  };
  // In the order of the kinds.
  static constexpr const char* kKindNames[] = {"count",
                                               "ids",
                                               "missing",
                                               "distinct",
                                               "sum",
                                               "mean",
                                               "variance",
                                               "deviation",
                                               "quantiles",
                                               "histogram",
                                               "capped",
                                               "dropped"};
  // `score` and `automatic` count rows at a candidate on neither side of it; `rank` on either side,
  // after each row has moved to the candidate nearest to it. New queries ask for `rank`.
  enum class Method : std::uint8_t { automatic, tree, score, rank };
  std::string name;
  Kind kind;
  ExpressionPtr of;                 // but for count, ids, capped and dropped
  ExpressionPtr weights = nullptr;  // of rows: for counts, sums, means and quantiles
  std::optional<std::pair<double, double>> bounds;
  double weight = 1;
  // At most one of these is given; else weights share what the loss leaves.
  std::optional<double> scale, accuracy;
  std::uint32_t up_to = 1;            // dropped: rows of each person that count at most
  std::vector<double> probabilities;  // of quantiles
  std::vector<double> grid;           // candidates of quantiles, breaks of a histogram
  Method method = Method::automatic;
};

struct Keys {
  enum class Kind : std::uint8_t { declared, table, threshold, select };
  Kind kind = Kind::declared;
  PublicTable table;
  double weight = 1;  // of threshold, select and suppress
  // Groups of public keys whose noisy number of people, or of rows, is less are left out.
  std::optional<std::uint32_t> suppress = std::nullopt;
};

// Arithmetic of aggregates, which is postprocessing: names stand for aggregates.
struct Output {
  std::string name;
  ExpressionPtr value;
};

struct Statement {
  Source source;
  std::vector<Step> steps;
  std::vector<std::string> by;
  Keys keys;
  std::vector<Aggregate> aggregates;
  std::vector<Output> outputs;
};

}  // namespace dp::query
