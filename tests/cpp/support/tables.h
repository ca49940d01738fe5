// Tables of strings for tests of steps that load and subset data frames. They exist as text,
// records and frames, and have neighbours.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/data/frame.h"
#include "core/data/records.h"
#include "core/transformations/transformation.h"
#include "support/neighbours.h"

namespace dp::test {

using Table = std::vector<std::vector<std::string>>;

// One line per record, with fields separated by commas.
inline std::string to_text(const Table& table) {
  std::string text;
  for (const auto& record : table) {
    for (std::size_t j = 0; j < record.size(); ++j) text += (j == 0 ? "" : ",") + record[j];
    text += '\n';
  }
  return text;
}

// Columns named "A", "B", ... of records with equally many fields.
inline FramePtr to_frame(const Table& table, std::size_t columns) {
  const RecordsPtr records = std::make_shared<OwnedRecords>(table);
  std::vector<NamedColumn> out;
  for (std::size_t j = 0; j < columns; ++j) {
    out.push_back({std::string(1, static_cast<char>('A' + j)), field_of(records, j)});
  }
  return std::make_shared<Frame>(AtomType::string, std::move(out));
}

// Rows of a value as strings, for rows, records or a frame. Formats every cell for debugging.
inline Table to_table(const Value& value) {
  Table table;
  if (const auto* records = value.as<RecordsPtr>()) {
    for (std::size_t i = 0; i < (*records)->size(); ++i) table.push_back((*records)->record(i));
    return table;
  }
  std::vector<ColumnPtr> columns;
  if (const auto* frame = value.as<FramePtr>()) {
    for (const NamedColumn& column : (*frame)->columns())
      columns.push_back(column.contents->as(column.contents->type()));
  } else {
    columns.push_back(rows_in(value));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    table.resize(columns[j]->size());
    visit_atom(columns[j]->type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto data = to_dataset<T>(Value(columns[j]));
      for (std::size_t i = 0; i < data.size(); ++i) table[i].push_back(debug(Scalar(*data[i])));
    });
  }
  return table;
}

// Number of records that are in only one of the tables.
inline std::uint64_t table_distance(const Table& a, const Table& b) {
  std::map<std::vector<std::string>, std::int64_t> difference;
  for (const auto& record : a) ++difference[record];
  for (const auto& record : b) --difference[record];
  std::uint64_t total = 0;
  for (const auto& [record, count] : difference) {
    total += static_cast<std::uint64_t>(std::abs(count));
  }
  return total;
}

// Whether the map of `t`, between symmetric distances, covers random neighbours with `columns`
// fields, and all results are in the output domain. Also whether some pair attains the map. `lift`
// makes an argument from a table.
inline bool covers_tables(const Transformation& t,
                          std::size_t columns,
                          const std::function<Value(const Table&)>& lift,
                          bool* tight = nullptr) {
  static const std::vector<std::string> kCells = {"1", "2", "", "x", "2."};
  TestRandom random(columns);
  const auto record = [&] {
    std::vector<std::string> fields(columns);
    for (auto& field : fields) field = random.pick(kCells);
    return fields;
  };
  for (int round = 0; round < 500; ++round) {
    Table a(random.below(6));
    for (auto& row : a) row = record();
    Table b = a;
    for (std::size_t edit = random.below(4); edit > 0; --edit) {
      if (!b.empty() && random.below(2) == 0) {
        b.erase(b.begin() + static_cast<std::ptrdiff_t>(random.below(b.size())));
      } else {
        b.insert(b.begin() + static_cast<std::ptrdiff_t>(random.below(b.size() + 1)), record());
      }
    }
    for (std::size_t i = b.size(); i > 1; --i) std::swap(b[i - 1], b[random.below(i)]);
    const auto d_in = static_cast<std::uint32_t>(table_distance(a, b));
    const Value from_a = t.invoke(lift(a)), from_b = t.invoke(lift(b));
    // Text, records and frames of the right type are always members.
    if (!has_carrier(from_a, t.output_domain()) || !has_carrier(from_b, t.output_domain())) {
      return false;
    }
    const std::uint64_t moved = table_distance(to_table(from_a), to_table(from_b));
    const auto claim = number_in<std::uint32_t>(t.map(Distance(Scalar(d_in))));
    if (moved > claim) return false;
    if (tight != nullptr && moved > 0 && moved == claim) *tight = true;
  }
  return true;
}

// The map holds and is attained. Half of it fails, as does a function that leaves the domain.
inline void expect_stable_tables(const Transformation& t,
                                 std::size_t columns,
                                 const std::function<Value(const Table&)>& lift) {
  bool tight = false;
  EXPECT_TRUE(covers_tables(t, columns, lift, &tight));
  EXPECT_TRUE(tight);
  const auto halved = with_map(t, [&](const Distance& d_in) {
    return t.map(Distance(Scalar(number_in<std::uint32_t>(d_in) / 2)));
  });
  EXPECT_FALSE(covers_tables(halved, columns, lift));
  const auto strayed = with_function(t, whole_function([](const Value&) -> Value {
                                       return make_column<std::int32_t>(AtomType::i32, {1});
                                     }));
  EXPECT_FALSE(covers_tables(strayed, columns, lift));
}

}  // namespace dp::test
