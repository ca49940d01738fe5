#include "core/query/segment.h"

#include <algorithm>

#include "core/expressions/evaluate.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/schema.h"

namespace dp::query {
namespace {

void keep_where(RowBatch& batch, const Bound& predicate) {
  Cells room;
  const std::vector<std::int64_t>& kept = evaluate(predicate, batch, room).wholes;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < batch.size; ++i) {
    if (kept[i] == 1) rows.push_back(i);
  }
  if (rows.size() < batch.size) take_rows(batch, rows);
}

void put_column(RowBatch& batch, std::size_t place, Cells cells) {
  if (batch.columns.size() <= place) batch.columns.resize(place + 1);
  batch.columns[place] = std::move(cells);
}

void choose_columns(RowBatch& batch, const std::vector<std::size_t>& sources) {
  std::vector<Cells> chosen;
  for (const std::size_t source : sources) {
    chosen.push_back(source < batch.columns.size() ? batch.columns[source] : Cells());
  }
  batch.columns = std::move(chosen);
}

constexpr std::size_t kUnmatched = ~std::size_t{0};

// For each row of the batch the matching rows of the table; a missing key matches none.
struct Matches {
  std::vector<std::uint32_t> own;
  std::vector<std::size_t> other;
};

Matches matches_of(const RowBatch& batch, const JoinTable& join) {
  using How = JoinPublic::How;
  KeyWords words(join.own_keys, batch);
  Matches matches;
  for (std::uint32_t i = 0; i < batch.size; ++i) {
    const std::uint64_t* key = words.of(i);
    const std::uint64_t found = key == nullptr ? WordTable::kAbsent : join.keys.find(key);
    const bool matched = found != WordTable::kAbsent;
    const bool once = join.how == How::semi ? matched : !matched && join.how != How::inner;
    if (once) {
      matches.own.push_back(i);
      matches.other.push_back(kUnmatched);
    } else if (matched && (join.how == How::left || join.how == How::inner)) {
      for (const std::size_t row : join.rows[found]) {
        matches.own.push_back(i);
        matches.other.push_back(row);
      }
    }
  }
  return matches;
}

void join_rows(RowBatch& batch, const JoinTable& join, std::size_t place) {
  const Matches matches = matches_of(batch, join);
  take_rows(batch, matches.own);
  for (std::size_t c = 0; c < join.columns.size(); ++c) {
    Cells cells;
    for (const std::size_t row : matches.other) {
      if (join.real[c]) {
        cells.reals.push_back(row == kUnmatched ? kNoReal : join.columns[c].reals[row]);
      } else {
        cells.wholes.push_back(row == kUnmatched ? kNone : join.columns[c].wholes[row]);
      }
    }
    put_column(batch, place + c, std::move(cells));
  }
}

Cells values_of(const RowStep& step, const RowBatch& batch) {
  Cells room;
  const Cells& cells = evaluate(*step.expression, batch, room);
  if (step.kind == RowStep::Kind::quantise) {
    return {quantised(step.quantiser, cells, in_reals(step.expression->type)), {}};
  }
  if (&cells == &room) return room;
  return cells;
}

}  // namespace

void add_places(const Bound& expression, std::set<std::size_t>& places) {
  if (expression.op == Operator::column) places.insert(expression.column);
  for (const BoundPtr& arg : expression.args) add_places(*arg, places);
}

void Segment::add(const Step& step) {
  std::vector<Field> after = fields_after_step(fields_, step);
  if (const auto* filter = std::get_if<Filter>(&step)) {
    steps_.push_back(
        {RowStep::Kind::filter, bind_expression(*filter->predicate, fields_, *texts_), 0, {}});
  } else if (const auto* mutate = std::get_if<Mutate>(&step)) {
    steps_.push_back({RowStep::Kind::mutate,
                      bind_expression(*mutate->value, fields_, *texts_),
                      place_of(mutate->name, after),
                      {}});
  } else if (const auto* select = std::get_if<Select>(&step)) {
    RowStep chosen{RowStep::Kind::select, nullptr, 0, {}};
    for (const auto& names : select->columns) {
      chosen.sources.push_back(place_of(names.second, fields_));
    }
    steps_.push_back(std::move(chosen));
  } else if (const auto* join = std::get_if<JoinPublic>(&step)) {
    auto table = std::make_shared<const JoinTable>(join_table(*join, fields_, *texts_));
    steps_.push_back({RowStep::Kind::join, nullptr, fields_.size(), {}, std::move(table)});
  }
  fields_ = std::move(after);
}

void Segment::add_quantised(const std::string& name,
                            const ExpressionPtr& of,
                            const Quantiser& quantiser) {
  RowStep step{RowStep::Kind::quantise, bind_expression(*of, fields_, *texts_), fields_.size(), {}};
  if (step.expression->type.type == FieldType::levels && step.expression->type.whole_levels) {
    step.expression = wholes_of_levels(step.expression);
  }
  if (!is_number(step.expression->type) && step.expression->type.type != FieldType::date) {
    refuse_operand("an aggregate", "numbers", step.expression->type);
  }
  step.quantiser = quantiser;
  steps_.push_back(std::move(step));
  fields_.push_back(field_of(FieldType::integer, true));
  fields_.back().name = name;
}

std::set<std::size_t> Segment::prune(std::set<std::size_t> needed) {
  std::vector<RowStep> kept;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const bool makes = step->kind == RowStep::Kind::mutate || step->kind == RowStep::Kind::quantise;
    if (makes && needed.count(step->place) == 0) continue;
    if (makes) needed.erase(step->place);
    if (step->kind == RowStep::Kind::select) {
      std::set<std::size_t> before;
      for (const std::size_t place : needed) before.insert(step->sources[place]);
      needed = std::move(before);
    } else if (step->kind == RowStep::Kind::join) {
      needed.erase(needed.lower_bound(step->place), needed.end());
      for (const BoundPtr& key : step->join->own_keys) add_places(*key, needed);
    } else {
      add_places(*step->expression, needed);
    }
    kept.push_back(std::move(*step));
  }
  std::reverse(kept.begin(), kept.end());
  steps_ = std::move(kept);
  return needed;
}

void Segment::run(RowBatch& batch) const {
  for (const RowStep& step : steps_) {
    switch (step.kind) {
      case RowStep::Kind::filter:
        keep_where(batch, *step.expression);
        break;
      case RowStep::Kind::select:
        choose_columns(batch, step.sources);
        break;
      case RowStep::Kind::join:
        join_rows(batch, *step.join, step.place);
        break;
      default:
        put_column(batch, step.place, values_of(step, batch));
    }
  }
}

}  // namespace dp::query
