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

// Drops rows of groups that come after the first `most`, without an order of the others. So many
// groups have no more different ranks.
void TruncateSink::drop_late_groups(std::vector<Ranked>& rows, std::size_t most) {
  constexpr std::size_t kMost = 8;  // of which an order is quickly made
  if (most > kMost) return;
  std::array<std::uint64_t, kMost> least;
  std::size_t known = 0;
  for (const Ranked& row : rows) {
    if (known == most && row.rank >= least[most - 1]) continue;
    std::size_t at = 0;
    while (at < known && least[at] < row.rank) ++at;
    if (at < known && least[at] == row.rank) continue;
    if (known < most) ++known;
    for (std::size_t i = known - 1; i > at; --i) least[i] = least[i - 1];
    least[at] = row.rank;
  }
  if (known < most) return;
  const std::uint64_t last = least[most - 1];
  std::size_t left = 0;
  for (const Ranked& row : rows) {
    if (row.rank <= last) rows[left++] = row;
  }
  rows.resize(left);
}

// Of the rows of one person what the caps on groups leave. They have ranks if these are quick.
// `kept` is room.
void TruncateSink::keep_groups(std::vector<Ranked>& rows, std::vector<Ranked>& kept) const {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::size_t most_groups = caps_.groups.value_or(0) == 0 ? kAll : *caps_.groups;
  const std::size_t most_rows =
      caps_.rows_per_group.value_or(0) == 0 ? kAll : *caps_.rows_per_group;
  if (rows.size() <= most_groups && rows.size() <= most_rows) return;
  if (!ranks_.are_quick()) {
    for (Ranked& row : rows) row.rank = rank_of_group(row.record)[0];
  }
  drop_late_groups(rows, most_groups);
  std::sort(rows.begin(), rows.end(), [this](const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank < b.rank : group_before(a, b);
  });
  kept.clear();
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
  const RecordsOfPeople people = records_of_people(records, width_, 1 + id_width_);
  std::vector<std::uint64_t> ranks(people.begins.back());
  if (has_cells_ && ranks_.are_quick()) {
    const std::size_t group_words = id_width_ + by_.size();
    ranks = ranks_.ranks_of_groups(
        {people.record(0) + 1, width_, group_words, people.begins.back()}, by_);
  }
  std::vector<Record> kept;
  kept.reserve(people.begins.back());
  std::vector<Ranked> rows;
  std::vector<Ranked> room;
  for (std::size_t p = 0; p < people.people(); ++p) {
    rows.clear();
    for (std::size_t i = people.begins[p]; i < people.begins[p + 1]; ++i) {
      rows.push_back({ranks[i], people.record(i)});
    }
    if (has_cells_) keep_groups(rows, room);
    if (caps_.rows && (last || !has_cells_)) keep_rows(rows, 0, *caps_.rows);
    for (const Ranked& row : rows) kept.push_back(row.record);
  }
  Words left(kept.size() * width_);
  std::uint64_t* to = left.data();
  for (const Record record : kept) {
    copy_words(record, width_, to);
    to += width_;
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
