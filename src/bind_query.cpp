// Binds queries: reads statements from lists, returns measurements and their public properties.
#include <memory>
#include <string>

#include "boundary.h"
#include "core/expressions/typing.h"
#include "core/measurements/measurement.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/compile.h"
#include "core/query/expected.h"
#include "core/query/keys.h"
#include "core/query/lowered.h"
#include "core/query/noisy_components.h"
#include "core/query/schema.h"
#include "core/query/shares.h"
#include "core/query/table_cells.h"
#include "core/query/undeclared.h"
#include "core/query/unit_reach.h"
#include "core/random/bit_source.h"
#include "core/sql/column_rules.h"
#include "core/sql/engines/registry.h"
#include "r_objects.h"
#include "r_query.h"
#include "r_query_arrow.h"
#include "r_query_engine.h"
#include "r_query_rows.h"
#include "r_query_shards.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

using query::Contributions;
using query::Statement;

// Draws 128 bits of salt. One release uses the same salt for all rows; the next release draws a new
// one.
query::Salt fresh_salt() {
  query::Salt salt;
  for (std::uint8_t& byte : salt.bytes) byte = static_cast<std::uint8_t>(secure_bits().bits(8));
  return salt;
}

// Lowers the statement, which determines tallies and privacy loss. Columns keep their written
// names.
Statement lowered_from_r(const Rcpp::List& query) {
  const Statement written = statement_from_r(query);
  query::refuse_undeclared_values(written);            // before filters that leave no row
  query::fields_after(written.source, written.steps);  // refuses in the words of the query
  return query::lowered(written);
}

query::AggregationFunction counts_of(const Statement& statement) {
  return [statement](const std::vector<query::ExactAggregate>& tallies, const Value& data) {
    const auto* object = data.as<Opaque>();
    if (object == nullptr) throw Error(ErrorKind::failed_cast, "the data must be a data frame.");
    return tally_rows(kept(*object), statement, tallies, fresh_salt());
  };
}

SEXP amount_to_r(const query::Amount& amount) {
  return amount ? Rf_ScalarReal(static_cast<double>(*amount)) : R_NilValue;
}

Rcpp::List contributions_to_r(const Contributions& known) {
  Rcpp::List result;
  for (const query::Descriptor& each : known.descriptors()) {
    const std::vector<std::string> by(each.by.begin(), each.by.end());
    result.push_back(Rcpp::List::create(Rcpp::_["by"] = by,
                                        Rcpp::_["per_group"] = amount_to_r(each.per_group),
                                        Rcpp::_["num_groups"] = amount_to_r(each.num_groups)));
  }
  return result;
}

// Refuses columns that their aggregates do not take, as soon as the query is written.
void check_aggregates(const Statement& written) {
  const Statement statement = query::lowered(written);
  query::lower_aggregates(statement, query::fields_after(statement.source, statement.steps));
}

// Number of groups, if their keys are public.
query::Amount universe_of(const Statement& statement,
                          const std::vector<query::Field>& fields,
                          const Contributions& known) {
  try {
    const query::QueryKeys keys = query::keys_of(statement, fields, known);
    if (keys.source == query::KeySource::universe) return keys.universe.size();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::keys) throw;
  }
  return {};
}

SEXP bound_to_r(const query::Reach& reach) {
  if (!reach.bound) return R_NilValue;
  return Rcpp::NumericVector::create(
      Rcpp::_["l0"] = static_cast<double>(reach.bound->groups),
      Rcpp::_["l1"] = static_cast<double>(reach.bound->rows),
      Rcpp::_["linf"] = static_cast<double>(reach.bound->rows_per_group));
}

const char* cap_name(query::Cap cap) {
  if (cap == query::Cap::none) return "";
  return cap == query::Cap::rows ? "rows" : "groups";
}

// Returns a vector of `of(row)` for each row, with NA for NaN.
template <class Row, class Of>
Rcpp::NumericVector numbers_of(const std::vector<Row>& rows, Of of) {
  Rcpp::NumericVector numbers;
  for (const Row& row : rows) {
    const double number = of(row);
    numbers.push_back(number == number ? number : NA_REAL);
  }
  return numbers;
}

template <class Row, class Of>
Rcpp::CharacterVector texts_of(const std::vector<Row>& rows, Of of) {
  Rcpp::CharacterVector texts;
  for (const Row& row : rows) texts.push_back(of(row));
  return texts;
}

Rcpp::List preview_to_r(const std::vector<query::PreviewRow>& rows) {
  using Row = query::PreviewRow;
  const auto text = [&](std::string Row::*part) {
    return texts_of(rows, [&](const Row& row) { return row.*part; });
  };
  const auto number = [&](double Row::*part) {
    return numbers_of(rows, [&](const Row& row) { return row.*part; });
  };
  return Rcpp::List::create(Rcpp::_["column"] = text(&Row::column),
                            Rcpp::_["aggregate"] = text(&Row::aggregate),
                            Rcpp::_["part"] = text(&Row::part),
                            Rcpp::_["mechanism"] = text(&Row::mechanism),
                            Rcpp::_["scale"] = number(&Row::scale),
                            Rcpp::_["sensitivity"] = number(&Row::sensitivity),
                            Rcpp::_["accuracy"] = number(&Row::accuracy),
                            Rcpp::_["threshold"] = number(&Row::threshold),
                            Rcpp::_["share"] = number(&Row::share),
                            Rcpp::_["loss"] = number(&Row::loss),
                            Rcpp::_["delta"] = number(&Row::delta));
}

Rcpp::List events_to_r(const std::vector<query::PrivacyEvent>& events) {
  using Row = query::PrivacyEvent;
  const auto number = [&](auto of) { return numbers_of(events, of); };
  const auto whole = [&](std::uint64_t query::ContributionBound::*part) {
    return number([=](const Row& row) { return static_cast<double>(row.bound.*part); });
  };
  return Rcpp::List::create(
      Rcpp::_["column"] = texts_of(events, [](const Row& row) { return row.column; }),
      Rcpp::_["mechanism"] = texts_of(events, [](const Row& row) { return row.mechanism; }),
      Rcpp::_["l0"] = whole(&query::ContributionBound::groups),
      Rcpp::_["l1"] = whole(&query::ContributionBound::rows),
      Rcpp::_["linf"] = whole(&query::ContributionBound::rows_per_group),
      Rcpp::_["sensitivity"] = number([](const Row& row) { return row.sensitivity; }),
      Rcpp::_["scale"] = number([](const Row& row) { return row.scale; }),
      Rcpp::_["exponent"] = number([](const Row& row) { return row.exponent; }));
}

}  // namespace

// Describes the columns after all steps, the change that one neighbour can cause, and the missing
// cap: "rows", "groups" or "".
// [[Rcpp::export(rng = false)]]
SEXP core_query_fields(Rcpp::List query) {
  return guarded([&]() -> SEXP {
    const Statement statement = statement_from_r(query);
    query::refuse_undeclared_values(statement);
    const std::vector<query::Field> fields = query::fields_after(statement.source, statement.steps);
    const std::uint32_t unit = statement.source.unit.count;
    if (!statement.aggregates.empty()) check_aggregates(statement);
    const Contributions known = query::contributions_after(statement.source, statement.steps, unit);
    const query::Reach reach = known.rows(
        {{statement.by.begin(), statement.by.end()}, universe_of(statement, fields, known)});
    return Rcpp::List::create(Rcpp::_["fields"] = fields_to_r(fields),
                              Rcpp::_["contributions"] = contributions_to_r(known),
                              Rcpp::_["bound"] = bound_to_r(reach),
                              Rcpp::_["missing_cap"] = cap_name(reach.missing));
  });
}

// Says how each grouping column treats rows without a value: list(leave, are_group), each a logical
// vector with one element per column of `by`.
// [[Rcpp::export(rng = false)]]
SEXP core_query_missing_keys(Rcpp::List query) {
  return guarded([&]() -> SEXP {
    const Statement statement = lowered_from_r(query);
    const std::vector<query::Field> fields = query::fields_after(statement.source, statement.steps);
    Rcpp::LogicalVector leave, are_group;
    for (const query::MissingKeys& each : query::missing_keys_of(statement, fields)) {
      leave.push_back(each.leave);
      are_group.push_back(each.are_group);
    }
    return Rcpp::List::create(Rcpp::_["leave"] = leave, Rcpp::_["are_group"] = are_group);
  });
}

// The cells of columns in tables of counts, after the steps of the query: for each list(labels,
// gaps). A label is NA for rows without a value; `gaps` says whether rows without a value have no
// cell. Columns without levels or bounds have no labels.
// [[Rcpp::export(rng = false)]]
SEXP core_query_cells(Rcpp::List query, Rcpp::CharacterVector columns) {
  return guarded([&]() -> SEXP {
    const Statement statement = lowered_from_r(query);
    const std::vector<query::Field> fields = query::fields_after(statement.source, statement.steps);
    Rcpp::List result;
    for (const char* const name : columns) {
      const query::Field& field = fields[query::place_of(name, fields)];
      Rcpp::CharacterVector labels;
      for (const auto& label : query::labels_of_cells(field)) {
        labels.push_back(label ? Rcpp::String(*label, CE_UTF8) : Rcpp::String(NA_STRING));
      }
      result.push_back(
          Rcpp::List::create(Rcpp::_["labels"] = labels, Rcpp::_["gaps"] = field.may_be_missing));
    }
    return result;
  });
}

// Compiles a query to a measurement of data frames, with its privacy loss and its measured parts.
// [[Rcpp::export(rng = false)]]
SEXP core_query_compile(Rcpp::List query, Rcpp::List loss, SEXP alpha) {
  return guarded([&]() -> SEXP {
    const Statement statement = lowered_from_r(query);
    query::CompiledQuery compiled = query::compile(
        statement, loss_from_r(loss), Alpha(double_from_r(alpha, "alpha")), counts_of(statement));
    return Rcpp::List::create(
        Rcpp::_["measurement"] =
            measurement_to_r(std::make_shared<const Measurement>(std::move(compiled.measurement))),
        Rcpp::_["loss"] = loss_to_r(compiled.loss),
        Rcpp::_["preview"] = preview_to_r(compiled.preview),
        Rcpp::_["events"] = events_to_r(compiled.events));
  });
}

// Previews each output for hypothetical groups of `rows` rows: list(value, lower, upper, mark).
// Each vector holds the numbers of the first group, then those for the next.
// [[Rcpp::export(rng = false)]]
SEXP core_query_expected(Rcpp::List query, Rcpp::List loss, SEXP alpha, Rcpp::NumericVector rows) {
  return guarded([&]() -> SEXP {
    const query::QueryPlan plan(
        lowered_from_r(query), loss_from_r(loss), Alpha(double_from_r(alpha, "alpha")));
    std::vector<std::uint64_t> sizes;
    for (const double size : rows) sizes.push_back(static_cast<std::uint64_t>(size));
    Rcpp::List result;
    for (const query::Estimates& each : query::expected_estimates(plan, sizes)) {
      std::vector<int> marks;
      for (const query::Mark mark : each.marks) marks.push_back(static_cast<int>(mark));
      result.push_back(Rcpp::List::create(Rcpp::_["value"] = each.values,
                                          Rcpp::_["lower"] = each.lower,
                                          Rcpp::_["upper"] = each.upper,
                                          Rcpp::_["mark"] = marks));
    }
    return result;
  });
}

// Divides counts by their sum: list(value, lower, upper). A scale of 0 means no noise.
// [[Rcpp::export(rng = false)]]
SEXP core_query_shares(Rcpp::NumericVector counts, bool gaussian, double scale, SEXP alpha) {
  return guarded([&]() -> SEXP {
    std::optional<query::NoiseLaw> law;
    if (scale > 0) {
      law.emplace(gaussian ? query::NoiseKind::gaussian : query::NoiseKind::laplace, scale);
    }
    const query::Shares shares =
        query::shares_of({counts.begin(), counts.end()}, law, Alpha(double_from_r(alpha, "alpha")));
    return Rcpp::List::create(Rcpp::_["value"] = shares.values,
                              Rcpp::_["lower"] = shares.lower,
                              Rcpp::_["upper"] = shares.upper);
  });
}

// Finds the least loss that gives the named aggregates the requested accuracy. `measure` is a
// loss whose amount is ignored.
// [[Rcpp::export(rng = false)]]
SEXP core_query_solve(Rcpp::List query,
                      Rcpp::List measure,
                      Rcpp::NumericVector accuracy,
                      SEXP alpha) {
  return guarded([&]() -> SEXP {
    std::map<std::string, double> targets;
    const Rcpp::CharacterVector names = accuracy.names();
    for (R_xlen_t i = 0; i < accuracy.size(); ++i) {
      targets[Rcpp::as<std::string>(names[i])] = accuracy[i];
    }
    const query::Loss loss = query::solve(
        lowered_from_r(query), loss_from_r(measure), targets, Alpha(double_from_r(alpha, "alpha")));
    return Rcpp::List::create(Rcpp::_["loss"] = loss_to_r(loss));
  });
}

// Writes the SQL for an engine under a salt of zeros. If the engine cannot run the query, this
// fails with the same error as a release.
// [[Rcpp::export(rng = false)]]
SEXP core_query_sql(Rcpp::List query, SEXP engine) {
  return guarded([&]() -> SEXP {
    const Statement statement = lowered_from_r(query);
    const std::vector<query::Field> fields = query::fields_after(statement.source, statement.steps);
    const query::QueryComponents parts = query::lower_aggregates(statement, fields);
    query::Salt salt;
    salt.hash = query::Salt::Hash::sha256;
    return sql_to_r(
        sql_for_engine(engine, statement_for_engine(engine, statement, parts.tallies, salt)));
  });
}

namespace {

template <class E, std::size_t N>
E named_choice(SEXP object, const char* what, const char* const (&names)[N]) {
  const std::string chosen = string_from_r(object, what);
  for (std::size_t i = 0; i < N; ++i) {
    if (chosen == names[i]) return static_cast<E>(i);
  }
  throw Error(ErrorKind::failed_cast, std::string("`") + what + "` is not in the table.");
}

const char* name_of_reading(sql::ColumnRule::Reading reading) {
  using Reading = sql::ColumnRule::Reading;
  if (reading == Reading::refused) return "refused";
  return reading == Reading::by_rule ? "by a rule" : "as it is";
}

const sql::DataSource& data_source(SEXP source) {
  return sql::source_named(string_from_r(source, "source"));
}

Rcpp::String text_or_missing(const char* text) {
  return text == nullptr ? Rcpp::String(NA_STRING) : Rcpp::String(text);
}

}  // namespace

// Returns public facts about the kinds of aggregates (aggregates/aggregate_class.h).
// [[Rcpp::export(rng = false)]]
SEXP core_aggregates() {
  return guarded([&]() -> SEXP {
    using Row = query::AggregateRow;
    const std::vector<Row>& rows = query::aggregate_rows();
    Rcpp::LogicalVector weights;
    for (const Row& row : rows) weights.push_back(query::has_key(row, "weights"));
    return Rcpp::List::create(
        Rcpp::_["kind"] = texts_of(
            rows,
            [](const Row& row) {
              return std::string(query::Aggregate::kKindNames[static_cast<std::size_t>(row.kind)]);
            }),
        Rcpp::_["quantity"] = texts_of(
            rows,
            [](const Row& row) {
              return std::string(query::kQuantityNames[static_cast<std::size_t>(row.quantity)]);
            }),
        Rcpp::_["weights"] = weights);
  });
}

// Returns the places where private tables can be, whether they are engines, and whether they count.
// [[Rcpp::export(rng = false)]]
SEXP core_data_sources() {
  return guarded([&]() -> SEXP {
    const std::vector<const sql::DataSource*>& rows = sql::data_sources();
    Rcpp::LogicalVector engine;
    Rcpp::LogicalVector counts;
    for (const sql::DataSource* source : rows) {
      engine.push_back(source->conversion_place() != nullptr);
      counts.push_back(source->dialect() != nullptr);
    }
    const auto name = [](const sql::DataSource* source) { return std::string(source->name()); };
    return Rcpp::List::create(Rcpp::_["name"] = texts_of(rows, name),
                              Rcpp::_["engine"] = engine,
                              Rcpp::_["counts"] = counts);
  });
}

// Returns the table of column rules (column_rules.h).
// [[Rcpp::export(rng = false)]]
SEXP core_column_rules() {
  return guarded([&]() -> SEXP {
    using Row = sql::ColumnRule;
    const std::vector<Row>& rows = sql::column_rules();
    return Rcpp::List::create(
        Rcpp::_["source"] =
            texts_of(rows, [](const Row& row) { return std::string(row.source->name()); }),
        Rcpp::_["column"] = texts_of(rows, [](const Row& row) { return row.column; }),
        Rcpp::_["kind"] = texts_of(rows, [](const Row& row) { return row.kind; }),
        Rcpp::_["declaration"] = texts_of(
            rows,
            [](const Row& row) {
              return std::string(sql::kDeclarationNames[static_cast<std::size_t>(row.declaration)]);
            }),
        Rcpp::_["reading"] = texts_of(
            rows, [](const Row& row) { return std::string(name_of_reading(row.reading)); }),
        Rcpp::_["how"] = texts_of(rows, [](const Row& row) { return row.how; }));
  });
}

// Returns one cell of the table.
// [[Rcpp::export(rng = false)]]
SEXP core_column_rule(SEXP source, SEXP column, SEXP declaration) {
  return guarded([&]() -> SEXP {
    const sql::ColumnRule& rule = sql::column_rule(
        data_source(source),
        string_from_r(column, "column"),
        named_choice<sql::Declaration>(declaration, "declaration", sql::kDeclarationNames));
    return Rcpp::List::create(Rcpp::_["kind"] = rule.kind,
                              Rcpp::_["reading"] = name_of_reading(rule.reading),
                              Rcpp::_["how"] = rule.how,
                              Rcpp::_["place"] = text_or_missing(rule.source->conversion_place()),
                              Rcpp::_["seconds"] = text_or_missing(rule.source->day_of_seconds()));
  });
}

// Maps an engine's column types to the kinds they are read as; NA if a type is not supported.
// [[Rcpp::export(rng = false)]]
SEXP core_engine_kinds(SEXP source, SEXP types) {
  return guarded([&]() -> SEXP {
    const sql::DataSource& engine = data_source(source);
    Rcpp::CharacterVector kinds;
    for (const std::string& type : strings_from_r(types, "types")) {
      const auto kind = sql::kind_of_engine_type(engine, type);
      kinds.push_back(kind ? Rcpp::String(*kind) : Rcpp::String(NA_STRING));
    }
    return kinds;
  });
}

// Maps an engine's types to their names in the table.
// [[Rcpp::export(rng = false)]]
SEXP core_engine_type(SEXP source, SEXP type) {
  return guarded([&]() -> SEXP {
    return Rcpp::wrap(sql::name_of_engine_type(data_source(source), string_from_r(type, "type")));
  });
}

// Says how each column of a data frame is read. Does not read any element.
// [[Rcpp::export(rng = false)]]
SEXP core_frame_kinds(Rcpp::List frame) {
  return guarded([&]() -> SEXP { return Rcpp::wrap(frame_kinds_from_r(frame)); });
}

// Says how an Arrow stream stores the columns of these names.
// [[Rcpp::export(rng = false)]]
SEXP core_arrow_kinds(SEXP stream, SEXP names) {
  return guarded([&]() -> SEXP {
    return Rcpp::wrap(arrow_kinds_from_r(stream, strings_from_r(names, "names")));
  });
}

// Quotes the parts of a table's path for the engine.
// [[Rcpp::export(rng = false)]]
SEXP core_engine_path(SEXP engine, SEXP path) {
  return guarded([&]() -> SEXP { return sql_to_r(engine_path_from_r(engine, path)); });
}
