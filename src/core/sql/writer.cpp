#include "core/sql/writer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/numeric/int128.h"
#include "core/query/per_unit_sink.h"
#include "core/query/pipeline.h"
#include "core/query/schema.h"
#include "core/query/truncate_sink.h"
#include "core/sql/bare_columns.h"
#include "core/sql/expression.h"
#include "core/sql/people.h"
#include "core/sql/trees.h"

namespace dp::sql {
namespace {

using query::ExactAggregate;
using query::Quantiser;
using query::RowStep;

constexpr std::size_t kMostJoined = 10000;  // rows of a public table that a statement carries
constexpr const char* kNothing = "'-'";     // no key, and in columns that a branch has no use for

std::string hexadecimal_salt(const query::Salt& salt) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : salt.bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

class StatementWriter {
 public:
  StatementWriter(const Dialect& dialect,
                  const query::Statement& statement,
                  const std::vector<ExactAggregate>& tallies,
                  const EngineTable& table,
                  const query::Salt& salt)
      : dialect_(dialect),
        statement_(statement),
        tallies_(tallies),
        table_(table),
        rows_(without_rows(table)),
        pipeline_(statement, tallies, rows_, salt, 64),
        chain_(dialect),
        people_{chain_, {}, hexadecimal_salt(salt)} {}

  WrittenStatement write() {
    read_table();
    const auto& stages = pipeline_.stages();
    for (std::size_t s = 0; s < stages.size(); ++s) {
      for (const RowStep& step : stages[s].segment.steps()) add_step(step);
      if (s + 1 < stages.size()) add_meeting(s);
    }
    return counted();
  }

 private:
  const EngineColumn& engine_column(const std::string& name) const {
    for (const EngineColumn& column : table_.columns) {
      if (column.name == name) return column;
    }
    throw Error(ErrorKind::source, "the data have no column `" + name + "`.");
  }

  void read_table() {
    const auto& fields = statement_.source.fields;
    const query::Unit& unit = statement_.source.unit;
    std::vector<SqlColumn> read;
    if (unit.kind == query::Unit::Kind::id) {
      for (const std::string& name : unit.id)
        read.push_back(id_value(dialect_, engine_column(name)));
    }
    const std::size_t ids = read.size();
    const std::vector<std::size_t> places = pipeline_.columns_read();
    const std::set<std::size_t> bare = only_on_lattices(pipeline_, fields);
    for (const std::size_t place : places) {
      const EngineColumn& column = engine_column(data_column(fields[place]));
      const auto number = bare_number(dialect_, fields[place], column);
      read.push_back(number && bare.count(place) > 0
                         ? *number
                         : declared_value(dialect_, fields[place], column));
    }
    const std::vector<SqlColumn> made = chain_.read(quoted_path(dialect_, table_), read);
    columns_.resize(fields.size());
    for (std::size_t i = 0; i < places.size(); ++i) columns_[places[i]] = made[ids + i];
    people_.ids.assign(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(ids));
    std::string there;
    for (const SqlColumn& id : people_.ids) {
      there += (there.empty() ? "" : " AND ") + id.name + " IS NOT NULL";
    }
    if (!there.empty()) chain_.keep(there);
  }

  void put(std::size_t place, const SqlColumn& column) {
    if (columns_.size() <= place) columns_.resize(place + 1);
    columns_[place] = column;
  }

  void add_step(const RowStep& step) {
    switch (step.kind) {
      case RowStep::Kind::filter:
        chain_.keep(written(*step.expression).name);
        return;
      case RowStep::Kind::mutate:
        put(step.place, chain_.named(written(*step.expression)));
        return;
      case RowStep::Kind::select:
        select(step);
        return;
      case RowStep::Kind::join:
        join(step);
        return;
      case RowStep::Kind::quantise:
        quantise(step);
    }
  }

  SqlColumn written(const query::Bound& expression) {
    return written_value(expression, columns_, pipeline_.texts(), chain_);
  }

  void select(const RowStep& step) {
    Columns chosen;
    for (const std::size_t source : step.sources) {
      chosen.push_back(source < columns_.size() ? columns_[source] : std::nullopt);
    }
    columns_ = std::move(chosen);
  }

  // Truth values are 0 and 1 on a lattice.
  void quantise(const RowStep& step) {
    SqlColumn x = chain_.named(written(*step.expression));
    if (x.form == Form::truth) {
      x = chain_.add("CASE WHEN " + x.name + " THEN " + whole_literal(1) + " WHEN NOT " + x.name +
                         " THEN " + whole_literal(0) + " END",
                     Form::whole);
    }
    put(step.place, chain_.add(quantised_value(dialect_, x, step.quantiser), Form::whole));
  }

  // Joins.

  std::string cell(const query::Field& type, std::int64_t whole, double real) const {
    return literal_value(dialect_, type, whole, real, pipeline_.texts());
  }

  // One row per match of a key, or per key if only the existence of a match counts. The last column
  // marks a match. An empty table gets one row that nothing matches.
  std::vector<std::vector<std::string>> joined_rows(const query::JoinTable& join,
                                                    const std::vector<query::Field>& fields,
                                                    bool only_keys) const {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t key = 0; key < join.keys.size(); ++key) {
      std::vector<std::string> head;
      for (std::size_t k = 0; k < join.own_keys.size(); ++k) {
        head.push_back(
            cell(join.own_keys[k]->type, query::whole_in_word(join.keys.tuple(key)[k]), 0));
      }
      const std::size_t matches = only_keys ? 1 : join.rows[key].size();
      for (std::size_t m = 0; m < matches; ++m) {
        std::vector<std::string> row = head;
        for (std::size_t c = 0; c < join.columns.size() && !only_keys; ++c) {
          const std::size_t at = join.rows[key][m];
          row.push_back(join.real[c] ? cell(fields[c], 0, join.columns[c].reals[at])
                                     : cell(fields[c], join.columns[c].wholes[at], 0));
        }
        row.push_back(whole_literal(1));
        rows.push_back(std::move(row));
      }
    }
    if (rows.empty()) {
      rows.emplace_back();
      for (const query::BoundPtr& key : join.own_keys) {
        rows[0].push_back(dialect_.no_value(form_of(key->type)));
      }
      for (std::size_t c = 0; c < join.columns.size() && !only_keys; ++c) {
        rows[0].push_back(dialect_.no_value(form_of(fields[c])));
      }
      rows[0].push_back(whole_literal(1));
    }
    return rows;
  }

  void join(const RowStep& step) {
    using How = query::JoinPublic::How;
    const query::JoinTable& join = *step.join;
    const bool only_keys = join.how == How::semi || join.how == How::anti;
    std::vector<SqlColumn> keys;
    for (const query::BoundPtr& key : join.own_keys) keys.push_back(chain_.named(written(*key)));
    const std::vector<query::Field> fields = joined_fields(step);
    const auto rows = joined_rows(join, fields, only_keys);
    if (rows.size() > kMostJoined) {
      throw Error(ErrorKind::unsupported,
                  "a public table that is joined in the engine itself has at most 10000 rows.");
    }
    const std::string table = chain_.table(rows, rows[0].size());
    std::string on = join.how == How::inner || join.how == How::semi ? "JOIN " : "LEFT JOIN ";
    on += table + " AS r ON ";
    for (std::size_t k = 0; k < keys.size(); ++k) {
      on += (k > 0 ? " AND l." : "l.") + keys[k].name + " = r.a" + std::to_string(k);
    }
    std::vector<SqlColumn> added;
    for (std::size_t c = 0; c < fields.size() && !only_keys; ++c) {
      added.push_back({"r.a" + std::to_string(keys.size() + c), form_of(fields[c])});
    }
    added.push_back({"r.a" + std::to_string(rows[0].size() - 1), Form::whole});
    const std::vector<SqlColumn> made = chain_.join(on, added);
    if (join.how == How::anti) chain_.keep(made.back().name + " IS NULL");
    for (std::size_t c = 0; c + 1 < made.size(); ++c) put(step.place + c, made[c]);
  }

  // Fields of the columns that the join adds, after the existing columns.
  std::vector<query::Field> joined_fields(const RowStep& step) const {
    const auto& fields = pipeline_.stages()[stage_].segment.fields();
    const auto begin = fields.begin() + static_cast<std::ptrdiff_t>(step.place);
    return {begin, begin + static_cast<std::ptrdiff_t>(step.join->columns.size())};
  }

  // People.

  void add_meeting(std::size_t s) {
    const auto& stages = pipeline_.stages();
    const std::vector<query::Field>& fields = stages[s].segment.fields();
    const query::Step& meeting = pipeline_.meetings()[s];
    if (const auto* caps = std::get_if<query::Truncate>(&meeting)) {
      const auto& sink = static_cast<const query::TruncateSink&>(*stages[s].sink);
      truncate_rows(people_, *caps, sink, fields, pipeline_.texts(), columns_);
    } else {
      const auto& unit = std::get<query::PerUnit>(meeting);
      const std::vector<query::Field> made = query::fields_after_step(fields, meeting);
      total_rows(people_, unit, fields, made, stages[s].segment.texts(), columns_);
    }
    stage_ = s + 1;
  }

  // Counts.

  // Rows without a key are a group, too, which ingest.h drops. Filtering them out first
  // would make an engine evaluate the key of each row twice.
  std::string key_out(std::size_t k) const {
    const SqlColumn& key = *columns_[pipeline_.plan().by[k]];
    const auto or_nothing = [](const std::string& text) {
      return "COALESCE(" + text + ", " + kNothing + ")";
    };
    if (key.form == Form::bytes) return or_nothing(dialect_.bytes_out(key.name));
    if (key.form == Form::whole) return or_nothing(dialect_.whole_out(key.name));
    return or_nothing("CASE WHEN " + key.name + " THEN '1' WHEN NOT " + key.name + " THEN '0' END");
  }

  // The first row of each person in each group has number 1.
  void number_people() {
    std::string by;
    for (const SqlColumn& id : people_.ids) by += (by.empty() ? "" : ", ") + id.name;
    for (const std::size_t place : pipeline_.plan().by) by += ", " + columns_[place]->name;
    person_ = chain_
                  .add("row_number() OVER (PARTITION BY " + by + " ORDER BY " +
                           people_.ids[0].name + " ASC)",
                       Form::whole)
                  .name;
  }

  std::string scalar(const query::CountingLayout::One& one, const ExactAggregate& tally) {
    const auto number = [&](const std::string& count) { return dialect_.whole_out(count); };
    if (one.weights) return weighted(one, tally);
    if (one.kind == ExactAggregate::Kind::rows) return number("COUNT(*)");
    if (one.kind == ExactAggregate::Kind::ids) {
      return number("COUNT(CASE WHEN " + person_ + " = 1 THEN 1 END)");
    }
    if (one.kind == ExactAggregate::Kind::dropped) {
      const std::string most = whole_literal(one.up_to);
      const std::string& d = people_.dropped;
      return dialect_.sum_out("(CASE WHEN " + person_ + " = 1 THEN CASE WHEN " + d + " < " + most +
                                  " THEN " + d + " ELSE " + most + " END END)",
                              one.up_to);
    }
    const std::string& x = columns_[one.place]->name;
    const std::int64_t most = std::max(-tally.quantiser.least, tally.quantiser.most);
    switch (one.kind) {
      case ExactAggregate::Kind::missing:
        return number("COUNT(*) - COUNT(" + x + ")");
      case ExactAggregate::Kind::present:
        return number("COUNT(" + x + ")");
      case ExactAggregate::Kind::distinct:
        return number("COUNT(DISTINCT " + x + ")");
      case ExactAggregate::Kind::points:
        throw Error(ErrorKind::unsupported,
                    "this model reads rows, and an engine returns only counts and sums. Leave out "
                    "`rows = \"stay\"`, so that R can read them.");
      case ExactAggregate::Kind::squares:
        if (most > std::int64_t{1} << 31) {
          throw Error(ErrorKind::unsupported, "squares in an engine are of points within 2^31.");
        }
        return dialect_.sum_out("(" + x + " * " + x + ")", most * most);
      default:
        return dialect_.sum_out(x, most);
    }
  }

  // Sums of w, over all rows or over rows with a value, and sums of w x.
  std::string weighted(const query::CountingLayout::One& one, const ExactAggregate& tally) {
    const std::string& w = columns_[*one.weights]->name;
    const std::int64_t most = tally.weights.points.most;
    if (one.kind == ExactAggregate::Kind::rows) return dialect_.sum_out(w, most);
    const std::string& x = columns_[one.place]->name;
    if (one.kind == ExactAggregate::Kind::present) {
      return dialect_.sum_out("(CASE WHEN " + x + " IS NOT NULL THEN " + w + " END)", most);
    }
    const Quantiser& q = tally.quantiser;
    return dialect_.sum_out("(" + w + " * " + x + ")", most * std::max(-q.least, q.most));
  }

  WrittenStatement counted() {
    ResultLayout layout;
    layout.by = pipeline_.plan().by_fields;
    const auto& plan = pipeline_.plan().tallies;
    for (std::size_t t = 0; t < plan.size(); ++t) {
      (plan[t].kind == ExactAggregate::Kind::bins ? layout.grids : layout.scalars).push_back(t);
    }
    const bool has_people =
        std::any_of(tallies_.begin(), tallies_.end(), [](const ExactAggregate& t) {
          return counts_people(t.kind);
        });
    if (has_people) number_people();
    layout.values = std::max<std::size_t>(1 + layout.scalars.size(), layout.grids.empty() ? 1 : 2);
    std::vector<std::string> values{dialect_.whole_out("COUNT(*)")};
    for (const std::size_t t : layout.scalars) values.push_back(scalar(plan[t], tallies_[t]));
    std::string text = branch(0, layout, values, "", "");
    std::vector<SqlColumn> bins;
    for (const std::size_t t : layout.grids) bins.push_back({bin_of(plan[t]), Form::whole});
    bins = chain_.add(bins);
    for (std::size_t g = 0; g < layout.grids.size(); ++g) {
      const auto& one = plan[layout.grids[g]];
      const std::string& bin = bins[g].name;
      std::string there = " WHERE " + columns_[one.place]->name + " IS NOT NULL";
      std::string count = dialect_.whole_out("COUNT(*)");
      if (one.weights) {
        const std::string& w = columns_[*one.weights]->name;
        there += " AND " + w + " IS NOT NULL";
        count = dialect_.sum_out(w, tallies_[layout.grids[g]].weights.points.most);
      }
      text += "\nUNION ALL\n" + branch(g + 1, layout, {dialect_.whole_out(bin), count}, there, bin);
    }
    std::string sql = chain_.text() + "\n" + text;
    check_length();
    return {std::move(sql), people_.salt, std::move(layout)};
  }

  // Found before the charge, not by the engine after it.
  void check_length() const {
    if (chain_.links() <= dialect_.most_links()) return;
    throw Error(ErrorKind::unsupported,
                std::string("a statement in ") + dialect_.name() + " has at most " +
                    std::to_string(dialect_.most_links()) +
                    " steps that follow each other, and this query needs " +
                    std::to_string(chain_.links()) + ". Compute fewer columns from each other.");
  }

  // Points without gaps, such as the cells of a table, are counted off. An engine that copies `x`
  // into each comparison could not plan a comparison with each of thousands.
  std::string bin_of(const query::CountingLayout::One& one) const {
    const std::string& x = columns_[one.place]->name;
    const std::int64_t first = one.grid.front();
    const std::int64_t last = one.grid.back();
    const auto size = static_cast<std::int64_t>(one.grid.size());
    if (size > 2 && static_cast<int128_t>(last) - first == size - 1) {
      return "CASE WHEN " + x + " < " + digits(first) + " THEN " + whole_literal(0) + " WHEN " + x +
             " > " + digits(last) + " THEN " + whole_literal(2 * size) + " ELSE 2 * (" + x + " - " +
             whole_literal(first) + ") + 1 END";
    }
    std::vector<std::string> points;
    for (const std::int64_t point : one.grid) points.push_back(digits(point));
    const auto bin = [](std::size_t number) {
      return whole_literal(static_cast<std::int64_t>(number));
    };
    return looked_up(
        x,
        points,
        [&](std::size_t i) { return bin(2 * i + 1); },
        [&](std::size_t i) { return bin(2 * i); });
  }

  std::string branch(std::size_t number,
                     const ResultLayout& layout,
                     std::vector<std::string> values,
                     const std::string& where,
                     const std::string& bin) {
    std::string list = "'" + std::to_string(number) + "' AS branch";
    std::string by;
    for (std::size_t k = 0; k < layout.by.size(); ++k) {
      list += ", " + key_out(k) + " AS k" + std::to_string(k);
      by += (by.empty() ? "" : ", ") + columns_[pipeline_.plan().by[k]]->name;
    }
    if (!bin.empty()) by += (by.empty() ? "" : ", ") + bin;
    values.resize(layout.values, kNothing);
    for (std::size_t v = 0; v < values.size(); ++v)
      list += ", " + values[v] + " AS v" + std::to_string(v);
    return "SELECT " + list + " FROM " + chain_.current() + where +
           (by.empty() ? "" : " GROUP BY " + by);
  }

  const Dialect& dialect_;
  const query::Statement& statement_;
  const std::vector<ExactAggregate>& tallies_;
  const EngineTable& table_;
  query::QueryRows rows_;
  query::Pipeline pipeline_;
  Chain chain_;
  PeopleRows people_;
  Columns columns_;
  std::size_t stage_ = 0;
  std::string person_;
};

}  // namespace

WrittenStatement write_sql(const Dialect& dialect,
                           const query::Statement& statement,
                           const std::vector<ExactAggregate>& tallies,
                           const EngineTable& table,
                           const query::Salt& salt) {
  return StatementWriter(dialect, statement, tallies, table, salt).write();
}

}  // namespace dp::sql
