#include "core/query/join_table.h"

#include <algorithm>

#include "core/expressions/evaluate.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/public_table.h"
#include "core/query/schema.h"

namespace dp::query {
namespace {

void index_rows(const std::vector<BoundPtr>& keys, const RowBatch& other, JoinTable& table) {
  table.keys = WordTable(keys.size());
  KeyWords words(keys, other);
  for (std::size_t row = 0; row < other.size; ++row) {
    const std::uint64_t* key = words.of(row);
    if (key == nullptr) continue;
    const std::uint64_t number = table.keys.number(key);
    if (number == table.rows.size()) table.rows.emplace_back();
    table.rows[number].push_back(row);
  }
}

}  // namespace

std::uint64_t JoinTable::most_rows_of_one() const {
  std::size_t most = 1;
  if (how == JoinPublic::How::left || how == JoinPublic::How::inner) {
    for (const std::vector<std::size_t>& matches : rows) most = std::max(most, matches.size());
  }
  return most;
}

JoinTable join_table(const JoinPublic& join, const std::vector<Field>& fields, TextPool& texts) {
  JoinTable table;
  table.how = join.how;
  RowBatch other;
  other.size = join.table.columns.empty() ? 0 : join.table.columns[0].size();
  std::vector<Field> key_fields;
  for (std::size_t i = 0; i < join.table.fields.size(); ++i) {
    key_fields.push_back(public_field(join.table, i, true));
    other.columns.push_back(public_cells(join.table, i, key_fields[i], texts));
  }
  std::vector<BoundPtr> other_keys;
  for (const auto& [own, name] : join.by) {
    const auto both =
        promoted("join",
                 {bind_expression(Expression(ColumnReference{own}), fields, texts),
                  bind_expression(Expression(ColumnReference{name}), key_fields, texts)},
                 Meeting::values,
                 texts);
    table.own_keys.push_back(both[0]);
    other_keys.push_back(both[1]);
  }
  index_rows(other_keys, other, table);
  for (const std::size_t place : joined_columns(join)) {
    const Field field = public_field(join.table, place, false);
    table.columns.push_back(public_cells(join.table, place, field, texts));
    table.real.push_back(in_reals(field));
  }
  return table;
}

KeyWords::KeyWords(const std::vector<BoundPtr>& keys, const RowBatch& batch)
    : rooms_(keys.size()), cells_(keys.size()), words_(keys.size()) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    cells_[k] = &evaluate(*keys[k], batch, rooms_[k]).wholes;
  }
}

const std::uint64_t* KeyWords::of(std::size_t row) {
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    if ((*cells_[k])[row] == kNone) return nullptr;
    words_[k] = word_of((*cells_[k])[row]);
  }
  return words_.data();
}

}  // namespace dp::query
