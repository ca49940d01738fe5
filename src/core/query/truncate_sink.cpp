#include "core/query/truncate_sink.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/query/evaluate.h"

namespace dp::query {
namespace {

std::vector<Field> fields_at(const std::vector<Field>& fields,
                             const std::vector<std::size_t>& places) {
  std::vector<Field> at;
  for (const std::size_t place : places) at.push_back(fields[place]);
  return at;
}

// Words in the order of the values, or in the opposite one. What is missing comes last.
std::uint64_t order_word(const Cells& cells, bool real, std::size_t row, bool last) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  constexpr std::uint64_t kLatest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t word;
  if (real) {
    const double x = cells.reals[row];
    if (!(x == x)) return kLatest;
    word = word_of(x);
    word = (word & kSign) != 0 ? ~word : word | kSign;
  } else {
    if (cells.wholes[row] == kNone) return kLatest;
    word = word_of(cells.wholes[row]) ^ kSign;
  }
  return last ? ~word : word;
}

}  // namespace

TruncateSink::TruncateSink(const Truncate& caps,
                           const Carried& carried,
                           BoundPtr order,
                           const std::vector<Field>& fields,
                           const TextPool& texts,
                           Ranks ranks,
                           std::size_t id_width)
    : caps_(caps),
      has_cells_(caps.groups || caps.rows_per_group),
      by_(fields_at(fields, carried.by)),
      keys_(fields_at(fields, carried.keys)),
      values_(fields_at(fields, carried.values)),
      order_(std::move(order)),
      texts_(&texts),
      ranks_(std::move(ranks)),
      id_width_(id_width) {
  for (const auto* places : {&carried.by, &carried.keys, &carried.values}) {
    places_.insert(places_.end(), places->begin(), places->end());
  }
  carried_ = keys_;
  carried_.insert(carried_.end(), values_.begin(), values_.end());
  by_at_ = 1 + id_width_;
  order_at_ = by_at_ + by_.size();
  carried_at_ = order_at_ + (order_ ? 1 : 0);
  width_ = carried_at_ + carried_.size();
}

void TruncateSink::append(const RowBatch& batch, std::vector<Words>& parts) const {
  const auto keys_end = places_.begin() + static_cast<std::ptrdiff_t>(by_.size() + keys_.size());
  NewRecords records(batch, rows_with(batch, {places_.begin(), keys_end}), width_, parts);
  for (std::size_t c = 0; c < places_.size(); ++c) {
    const std::size_t at = c < by_.size() ? by_at_ + c : carried_at_ + c - by_.size();
    const Cells& cells = batch.columns[places_[c]];
    if (cells.wholes.empty()) {
      records.put(at, [&](std::uint32_t row) { return word_of(cells.reals[row]); });
    } else {
      records.put(at, [&](std::uint32_t row) { return word_of(cells.wholes[row]); });
    }
  }
  if (!order_) return;
  Cells room;
  const Cells& order = evaluate(*order_, batch, room);
  records.put(order_at_, [&](std::uint32_t row) {
    return order_word(order, in_reals(order_->type), row, caps_.keep == Truncate::Keep::last);
  });
}

TruncateSink::Rank TruncateSink::rank_of_group(Record record) const {
  Rank rank{};
  ranks_.rank_group(record + 1, by_, record + by_at_, rank.data());
  return rank;
}

TruncateSink::Rank TruncateSink::rank_of_row(Record record) const {
  Rank rank{};
  Record id = record + 1;
  Record cells = record + carried_at_;
  if (by_.empty()) {
    ranks_.rank_row(id, keys_, cells, values_, cells + keys_.size(), rank.data());
  } else {
    ranks_.rank_row(id, by_, record + by_at_, carried_, cells, rank.data());
  }
  return rank;
}

// Below 0 if the cells of a, which begin at word `at`, come before those of b.
int TruncateSink::compare_cells(const std::vector<Field>& fields,
                                Record a,
                                Record b,
                                std::size_t at) const {
  for (std::size_t c = 0; c < fields.size(); ++c) {
    const int order = compare_words(fields[c], a[at + c], b[at + c], *texts_);
    if (order != 0) return order;
  }
  return 0;
}

bool TruncateSink::same_group(Record a, Record b) const {
  return same_words(a + by_at_, b + by_at_, by_.size());
}

// Of records of one person.
bool TruncateSink::group_before(const Ranked& a, const Ranked& b) const {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (same_group(a.record, b.record)) return false;
  const Rank of_a = rank_of_group(a.record);
  const Rank of_b = rank_of_group(b.record);
  if (of_a != of_b) return of_a < of_b;
  return compare_cells(by_, a.record, b.record, by_at_) < 0;
}

// Of records of one person.
bool TruncateSink::row_before(const Ranked& a, const Ranked& b) const {
  if (order_ && a.record[order_at_] != b.record[order_at_]) {
    return a.record[order_at_] < b.record[order_at_];
  }
  if (a.rank != b.rank) return a.rank < b.rank;
  if (same_words(a.record, b.record, width_)) return false;
  const Rank of_a = rank_of_row(a.record);
  const Rank of_b = rank_of_row(b.record);
  if (of_a != of_b) return of_a < of_b;
  const int order = compare_cells(carried_, a.record, b.record, carried_at_);
  if (order != 0 || !has_cells_) return order < 0;
  return group_before({rank_of_group(a.record)[0], a.record},
                      {rank_of_group(b.record)[0], b.record});
}

// Of the rows from `begin` those of least rank.
void TruncateSink::keep_rows(std::vector<Ranked>& rows, std::size_t begin, std::size_t most) const {
  if (rows.size() - begin <= most) return;
  for (std::size_t i = begin; i < rows.size(); ++i) rows[i].rank = rank_of_row(rows[i].record)[0];
  std::sort(rows.begin() + static_cast<std::ptrdiff_t>(begin),
            rows.end(),
            [this](const Ranked& a, const Ranked& b) { return row_before(a, b); });
  rows.resize(begin + most);
}

// Of the rows of one person what the caps on groups leave.
void TruncateSink::keep_groups(std::vector<Ranked>& rows) const {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::size_t most_groups = caps_.groups.value_or(0) == 0 ? kAll : *caps_.groups;
  const std::size_t most_rows =
      caps_.rows_per_group.value_or(0) == 0 ? kAll : *caps_.rows_per_group;
  if (rows.size() <= most_groups && rows.size() <= most_rows) return;
  for (Ranked& row : rows) row.rank = rank_of_group(row.record)[0];
  std::sort(rows.begin(), rows.end(), [this](const Ranked& a, const Ranked& b) {
    return group_before(a, b);
  });
  std::vector<Ranked> kept;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < rows.size() && groups < most_groups; ++groups) {
    const std::size_t begin = kept.size();
    const Record first = rows[i].record;
    for (; i < rows.size() && same_group(first, rows[i].record); ++i) kept.push_back(rows[i]);
    keep_rows(kept, begin, most_rows);
  }
  rows.swap(kept);
}

Words TruncateSink::compact(const Records& records, bool last) const {
  RecordsOfPeople people = records_of_people(records, width_, 1 + id_width_);
  std::size_t kept = 0;
  std::vector<Ranked> rows;
  for (std::size_t p = 0; p + 1 < people.begins.size(); ++p) {
    rows.clear();
    for (std::size_t i = people.begins[p]; i < people.begins[p + 1]; ++i) {
      rows.push_back({0, people.records[i]});
    }
    if (has_cells_) keep_groups(rows);
    if (caps_.rows && (last || !has_cells_)) keep_rows(rows, 0, *caps_.rows);
    for (const Ranked& row : rows) people.records[kept++] = row.record;
  }
  Words left;
  left.reserve(kept * width_);
  for (std::size_t i = 0; i < kept; ++i) {
    left.insert(left.end(), people.records[i], people.records[i] + width_);
  }
  return left;
}

void TruncateSink::rows(const Words& records,
                        std::size_t begin,
                        std::size_t end,
                        RowBatch& batch) const {
  put_ids(records, width_, begin, end, id_width_, batch);
  for (std::size_t c = 0; c < places_.size(); ++c) {
    if (batch.columns.size() <= places_[c]) batch.columns.resize(places_[c] + 1);
    Cells& cells = batch.columns[places_[c]];
    cells.wholes.clear();
    cells.reals.clear();
    const bool is_by = c < by_.size();
    const Field& field = is_by ? by_[c] : carried_[c - by_.size()];
    const std::size_t at = is_by ? by_at_ + c : carried_at_ + c - by_.size();
    const std::uint64_t* word = records.data() + begin * width_ + at;
    if (in_reals(field)) {
      cells.reals.resize(batch.size);
      for (std::size_t i = 0; i < batch.size; ++i) cells.reals[i] = real_in_word(word[i * width_]);
    } else {
      cells.wholes.resize(batch.size);
      for (std::size_t i = 0; i < batch.size; ++i)
        cells.wholes[i] = whole_in_word(word[i * width_]);
    }
  }
}

TruncateSink::Carried TruncateSink::carried() const {
  const auto by_end = places_.begin() + static_cast<std::ptrdiff_t>(by_.size());
  const auto keys_end = by_end + static_cast<std::ptrdiff_t>(keys_.size());
  return {{places_.begin(), by_end}, {by_end, keys_end}, {keys_end, places_.end()}};
}

}  // namespace dp::query
