#include "core/sql/ingest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/numeric/text.h"
#include "core/query/coerce.h"

namespace dp::sql {
namespace {

using query::ExactAggregate;
using query::Field;
using query::FieldType;
using query::Key;
using query::KeyPart;

constexpr int128_t kMostCountedRows = int128_t{1} << 62;

int128_t held(int128_t value, int128_t lower, int128_t upper) {
  return std::min(std::max(value, lower), upper);
}

// Parses at most 37 digits, which fit 128 bits; any other text is not a number.
std::optional<int128_t> whole_of(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 37) return std::nullopt;
  int128_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return negative ? -value : value;
}

// Parses a sum, whole or in two halves: high, a comma, and low (26 bits).
int128_t sum_of(std::string_view text) {
  constexpr int128_t kMostHalf = int128_t{1} << 64;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return whole_of(text).value_or(0);
  const int128_t high = whole_of(text.substr(0, comma)).value_or(0);
  const int128_t low = whole_of(text.substr(comma + 1)).value_or(0);
  return held(high, -kMostHalf, kMostHalf) * (int128_t{1} << 26) + held(low, 0, kMostHalf);
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> text_of_hex(std::string_view cell) {
  if (cell.empty() || cell[0] != 'k' || cell.size() % 2 == 0) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < cell.size(); i += 2) {
    const int high = digit_of(cell[i]);
    const int low = digit_of(cell[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    text += static_cast<char>(16 * high + low);
  }
  if (!query::is_plain_text(text)) return std::nullopt;
  return text;
}

std::optional<KeyPart> ingested_key(const Field& field, std::string_view cell) {
  KeyPart part;
  if (field.type == FieldType::text) {
    std::optional<std::string> text = text_of_hex(cell);
    if (!text) return std::nullopt;
    part.is_text = true;
    part.text = std::move(*text);
    return part;
  }
  const auto whole = parse_number<std::int64_t>(cell);
  if (!whole) return std::nullopt;
  if (field.wholes && (*whole < field.wholes->first || *whole > field.wholes->second)) {
    return std::nullopt;
  }
  part.whole = *whole;
  return part;
}

struct InOrder {
  bool operator()(const Key& a, const Key& b) const {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k].is_text ? a[k].text != b[k].text : a[k].whole != b[k].whole) {
        return a[k].is_text ? a[k].text < b[k].text : a[k].whole < b[k].whole;
      }
    }
    return false;
  }
};

// Branch 0 of a group: its row count, and the index of its row in the result.
struct Group {
  int128_t rows;
  std::size_t row;
  std::vector<std::vector<int128_t>> bins;
};

class Ingest {
 public:
  Ingest(const ResultLayout& layout,
         const std::vector<ExactAggregate>& tallies,
         const std::vector<std::vector<std::string>>& columns)
      : layout_(layout), tallies_(tallies), columns_(columns) {
    const std::size_t wanted = 1 + layout.by.size() + layout.values;
    const bool same_length = std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
      return column.size() == columns[0].size();
    });
    if (columns.size() != wanted || !same_length) {
      throw Error(ErrorKind::backend, "the engine returned another table than it was asked for.");
    }
  }

  query::ExactAggregates run() {
    for (std::size_t row = 0; row < columns_[0].size(); ++row) add_group(row);
    for (std::size_t row = 0; row < columns_[0].size(); ++row) add_bin(row);
    query::ExactAggregates tallied;
    tallied.values.resize(tallies_.size());
    for (const auto& [key, group] : groups_) {
      tallied.keys.push_back(key);
      for (std::size_t s = 0; s < layout_.scalars.size(); ++s) {
        const std::size_t t = layout_.scalars[s];
        tallied.values[t].push_back(number(tallies_[t], value(group.row, 1 + s), group.rows));
      }
      for (std::size_t g = 0; g < layout_.grids.size(); ++g) {
        auto& to = tallied.values[layout_.grids[g]];
        to.insert(to.end(), group.bins[g].begin(), group.bins[g].end());
      }
    }
    return tallied;
  }

 private:
  const std::string& value(std::size_t row, std::size_t v) const {
    return columns_[1 + layout_.by.size() + v][row];
  }

  std::optional<Key> key_of(std::size_t row) const {
    Key key;
    for (std::size_t k = 0; k < layout_.by.size(); ++k) {
      std::optional<KeyPart> part = ingested_key(layout_.by[k], columns_[1 + k][row]);
      if (!part) return std::nullopt;
      key.push_back(std::move(*part));
    }
    return key;
  }

  void add_group(std::size_t row) {
    if (columns_[0][row] != "0") return;
    const int128_t rows = held(whole_of(value(row, 0)).value_or(0), 0, kMostCountedRows);
    std::optional<Key> key = key_of(row);
    if (rows == 0 || !key) return;
    Group group{rows, row, {}};
    for (const std::size_t t : layout_.grids) {
      group.bins.emplace_back(2 * tallies_[t].grid.size() + 1);
    }
    groups_.emplace(std::move(*key), std::move(group));
  }

  void add_bin(std::size_t row) {
    const auto branch = parse_number<std::uint32_t>(columns_[0][row]);
    if (!branch || *branch == 0 || *branch > layout_.grids.size()) return;
    const std::optional<Key> key = key_of(row);
    const auto found = key ? groups_.find(*key) : groups_.end();
    if (found == groups_.end()) return;
    std::vector<int128_t>& bins = found->second.bins[*branch - 1];
    const int128_t bin = whole_of(value(row, 0)).value_or(-1);
    if (bin < 0 || bin >= static_cast<int128_t>(bins.size())) return;
    const ExactAggregate& tally = tallies_[layout_.grids[*branch - 1]];
    const std::string& cell = value(row, 1);
    const int128_t count = is_weighted(tally) ? sum_of(cell) : whole_of(cell).value_or(0);
    bins[static_cast<std::size_t>(bin)] = held(count, 0, most_of_row(tally) * found->second.rows);
  }

  // The largest weight of a row.
  static int128_t most_of_row(const ExactAggregate& tally) {
    return is_weighted(tally) ? tally.weights.points.most : 1;
  }

  static int128_t number(const ExactAggregate& tally, const std::string& cell, int128_t rows) {
    const int128_t least = tally.quantiser.least * most_of_row(tally);
    const int128_t most = tally.quantiser.most * most_of_row(tally);
    if (tally.kind == ExactAggregate::Kind::sum) {
      return held(
          sum_of(cell), std::min<int128_t>(least, 0) * rows, std::max<int128_t>(most, 0) * rows);
    }
    if (tally.kind == ExactAggregate::Kind::squares) {
      const int128_t height = std::max(-least, most);
      return held(sum_of(cell), 0, height * height * rows);
    }
    if (tally.kind == ExactAggregate::Kind::dropped)
      return held(sum_of(cell), 0, tally.up_to * rows);
    if (is_weighted(tally)) return held(sum_of(cell), 0, most_of_row(tally) * rows);
    return held(whole_of(cell).value_or(0), 0, rows);
  }

  const ResultLayout& layout_;
  const std::vector<ExactAggregate>& tallies_;
  const std::vector<std::vector<std::string>>& columns_;
  std::map<Key, Group, InOrder> groups_;
};

}  // namespace

query::ExactAggregates ingest(const ResultLayout& layout,
                              const std::vector<ExactAggregate>& tallies,
                              const std::vector<std::vector<std::string>>& columns) {
  return Ingest(layout, tallies, columns).run();
}

}  // namespace dp::sql
