#include "core/table/derived_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/error.h"
#include "core/expressions/evaluate.h"
#include "core/expressions/promote.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"
#include "core/table/each_cell.h"
#include "core/table/level_places.h"
#include "core/table/prepare.h"
#include "core/table/present_cell.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

using query::BoundPtr;
using query::Field;
using query::FieldType;
using Numbers = std::vector<double>;

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();

void require_program(bool holds, const std::string& sentence) {
  if (!holds) throw Error(ErrorKind::make_transformation, sentence);
}

void check_levels(const SourceColumn& source) {
  const std::set<std::string> different(source.levels.begin(), source.levels.end());
  require_program(different.size() == source.levels.size() && different.size() >= 2,
                  "levels must be two or more, all different.");
  const ColumnSpec& column = source.column;
  require_program(column.whole && column.lower == 0 &&
                      column.upper == static_cast<double>(source.levels.size() - 1),
                  "the bounds of levels must be those of their places.");
}

Field field_of_source(const SourceColumn& source) {
  Field field{};
  field.name = source.column.name;
  if (source.levels.empty()) {
    field.type = FieldType::real;
    field.reals = {source.column.lower, source.column.upper};
  } else {
    field.type = FieldType::levels;
    field.levels = source.levels;
    field.whole_levels = source.whole_levels;
    field.wholes = {0, static_cast<std::int64_t>(source.levels.size()) - 1};
  }
  return field;
}

// Level indices of whole numbers, like places_of_texts().
ColumnPtr places_of_wholes(const Column& numbers, const std::vector<std::string>& levels) {
  std::map<double, double> places;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    places[static_cast<double>(query::whole_level(levels[i]))] = static_cast<double>(i);
  }
  auto all = std::make_shared<OwnedColumn<double>>(AtomType::f64, numbers.size());
  each_cell<double>(numbers, [&](double x, std::size_t row) {
    const auto at = std::isnan(x) ? places.end() : places.find(x);
    all->cells()[row] = at == places.end() ? kMissingNumber : at->second;
  });
  return all;
}

// The rows of a source as numbers, nothing done to them yet.
ColumnPtr rows_of_source(const SourceColumn& source, const Frame& frame) {
  const Scalar name(source.column.name);
  if (source.levels.empty()) return frame.column(name, AtomType::f64);
  return source.whole_levels
             ? places_of_wholes(*frame.column(name, AtomType::f64), source.levels)
             : places_of_texts(*frame.column(name, AtomType::string), source.levels);
}

// Converts all sources: `read(place, rows, cells)` writes the cells.
template <class F>
std::vector<Numbers> sources_in(const std::vector<SourceColumn>& sources,
                                const Frame& frame,
                                F&& read) {
  std::vector<Numbers> all;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const ColumnPtr rows = rows_of_source(sources[i], frame);
    if (i > 0 && rows->size() != all[0].size()) refuse_nonmember();
    read(i, rows, all.emplace_back(rows->size()));
  }
  return all;
}

query::Cells cells_of(const SourceColumn& source,
                      const Numbers& numbers,
                      std::size_t begin,
                      std::size_t size) {
  query::Cells cells;
  const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(begin);
  if (source.levels.empty()) {
    cells.reals.assign(first, first + static_cast<std::ptrdiff_t>(size));
    return cells;
  }
  cells.wholes.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double place = numbers[begin + i];
    cells.wholes[i] = std::isnan(place) ? query::kNone : static_cast<std::int64_t>(place);
  }
  return cells;
}

void write_reals(const Field& type, const query::Cells& cells, std::size_t size, double* to) {
  for (std::size_t i = 0; i < size; ++i) {
    if (query::in_reals(type)) {
      to[i] = cells.reals[i];
    } else {
      to[i] =
          cells.wholes[i] == query::kNone ? kMissingNumber : static_cast<double>(cells.wholes[i]);
    }
  }
}

}  // namespace

RowProgram::RowProgram(std::vector<SourceColumn> sources, std::vector<DerivedTerm> terms)
    : sources_(std::move(sources)),
      terms_(std::move(terms)),
      texts_(std::make_shared<query::TextPool>()) {
  std::vector<ColumnSpec> columns;
  std::vector<Field> fields;
  for (const SourceColumn& source : sources_) {
    if (!source.levels.empty()) check_levels(source);
    columns.push_back(source.column);
    fields.push_back(field_of_source(source));
  }
  check_column_specs(columns);
  std::set<std::string> names;
  for (const DerivedTerm& term : terms_) {
    require_program(names.insert(term.name).second, "terms must have different names.");
    bound_.push_back(bind_expression(*term.expression, fields, *texts_, query::Language::formulas));
    const Field& type = bound_.back()->type;
    require_program(query::is_number(type) && type.type != FieldType::levels,
                    "the term `" + term.name + "` must be a number.");
  }
}

std::vector<std::optional<std::pair<double, double>>> RowProgram::bounds() const {
  std::vector<std::optional<std::pair<double, double>>> all;
  for (const BoundPtr& term : bound_) {
    const Field& type = term->type;
    auto& bounds = all.emplace_back();
    if (!query::is_bounded(type)) continue;
    if (query::in_reals(type)) {
      bounds = type.reals;
    } else {
      bounds = {static_cast<double>(type.wholes->first), static_cast<double>(type.wholes->second)};
    }
  }
  return all;
}

FramePtr RowProgram::derived(const Frame& frame, SourceGaps gaps) const {
  return evaluated(
      sources_in(sources_, frame, [&](std::size_t i, const ColumnPtr& rows, Numbers& to) {
        if (gaps == SourceGaps::imputed) {
          ColumnPreparation(sources_[i].column).each(rows, [&](double x, std::size_t row) {
            to[row] = x;
          });
          return;
        }
        const PresentCell present(sources_[i].column);
        each_cell<double>(*rows, [&](double x, std::size_t row) {
          to[row] = present(x).value_or(kMissingNumber);
        });
      }));
}

FramePtr RowProgram::derived_as_given(const Frame& frame) const {
  return evaluated(
      sources_in(sources_, frame, [&](std::size_t, const ColumnPtr& rows, Numbers& to) {
        each_cell<double>(*rows, [&](double x, std::size_t row) { to[row] = x; });
      }));
}

FramePtr RowProgram::evaluated(const std::vector<Numbers>& sources) const {
  const std::size_t rows = sources[0].size();
  std::vector<std::shared_ptr<OwnedColumn<double>>> columns;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    columns.push_back(std::make_shared<OwnedColumn<double>>(AtomType::f64, rows));
  }
  query::RowBatch batch;
  query::Cells room;
  for (std::size_t begin = 0; begin < rows; begin += query::kQueryBatch) {
    batch.size = std::min(query::kQueryBatch, rows - begin);
    batch.columns.clear();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      batch.columns.push_back(cells_of(sources_[s], sources[s], begin, batch.size));
    }
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const query::Cells& cells = evaluate(*bound_[t], batch, room);
      write_reals(bound_[t]->type, cells, batch.size, columns[t]->cells() + begin);
    }
  }
  std::vector<NamedColumn> named;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    named.emplace_back(Scalar(terms_[t].name), ColumnPtr(columns[t]));
  }
  return std::make_shared<Frame>(AtomType::string, std::move(named));
}

Transformation make_derive_columns(RowProgram program, SourceGaps gaps) {
  const Metric metric = change_one_distance();
  return Transformation(
      DataFrameDomain{AtomType::string},
      metric,
      DataFrameDomain{AtomType::string},
      metric,
      whole_function([program = std::move(program), gaps](const Value& arg) -> Value {
        return program.derived(*frame_in(arg), gaps);
      }),
      constant_map(metric, 1));
}

}  // namespace dp
