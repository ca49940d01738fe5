#include "core/query/stage_sink.h"

#include <numeric>
#include <utility>

#include "core/numeric/int128.h"

namespace dp::query {
namespace {

// Which part of `parts` a person falls into.
std::size_t part_of_hash(std::uint64_t id_hash, std::size_t parts) {
  return static_cast<std::size_t>((static_cast<uint128_t>(id_hash) * parts) >> 64);
}

template <class F>
void each_record(const Records& records, std::size_t width, F&& f) {
  for (const Words& piece : records) {
    for (std::size_t at = 0; at < piece.size(); at += width) f(piece.data() + at);
  }
}

// Numbers of people, in the order in which they first come. Ids stand in it once, side by side, and
// so stay in the cache.
class PeopleTable {
 public:
  explicit PeopleTable(std::size_t id_words) : id_words_(id_words), slots_(1024) {}

  std::size_t size() const { return size_; }

  std::uint32_t number(Record record) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(record)];
    if (slot == 0) {
      ids_.insert(ids_.end(), record, record + id_words_);
      slot = static_cast<std::uint32_t>(++size_);
    }
    return slot - 1;
  }

 private:
  Record id_at(std::size_t person) const { return ids_.data() + person * id_words_; }

  // Hashes of one part have the same high bits, and are keyed: nobody can make the low ones meet.
  std::size_t slot_of(Record id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(id[0]) & mask;
    while (slots_[at] != 0 && !same_words(id_at(slots_[at] - 1), id, id_words_)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t p = 0; p < size_; ++p) {
      slots_[slot_of(id_at(p))] = static_cast<std::uint32_t>(p + 1);
    }
  }

  std::size_t id_words_;
  std::size_t size_ = 0;
  Words ids_;
  std::vector<std::uint32_t> slots_;  // a number and 1, or 0; a power of two of them
};

}  // namespace

std::size_t words_in(const Records& records) {
  return std::accumulate(
      records.begin(), records.end(), std::size_t{0}, [](std::size_t sum, const Words& piece) {
        return sum + piece.size();
      });
}

void put_ids(const Words& records,
             std::size_t width,
             std::size_t begin,
             std::size_t end,
             std::size_t id_width,
             RowBatch& batch) {
  batch.size = end - begin;
  batch.id_width = id_width;
  batch.ids.resize(batch.size * id_width);
  batch.id_hashes.resize(batch.size);
  for (std::size_t i = 0; i < batch.size; ++i) {
    Record record = records.data() + (begin + i) * width;
    batch.id_hashes[i] = record[0];
    for (std::size_t w = 0; w < id_width; ++w) batch.ids[i * id_width + w] = record[1 + w];
  }
}

std::vector<std::uint32_t> rows_with(const RowBatch& batch,
                                     const std::vector<std::size_t>& places) {
  std::vector<std::uint32_t> rows(batch.size);
  std::iota(rows.begin(), rows.end(), 0U);
  for (const std::size_t place : places) {
    const std::vector<std::int64_t>& wholes = batch.columns[place].wholes;
    std::size_t left = 0;
    for (const std::uint32_t row : rows) {
      rows[left] = row;
      left += wholes[row] != kNone ? 1 : 0;
    }
    rows.resize(left);
  }
  return rows;
}

NewRecords::NewRecords(const RowBatch& batch,
                       std::vector<std::uint32_t> rows,
                       std::size_t width,
                       std::vector<Words>& parts)
    : rows_(std::move(rows)), records_(rows_.size()) {
  const auto part_at = [&](std::size_t i) {
    return part_of_hash(batch.id_hashes[rows_[i]], parts.size());
  };
  std::vector<std::size_t> more(parts.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) ++more[part_at(i)];
  std::vector<std::uint64_t*> next(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t before = parts[p].size();
    parts[p].resize(before + more[p] * width);
    next[p] = parts[p].data() + before;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::uint64_t*& record = next[part_at(i)];
    records_[i] = record;
    record += width;
  }
  put(0, [&](std::uint32_t row) { return batch.id_hashes[row]; });
  for (std::size_t w = 0; w < batch.id_width; ++w) {
    put(1 + w, [&](std::uint32_t row) { return batch.ids[row * batch.id_width + w]; });
  }
}

RecordsOfPeople records_of_people(const Records& records, std::size_t width, std::size_t id_words) {
  const std::size_t count = words_in(records) / width;
  PeopleTable people(id_words);
  std::vector<std::uint32_t> person;
  person.reserve(count);
  each_record(records, width, [&](Record record) { person.push_back(people.number(record)); });
  RecordsOfPeople sorted;
  sorted.words.resize(count * width);
  sorted.width = width;
  sorted.begins.resize(people.size() + 1);
  for (const std::uint32_t p : person) ++sorted.begins[p + 1];
  std::partial_sum(sorted.begins.begin(), sorted.begins.end(), sorted.begins.begin());
  std::vector<std::size_t> next(sorted.begins);
  auto number = person.begin();
  each_record(records, width, [&](Record record) {
    copy_words(record, width, sorted.words.data() + next[*number++]++ * width);
  });
  return sorted;
}

}  // namespace dp::query
