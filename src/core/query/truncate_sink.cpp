#include "core/query/truncate_sink.h"

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
  group_at_ = 1 + id_width_;
  by_at_ = group_at_ + (has_cells_ ? ranks_.words() : 0);
  order_at_ = by_at_ + by_.size();
  row_at_ = order_at_ + (order_ ? 1 : 0);
  carried_at_ = row_at_ + ranks_.words();
  width_ = carried_at_ + carried_.size();
}

// Whether the row stays.
bool TruncateSink::copy_cells(const RowBatch& batch, std::size_t row, std::uint64_t* record) const {
  for (std::size_t c = 0; c < places_.size(); ++c) {
    const bool is_by = c < by_.size();
    const bool is_key = c < by_.size() + keys_.size();
    std::uint64_t& word = record[is_by ? by_at_ + c : carried_at_ + c - by_.size()];
    const Cells& cells = batch.columns[places_[c]];
    if (cells.wholes.empty()) {
      word = word_of(cells.reals[row]);
    } else {
      if (is_key && cells.wholes[row] == kNone) return false;
      word = word_of(cells.wholes[row]);
    }
  }
  return true;
}

void TruncateSink::rank(std::uint64_t* record) const {
  const std::uint64_t* id = record + 1;
  if (has_cells_) ranks_.rank_group(id, by_, record + by_at_, record + group_at_);
  if (by_.empty()) {
    ranks_.rank_row(id,
                    keys_,
                    record + carried_at_,
                    values_,
                    record + carried_at_ + keys_.size(),
                    record + row_at_);
  } else {
    ranks_.rank_row(id, by_, record + by_at_, carried_, record + carried_at_, record + row_at_);
  }
}

void TruncateSink::append(const RowBatch& batch, std::vector<Words>& parts) const {
  Cells room;
  const Cells* order = order_ ? &evaluate(*order_, batch, room) : nullptr;
  std::vector<std::uint64_t> record(width_);
  for (std::size_t i = 0; i < batch.size; ++i) {
    if (!copy_cells(batch, i, record.data())) continue;
    record[0] = batch.id_hashes[i];
    std::copy_n(batch.ids.data() + i * id_width_, id_width_, record.data() + 1);
    if (order != nullptr) {
      record[order_at_] =
          order_word(*order, in_reals(order_->type), i, caps_.keep == Truncate::Keep::last);
    }
    rank(record.data());
    Words& part = part_of(record[0], parts);
    part.insert(part.end(), record.begin(), record.end());
  }
}

bool TruncateSink::same_group(const std::uint64_t* a, const std::uint64_t* b) const {
  return !has_cells_ || same_words(a + by_at_, b + by_at_, by_.size());
}

// Of records of one person in different groups.
bool TruncateSink::group_before(const std::uint64_t* a, const std::uint64_t* b) const {
  for (std::size_t w = group_at_; w < by_at_; ++w) {
    if (a[w] != b[w]) return a[w] < b[w];
  }
  for (std::size_t c = 0; c < by_.size(); ++c) {
    const int order = compare_words(by_[c], a[by_at_ + c], b[by_at_ + c], *texts_);
    if (order != 0) return order < 0;
  }
  return false;
}

// Of any two records of one person.
bool TruncateSink::row_before(const std::uint64_t* a, const std::uint64_t* b) const {
  for (std::size_t w = order_at_; w < carried_at_; ++w) {
    if (a[w] != b[w]) return a[w] < b[w];
  }
  for (std::size_t c = 0; c < carried_.size(); ++c) {
    const int order = compare_words(carried_[c], a[carried_at_ + c], b[carried_at_ + c], *texts_);
    if (order != 0) return order < 0;
  }
  return false;
}

// What stays of the records of one person, which are those from `begin`.
void TruncateSink::cap_rows(std::vector<const std::uint64_t*>& kept, std::size_t begin) const {
  if (!caps_.rows || kept.size() - begin <= *caps_.rows) return;
  std::sort(kept.begin() + static_cast<std::ptrdiff_t>(begin),
            kept.end(),
            [this](const std::uint64_t* a, const std::uint64_t* b) {
              if (row_before(a, b)) return true;
              return !row_before(b, a) && group_before(a, b);
            });
  kept.resize(begin + *caps_.rows);
}

void TruncateSink::compact(Words& records, bool last) const {
  const std::size_t id_words = 1 + id_width_;
  const auto sorted = sorted_records(
      records, width_, id_words, [this](const std::uint64_t* a, const std::uint64_t* b) {
        return same_group(a, b) ? row_before(a, b) : group_before(a, b);
      });
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::size_t most_groups = caps_.groups.value_or(0) == 0 ? kAll : *caps_.groups;
  const std::size_t most_rows =
      caps_.rows_per_group.value_or(0) == 0 ? kAll : *caps_.rows_per_group;
  std::vector<const std::uint64_t*> kept;
  std::size_t person = 0;  // where its records begin among those that are kept
  std::size_t groups = 0;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool new_person = i == 0 || !same_words(sorted[i], sorted[i - 1], id_words);
    if (new_person) {
      if (last || !has_cells_) cap_rows(kept, person);
      person = kept.size();
    }
    const bool new_group = new_person || !same_group(sorted[i], sorted[i - 1]);
    groups = new_person ? 1 : groups + (new_group ? 1 : 0);
    rows = new_group ? 1 : rows + 1;
    if (groups <= most_groups && rows <= most_rows) kept.push_back(sorted[i]);
  }
  if (last || !has_cells_) cap_rows(kept, person);
  Words left;
  left.reserve(kept.size() * width_);
  for (const std::uint64_t* record : kept) left.insert(left.end(), record, record + width_);
  records = std::move(left);
}

void TruncateSink::rows(const Words& records,
                        std::size_t begin,
                        std::size_t end,
                        RowBatch& batch) const {
  put_ids(records, width_, begin, end, id_width_, batch);
  for (std::size_t c = 0; c < places_.size(); ++c) {
    if (batch.columns.size() <= places_[c]) batch.columns.resize(places_[c] + 1);
    Cells& cells = batch.columns[places_[c]];
    cells = {};
    const bool is_by = c < by_.size();
    const Field& field = is_by ? by_[c] : carried_[c - by_.size()];
    const std::size_t at = is_by ? by_at_ + c : carried_at_ + c - by_.size();
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t word = records[i * width_ + at];
      if (in_reals(field)) {
        cells.reals.push_back(real_in_word(word));
      } else {
        cells.wholes.push_back(whole_in_word(word));
      }
    }
  }
}

TruncateSink::Carried TruncateSink::carried() const {
  const auto by_end = places_.begin() + static_cast<std::ptrdiff_t>(by_.size());
  const auto keys_end = by_end + static_cast<std::ptrdiff_t>(keys_.size());
  return {{places_.begin(), by_end}, {by_end, keys_end}, {keys_end, places_.end()}};
}

}  // namespace dp::query
