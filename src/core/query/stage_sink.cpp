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

// Numbers of people, in the order in which they first come.
class PeopleTable {
 public:
  explicit PeopleTable(std::size_t id_words) : id_words_(id_words), slots_(1024) {}

  std::size_t size() const { return first_.size(); }

  std::uint32_t number(Record record) {
    if (2 * (first_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(record)];
    if (slot == 0) {
      first_.push_back(record);
      slot = static_cast<std::uint32_t>(first_.size());
    }
    return slot - 1;
  }

 private:
  // Hashes of one part have the same high bits, and are keyed: nobody can make the low ones meet.
  std::size_t slot_of(Record record) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(record[0]) & mask;
    while (slots_[at] != 0 && !same_words(first_[slots_[at] - 1], record, id_words_)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t p = 0; p < first_.size(); ++p) {
      slots_[slot_of(first_[p])] = static_cast<std::uint32_t>(p + 1);
    }
  }

  std::size_t id_words_;
  std::vector<Record> first_;         // a record of each
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
  PeopleTable people(id_words);
  std::vector<std::uint32_t> person;
  person.reserve(words_in(records) / width);
  each_record(records, width, [&](Record record) { person.push_back(people.number(record)); });
  RecordsOfPeople sorted;
  sorted.begins.resize(people.size() + 1);
  for (const std::uint32_t p : person) ++sorted.begins[p + 1];
  std::partial_sum(sorted.begins.begin(), sorted.begins.end(), sorted.begins.begin());
  std::vector<std::size_t> next(sorted.begins);
  sorted.records.resize(person.size());
  auto number = person.begin();
  each_record(records, width, [&](Record record) { sorted.records[next[*number++]++] = record; });
  return sorted;
}

}  // namespace dp::query
