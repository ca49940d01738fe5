// A query on a private table, as data. It states the source of the rows, the steps on each row,
// each person's contribution bounds, and the tallies in each group. R's verbs write it; the map,
// the preview, the kernel and the SQL writers read it. No part of it depends on data.
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

// The unit of privacy: `count` rows, `count` replaced rows, or all rows of `count` people, whom the
// columns `id` identify together. The rows of a person can be spread over `shards` places; each
// place truncates them separately.
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

// Columns of a public table: for each the type, and a literal for each row.
struct PublicTable {
  std::vector<Field> fields;
  std::vector<std::vector<Literal>> columns;
};

// Two columns of one value (lowered.h). The first is missing if the value of the second is not a
// key. If the first is a group, it has Field::missing_key where the second is missing.
struct Twins {
  std::string name;
  std::string hidden;
  bool is_group = false;
};
struct Filter {
  ExpressionPtr predicate;
  // Whether later steps can assume that columns hold only values that pass (narrowing.h). True
  // under the second rules.
  bool narrows = false;
  std::vector<Twins> twins = {};
};
struct Mutate {
  std::string name;
  ExpressionPtr value;
  // Known facts about the values beyond those derived from the expression (lowered.h); else null.
  std::shared_ptr<const Field> known = nullptr;
  // Whether the column has only values that the expression gives (domains.h): so under the second
  // rules.
  bool narrows = false;
  std::vector<Twins> twins = {};
};
// Columns to keep, as pairs (new name, old name).
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
// A promise by the data owner about every possible table: facts about the groups of `by`.
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
    dropped,
    moment,
    effect,
    logit,
    poisson
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
                                               "dropped",
                                               "moment",
                                               "effect",
                                               "logit",
                                               "poisson"};
  // Rows equal to a candidate: `score` and `automatic` count them on neither side of it. `rank`
  // moves each row to its nearest candidate, and counts it on either side. New queries use `rank`.
  enum class Method : std::uint8_t { automatic, tree, score, rank };
  // Statistics for the errors of coefficients: the curvature, also squared slopes, or nothing.
  enum class Errors : std::uint8_t { classical, sandwich, none };
  std::string name;
  Kind kind;
  ExpressionPtr of;                       // but for count, ids, capped, dropped,
                                          // moments of indicators, and effects
  ExpressionPtr weights = nullptr;        // of rows: for counts, sums, means, quantiles, moments
  ExpressionPtr times = nullptr;          // the other factor of a moment
  std::vector<ExpressionPtr> cells = {};  // columns whose levels divide a moment or effect
  std::vector<ExpressionPtr> predictors = {};  // of a model that reads rows
  std::optional<std::pair<double, double>> bounds;
  double weight = 1;
  // At most one of these is given. Without either, aggregates share the remaining loss by weight.
  std::optional<double> scale, accuracy;
  std::uint32_t up_to = 1;            // dropped: rows of each person that count at most
  std::vector<double> probabilities;  // of quantiles
  std::vector<double> grid;           // candidates of quantiles, breaks of a histogram
  Method method = Method::automatic;
  Errors errors = Errors::classical;  // of a model that reads rows
};

struct Keys {
  enum class Kind : std::uint8_t { declared, table, threshold, select };
  Kind kind = Kind::declared;
  PublicTable table;
  double weight = 1;  // of threshold, select and suppress
  // For public keys: drops groups whose noisy number of people, or of rows, is below this.
  std::optional<std::uint32_t> suppress = std::nullopt;
};

// Arithmetic on aggregates, which is postprocessing. Names refer to aggregates.
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
