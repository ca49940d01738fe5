#include "core/query/truncate_sink.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/expressions/evaluate.h"

namespace dp::query {
namespace {

std::vector<Field> fields_at(const std::vector<Field>& fields,
                             const std::vector<std::size_t>& places) {
  std::vector<Field> at;
  for (const std::size_t place : places) at.push_back(fields[place]);
  return at;
}

constexpr std::uint64_t kLatest = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Encodes values as words in their order, or in reverse. Missing values come last in both. -0 and 0
// are equal, as in engines.
std::uint64_t order_word(const Cells& cells, bool real, std::size_t row, bool last) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  std::uint64_t word;
  if (real) {
    const double x = cells.reals[row];
    if (!(x == x)) return kLatest;
    word = word_of(x == 0 ? 0.0 : x);
    word = (word & kSign) != 0 ? ~word : word | kSign;
  } else {
    if (cells.wholes[row] == kNone) return kLatest;
    word = (word_of(cells.wholes[row]) ^ kSign) - 1;  // kNone would be the least
  }
  return last ? kLatest - 1 - word : word;
}

// A cap of 0 means no cap.
std::size_t most_of(const std::optional<std::uint32_t>& cap) {
  return cap.value_or(0) == 0 ? kAll : *cap;
}

// Inserts `rank` into the sorted, distinct least ranks so far, and drops the last of them. Free of
// branches, because the outcome is unpredictable.
template <std::size_t... k>
void put_rank(std::uint64_t rank, std::uint64_t* least, std::index_sequence<k...>) {
  const auto put = [&rank](std::uint64_t& known) {
    const std::uint64_t swapped = (rank ^ known) & (std::uint64_t{0} - (rank < known));
    const std::uint64_t twice = std::uint64_t{0} - (rank == known);
    known ^= swapped;
    rank = (rank ^ swapped) | twice;
  };
  (put(least[k]), ...);
}

template <std::size_t most>
std::uint64_t last_rank(const std::uint64_t* ranks, std::size_t size) {
  std::uint64_t least[most];
  for (std::uint64_t& rank : least) rank = kLatest;
  for (std::size_t i = 0; i < size; ++i) {
    put_rank(ranks[i], least, std::make_index_sequence<most>());
  }
  return least[most - 1];
}

// Upper bound of the `most` least distinct ranks.
std::uint64_t last_of_least(std::size_t most, const std::uint64_t* ranks, std::size_t size) {
  static constexpr std::uint64_t (*kLast[])(const std::uint64_t*, std::size_t) = {last_rank<1>,
                                                                                  last_rank<2>,
                                                                                  last_rank<3>,
                                                                                  last_rank<4>,
                                                                                  last_rank<5>,
                                                                                  last_rank<6>,
                                                                                  last_rank<7>,
                                                                                  last_rank<8>};
  return most <= std::size(kLast) ? kLast[most - 1](ranks, size) : kLatest;
}

}  // namespace

TruncateSink::TruncateSink(const Truncate& caps,
                           const Carried& carried,
                           BoundPtr order,
                           const std::vector<Field>& fields,
                           const TextPool& texts,
                           Ranks ranks,
                           std::size_t id_width,
                           bool counts_dropped)
    : caps_(caps),
      has_cells_(caps.groups || caps.rows_per_group),
      most_groups_(most_of(caps.groups)),
      most_rows_(most_of(caps.rows_per_group)),
      by_(fields_at(fields, carried.by)),
      keys_(fields_at(fields, carried.keys)),
      values_(fields_at(fields, carried.values)),
      order_(std::move(order)),
      texts_(&texts),
      ranks_(std::move(ranks)),
      counts_dropped_(counts_dropped),
      id_width_(id_width) {
  for (const auto* places : {&carried.by, &carried.keys, &carried.values}) {
    places_.insert(places_.end(), places->begin(), places->end());
  }
  carried_ = keys_;
  carried_.insert(carried_.end(), values_.begin(), values_.end());
  by_at_ = 1 + id_width_;
  order_at_ = by_at_ + by_.size();
  carried_at_ = order_at_ + (order_ ? 1 : 0);
  dropped_at_ = carried_at_ + carried_.size();
  width_ = dropped_at_ + (counts_dropped_ ? 1 : 0);
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
  if (counts_dropped_) records.put(dropped_at_, [](std::uint32_t) { return 0; });
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

// Negative if the cells of a, which begin at word `at`, come before the cells of b.
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

// Compares records of one person.
bool TruncateSink::group_before(const Ranked& a, const Ranked& b) const {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (same_group(a.record, b.record)) return false;
  const Rank of_a = rank_of_group(a.record);
  const Rank of_b = rank_of_group(b.record);
  if (of_a != of_b) return of_a < of_b;
  return compare_cells(by_, a.record, b.record, by_at_) < 0;
}

// Compares records of one person.
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

// Puts the rows of least rank first, and returns how many stay.
std::size_t TruncateSink::keep_rows(Ranked* rows, std::size_t size, std::size_t most) const {
  if (size <= most) return size;
  for (std::size_t i = 0; i < size; ++i) rows[i].rank = rank_of_row(rows[i].record)[0];
  std::sort(
      rows, rows + size, [this](const Ranked& a, const Ranked& b) { return row_before(a, b); });
  return most;
}

// Requires rows sorted by the ranks of their groups.
TruncateSink::Ranked* TruncateSink::end_of_group(Ranked* rows, const Ranked* end) const {
  Ranked* to = rows;
  while (to != end && same_group(rows->record, to->record)) ++to;
  return to;
}

// 0 for all groups if rows have no order.
std::uint64_t TruncateSink::order_of_group(const Ranked* rows, const Ranked* end) const {
  if (!order_) return 0;
  std::uint64_t least = kLatest;
  for (; rows != end; ++rows) least = std::min(least, rows->record[order_at_]);
  return least;
}

// Finds the last of the `most` first groups.
TruncateSink::GroupPlace TruncateSink::last_to_stay(Ranked* rows,
                                                    const Ranked* end,
                                                    std::size_t most) const {
  if (most == kAll) return {kLatest, kAll};
  if (!order_) return {0, most - 1};
  std::vector<GroupPlace> places;
  while (rows != end) {
    Ranked* const to = end_of_group(rows, end);
    places.emplace_back(order_of_group(rows, to), places.size());
    rows = to;
  }
  if (places.size() <= most) return {kLatest, kAll};
  const auto last = places.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(places.begin(), last, places.end());
  return *last;
}

// Moves rows of the groups within the caps to the front, and returns how many stay. Takes one
// person's rows with the ranks of their groups.
std::size_t TruncateSink::keep_groups(Ranked* rows, std::size_t size, std::size_t most) const {
  Ranked* const end = rows + size;
  std::sort(rows, end, [this](const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank < b.rank : group_before(a, b);
  });
  const GroupPlace last = last_to_stay(rows, end, most);
  Ranked* kept = rows;
  Ranked* from = rows;
  for (std::size_t number = 0; from != end; ++number) {
    Ranked* const to = end_of_group(from, end);
    if (GroupPlace{order_of_group(from, to), number} <= last) {
      const std::size_t stay = keep_rows(from, static_cast<std::size_t>(to - from), most_rows_);
      kept = std::copy(from, from + stay, kept);
    }
    from = to;
  }
  return static_cast<std::size_t>(kept - rows);
}

// Truncates the rows of one person, whose records begin at `first`. Ranks of groups are given if
// they are quick to compute. Otherwise they are computed for people with more rows than one of the
// caps. Rows of groups of too high rank are dropped before the others are sorted, unless an order
// precedes ranks. Returns how many rows stay, at the beginning of `room`.
std::size_t TruncateSink::keep(Record first,
                               std::size_t size,
                               std::uint64_t* ranks,
                               bool last,
                               std::vector<Ranked>& room) const {
  if (room.size() < size) room.resize(size);
  Ranked* const rows = room.data();
  const bool groups = has_cells_ && (size > most_groups_ || size > most_rows_);
  if (groups && !ranks_.are_quick()) {
    for (std::size_t i = 0; i < size; ++i) ranks[i] = rank_of_group(first + i * width_)[0];
  }
  const bool by_rank = groups && !order_;
  const std::uint64_t latest = by_rank ? last_of_least(most_groups_, ranks, size) : kLatest;
  std::size_t left = 0;
  for (std::size_t i = 0; i < size; ++i) {
    rows[left] = {ranks[i], first + i * width_};
    left += ranks[i] <= latest ? 1 : 0;
  }
  if (groups) left = keep_groups(rows, left, last || !order_ ? most_groups_ : kAll);
  return caps_.rows && (last || !has_cells_) ? keep_rows(rows, left, *caps_.rows) : left;
}

Words TruncateSink::compact(const Records& records, bool last) const {
  const RecordsOfPeople people = records_of_people(records, width_, 1 + id_width_);
  const std::size_t count = people.begins.back();
  if (count == 0) return {};
  const SipTuples groups{people.words.data() + 1, width_, id_width_ + by_.size(), count};
  const bool quick = has_cells_ && ranks_.are_quick();
  std::vector<std::uint64_t> ranks =
      quick ? ranks_.ranks_of_groups(groups, by_) : std::vector<std::uint64_t>(count);
  std::vector<Record> kept;
  kept.reserve(count);
  std::vector<std::uint64_t> dropped;  // of each that is kept
  std::vector<Ranked> room;
  for (std::size_t p = 0; p < people.people(); ++p) {
    const std::size_t begin = people.begins[p];
    const std::size_t size = people.begins[p + 1] - begin;
    const std::size_t left = keep(people.record(begin), size, ranks.data() + begin, last, room);
    for (std::size_t i = 0; i < left; ++i) kept.push_back(room[i].record);
    if (!counts_dropped_) continue;
    std::uint64_t all = size - left;
    for (std::size_t i = begin; i < begin + size; ++i) all += people.record(i)[dropped_at_];
    for (std::size_t i = 0; i < left; ++i) dropped.push_back(last || i == 0 ? all : 0);
  }
  Words left(kept.size() * width_);
  std::uint64_t* to = left.data();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    copy_words(kept[i], width_, to);
    if (counts_dropped_) to[dropped_at_] = dropped[i];
    to += width_;
  }
  return left;
}

void TruncateSink::rows(const Words& records,
                        std::size_t begin,
                        std::size_t end,
                        RowBatch& batch) const {
  put_ids(records, width_, begin, end, id_width_, batch);
  batch.dropped.clear();
  for (std::size_t i = begin; i < end && counts_dropped_; ++i) {
    batch.dropped.push_back(records[i * width_ + dropped_at_]);
  }
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
