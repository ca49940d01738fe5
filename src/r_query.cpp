#include "r_query.h"

#include <cmath>
#include <utility>

#include "boundary.h"
#include "core/limits.h"
#include "core/query/cell_classes.h"
#include "core/query/shards.h"
#include "r_query_expressions.h"
#include "r_query_lists.h"

namespace dp::r {
namespace {

using namespace dp::query;  // NOLINT: this file speaks its language

// Columns.

std::int64_t declared_whole(double bound, bool is_lower) {
  if (!(std::fabs(bound) <= kMostDeclared)) {
    throw Error(ErrorKind::domain, "bounds of whole numbers must be within +-2^51.");
  }
  return static_cast<std::int64_t>(is_lower ? std::ceil(bound) : std::floor(bound));
}

void set_bounds(const Rcpp::List& column, Field& field) {
  const auto lower = number_at(column, "lower");
  const auto upper = number_at(column, "upper");
  if (!lower && !upper) return;
  if (!lower || !upper || !(*lower <= *upper) || !std::isfinite(*lower) || !std::isfinite(*upper)) {
    throw Error(ErrorKind::domain,
                "the bounds of `" + field.name + "` must be two finite numbers in order.");
  }
  if (field.type == FieldType::real) {
    field.reals = {*lower, *upper};
  } else {
    field.wholes = {declared_whole(*lower, true), declared_whole(*upper, false)};
  }
}

Missing missing_at(const Rcpp::List& column) {
  const SEXP object = element(column, "missing");
  if (Rf_isNull(object)) return {};
  if (TYPEOF(object) != STRSXP) return {Missing::Policy::value, number_in(object, "missing")};
  const std::string policy = text_at(column, "missing");
  if (policy == "group") return {Missing::Policy::group, 0};
  if (policy == "row") return {Missing::Policy::row, 0};
  return {choice_at<Missing::Policy>(column, "missing", {"drop", "midpoint"}), 0};
}

Field::Encoding encoding_at(const Rcpp::List& column) {
  if (Rf_isNull(element(column, "encoding"))) return Field::Encoding::utf8;
  return choice_at<Field::Encoding>(
      column, "encoding", {"UTF-8", "latin1", "latin9", "windows-1252"});
}

void set_codes(const Rcpp::List& column, Field& field) {
  const SEXP codes = element(column, "na");
  if (TYPEOF(codes) == STRSXP) {
    field.na_texts = texts_at(column, "na");
  } else {
    field.na = numbers_at(column, "na");
  }
}

Field declared_from_r(const Rcpp::List& column) {
  Field field;
  field.name = text_at(column, "name");
  field.type = type_at(column);
  field.missing = missing_at(column);
  set_codes(column, field);
  field.encoding = encoding_at(column);
  if (field.type == FieldType::logical) {
    field.wholes = {0, 1};
  } else if (field.type == FieldType::levels) {
    field.levels = texts_at(column, "levels");
    field.whole_levels = flag_at(column, "whole");
    field.level_codes = numbers_at(column, "codes");
    if (!field.level_codes.empty() && field.level_codes.size() != field.levels.size()) {
      refuse_query("codes");
    }
    if (field.levels.size() > limits::kCells) {
      throw Error(ErrorKind::domain,
                  "`" + field.name + "` must have at most " + std::to_string(limits::kCells) +
                      " levels, not " + std::to_string(field.levels.size()) + ".");
    }
    if (field.levels.empty()) {
      throw Error(ErrorKind::domain, "`" + field.name + "` must have a level.");
    }
    field.wholes = {0, static_cast<std::int64_t>(field.levels.size()) - 1};
  } else if (field.type != FieldType::text) {
    set_bounds(column, field);
  }
  return field;
}

// A column of the data, or of the classes of one.
Field field_from_r(const Rcpp::List& column) {
  Field field = declared_from_r(column);
  if (Rf_isNull(element(column, "classes"))) return field;
  const std::string name = std::exchange(field.name, text_at(column, "classes"));
  return classes_of(std::move(field), name);
}

// A query without the field `rules` has the first rules.
Rules rules_from_r(const Rcpp::List& query) {
  const double rules = number_at(query, "rules").value_or(1);
  if (rules > static_cast<double>(kNewestRules)) {
    throw Error(ErrorKind::unsupported,
                "this query follows rules of a later version of the package. Install the version "
                "that wrote it, or a later one.");
  }
  if (rules != 1 && rules != 2) refuse_query("rules");
  return static_cast<Rules>(rules);
}

Source source_from_r(const Rcpp::List& list) {
  Source source;
  for (const SEXP column : list_at(list, "columns")) {
    source.fields.push_back(field_from_r(list_in(column, "columns")));
  }
  const Rcpp::List unit = list_at(list, "unit");
  source.unit.kind = choice_at<Unit::Kind>(unit, "kind", {"rows", "changes", "id"});
  source.unit.id = texts_at(unit, "id");
  source.unit.count = count_at(unit, "count").value_or(1);
  if (source.unit.count == 0 || (source.unit.kind == Unit::Kind::id && source.unit.id.empty())) {
    refuse_query("unit");
  }
  source.unit.shards = count_at(unit, "shards").value_or(1);
  const bool one_person_in_several = source.unit.shards > 1;
  if (source.unit.shards == 0 || source.unit.shards > kMostShards ||
      (one_person_in_several && source.unit.kind != Unit::Kind::id)) {
    refuse_query("shards");
  }
  return source;
}

// Steps.

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_at(const Rcpp::List& list, const char* first, const char* second) {
  const auto a = texts_at(list, first);
  const auto b = texts_at(list, second);
  if (a.size() != b.size()) refuse_query(first);
  Pairs pairs;
  for (std::size_t i = 0; i < a.size(); ++i) pairs.emplace_back(a[i], b[i]);
  return pairs;
}

Step join_from_r(const Rcpp::List& list) {
  JoinPublic join;
  join.how = choice_at<JoinPublic::How>(list, "how", {"left", "inner", "semi", "anti"});
  join.by = pairs_at(list, "private", "public");
  join.table = table_at(list);
  return join;
}

Step per_unit_from_r(const Rcpp::List& list, Rules rules) {
  PerUnit step;
  step.narrows = rules != Rules::first;
  step.by = texts_at(list, "by");
  for (const SEXP each : list_at(list, "values")) {
    const Rcpp::List value = list_in(each, "values");
    step.values.push_back({text_at(value, "name"),
                           choice_at<PerUnitValue::Kind>(
                               value, "fun", {"rows", "sum", "least", "most", "any", "all"}),
                           expression_at(value, "of")});
  }
  return step;
}

Step truncate_from_r(const Rcpp::List& list) {
  Truncate step;
  step.by = texts_at(list, "by");
  step.rows = count_at(list, "rows");
  step.groups = count_at(list, "groups");
  step.rows_per_group = count_at(list, "rows_per_group");
  step.keep = choice_at<Truncate::Keep>(list, "keep", {"random", "first", "last"});
  step.order = expression_at(list, "order");
  return step;
}

Step margin_from_r(const Rcpp::List& list) {
  Margin step;
  step.by = texts_at(list, "by");
  step.keys_are_public = flag_at(list, "keys");
  step.lengths_are_public = flag_at(list, "lengths");
  step.most_groups = count_at(list, "max_groups");
  step.most_rows = count_at(list, "max_rows");
  return step;
}

Step step_from_r(const Rcpp::List& list, Rules rules) {
  const std::string kind = text_at(list, "step");
  if (kind == "filter") {
    return Filter{needed_expression(list, "predicate"), rules != Rules::first};
  }
  if (kind == "mutate") {
    return Mutate{
        text_at(list, "name"), needed_expression(list, "value"), nullptr, rules != Rules::first};
  }
  if (kind == "select") return Select{pairs_at(list, "names", "columns")};
  if (kind == "join") return join_from_r(list);
  if (kind == "per_unit") return per_unit_from_r(list, rules);
  if (kind == "truncate") return truncate_from_r(list);
  if (kind == "margin") return margin_from_r(list);
  refuse_query("step");
}

// Aggregates and outputs.

Aggregate aggregate_from_r(const Rcpp::List& list) {
  Aggregate aggregate;
  aggregate.name = text_at(list, "name");
  aggregate.kind = choice_at<Aggregate::Kind>(list, "fun", Aggregate::kKindNames);
  aggregate.of = expression_at(list, "of");
  aggregate.weights = expression_at(list, "weights");
  aggregate.times = expression_at(list, "times");
  aggregate.cells = expressions_at(list, "cells");
  aggregate.predictors = expressions_at(list, "predictors");
  aggregate.up_to = count_at(list, "up_to").value_or(1);
  const std::vector<double> bounds = numbers_at(list, "bounds");
  if (!bounds.empty() && bounds.size() != 2) refuse_query("bounds");
  if (!bounds.empty()) aggregate.bounds = {bounds[0], bounds[1]};
  aggregate.weight = number_at(list, "weight").value_or(1);
  aggregate.scale = number_at(list, "scale");
  aggregate.accuracy = number_at(list, "accuracy");
  aggregate.probabilities = numbers_at(list, "probabilities");
  aggregate.grid = numbers_at(list, "grid");
  if (aggregate.grid.size() > limits::kCells) {
    throw Error(ErrorKind::domain,
                "`" + aggregate.name + "` must have at most " + std::to_string(limits::kCells) +
                    " points, not " + std::to_string(aggregate.grid.size()) + ".");
  }
  if (!Rf_isNull(element(list, "method"))) {
    aggregate.method =
        choice_at<Aggregate::Method>(list, "method", {"automatic", "tree", "score", "rank"});
  }
  if (!Rf_isNull(element(list, "errors"))) {
    aggregate.errors =
        choice_at<Aggregate::Errors>(list, "errors", {"classical", "sandwich", "none"});
  }
  return aggregate;
}

Keys keys_from_r(const Rcpp::List& list) {
  Keys keys;
  if (list.size() == 0) return keys;
  keys.kind = choice_at<Keys::Kind>(list, "kind", {"declared", "table", "threshold", "select"});
  keys.table = table_at(list);
  keys.weight = number_at(list, "weight").value_or(1);
  keys.suppress = count_at(list, "suppress");
  return keys;
}

}  // namespace

Statement statement_from_r(const Rcpp::List& query) {
  Statement statement;
  statement.source = source_from_r(list_at(query, "source"));
  statement.source.rules = rules_from_r(query);
  for (const SEXP step : list_at(query, "steps")) {
    statement.steps.push_back(step_from_r(list_in(step, "steps"), statement.source.rules));
  }
  statement.by = texts_at(query, "by");
  statement.keys = keys_from_r(list_at(query, "keys"));
  for (const SEXP aggregate : list_at(query, "aggregates")) {
    statement.aggregates.push_back(aggregate_from_r(list_in(aggregate, "aggregates")));
  }
  std::size_t calls_left = limits::kPartsOfCode;
  for (const SEXP output : list_at(query, "outputs")) {
    const Rcpp::List list = list_in(output, "outputs");
    statement.outputs.push_back(
        {text_at(list, "name"), needed_expression(list, "value", calls_left)});
  }
  return statement;
}

Loss loss_from_r(const Rcpp::List& loss) {
  const auto epsilon = number_at(loss, "epsilon");
  const auto rho = number_at(loss, "rho");
  if (epsilon.has_value() == rho.has_value()) {
    throw Error(ErrorKind::budget, "a loss is either `epsilon` or `rho`.");
  }
  return {rho.has_value(), rho ? *rho : *epsilon, number_at(loss, "delta").value_or(0)};
}

Rcpp::List loss_to_r(const Loss& loss) {
  return loss.concentrated
             ? Rcpp::List::create(Rcpp::_["rho"] = loss.amount, Rcpp::_["delta"] = loss.delta)
             : Rcpp::List::create(Rcpp::_["epsilon"] = loss.amount, Rcpp::_["delta"] = loss.delta);
}

namespace {

std::vector<std::string> levels_left(const Field& field) {
  if (!field.places) return field.levels;
  std::vector<std::string> left;
  for (const std::int64_t place : *field.places) {
    left.push_back(field.levels[static_cast<std::size_t>(place)]);
  }
  return left;
}

}  // namespace

Rcpp::List fields_to_r(const std::vector<Field>& fields) {
  Rcpp::List result;
  for (const Field& field : fields) {
    double lower = NA_REAL;
    double upper = NA_REAL;
    if (field.reals) std::tie(lower, upper) = *field.reals;
    if (field.wholes && field.type != FieldType::levels) {
      lower = static_cast<double>(field.wholes->first);
      upper = static_cast<double>(field.wholes->second);
    }
    SEXP levels = R_NilValue;
    const Rcpp::RObject held =
        field.type == FieldType::levels ? Rcpp::wrap(levels_left(field)) : levels;
    result.push_back(
        Rcpp::List::create(Rcpp::_["name"] = field.name,
                           Rcpp::_["type"] = kFieldTypeNames[static_cast<std::size_t>(field.type)],
                           Rcpp::_["lower"] = lower,
                           Rcpp::_["upper"] = upper,
                           Rcpp::_["levels"] = held,
                           Rcpp::_["whole"] = field.whole_levels,
                           Rcpp::_["may_be_missing"] = field.may_be_missing));
  }
  return result;
}

}  // namespace dp::r
