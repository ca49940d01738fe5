#include "core/query/stage_sink.h"

#include <numeric>
#include <utility>

#include "core/numeric/int128.h"
#include "core/runtime/prefetch.h"

namespace dp::query {
namespace {

// The part of `parts` that a person belongs to.
std::size_t part_of_hash(std::uint64_t id_hash, std::size_t parts) {
  return static_cast<std::size_t>((static_cast<uint128_t>(id_hash) * parts) >> 64);
}

// Prefetch distance in words. Pieces are short, so the processor does not predict the next piece in
// time.
constexpr std::size_t kAhead = 256;

template <class F>
void each_record(const Records& records, std::size_t width, F&& f) {
  for (const Words& piece : records) {
    for (std::size_t at = 0; at < piece.size(); at += width) {
      fetch(piece.data() + at + kAhead);
      f(piece.data() + at);
    }
  }
}

// Buckets by the low bits of an id's hash, one for two to four records, so few people share a
// bucket. Hashes of one part have the same high bits. They are keyed, so an attacker cannot force
// collisions of low bits.
class HashBuckets {
 public:
  explicit HashBuckets(std::size_t records) {
    while (4 * size_ <= records) size_ *= 2;
    ends_.resize(size_);
  }

  std::size_t size() const { return size_; }
  std::size_t end(std::size_t bucket) const { return ends_[bucket]; }

  void count(Record record) { ++ends_[bucket_of(record)]; }
  // Call after all are counted: each bucket's end becomes the position of its first record.
  void lay_out() {
    std::size_t before = 0;
    for (std::size_t& end : ends_) before += std::exchange(end, before);
  }
  std::size_t next(Record record) { return ends_[bucket_of(record)]++; }

 private:
  std::size_t bucket_of(Record record) const {
    return static_cast<std::size_t>(record[0]) & (size_ - 1);
  }

  std::size_t size_ = 1;
  std::vector<std::size_t> ends_;
};

void swap_records(std::uint64_t* a, std::uint64_t* b, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) std::swap(a[i], b[i]);
}

// Groups records begin, ..., end - 1 by person.
void separate_people(RecordsOfPeople& sorted,
                     std::size_t begin,
                     std::size_t end,
                     std::size_t id_words) {
  const auto at = [&](std::size_t i) { return sorted.words.data() + i * sorted.width; };
  while (begin < end) {
    Record id = at(begin++);
    for (std::size_t i = begin; i < end; ++i) {
      if (!same_words(id, at(i), id_words)) continue;
      if (i > begin) swap_records(at(begin), at(i), sorted.width);
      ++begin;
    }
    sorted.begins.push_back(begin);
  }
}

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
  HashBuckets buckets(count);
  each_record(records, width, [&](Record record) { buckets.count(record); });
  buckets.lay_out();
  RecordsOfPeople sorted;
  sorted.words.resize(count * width);
  sorted.width = width;
  sorted.begins.push_back(0);
  each_record(records, width, [&](Record record) {
    copy_words(record, width, sorted.words.data() + buckets.next(record) * width);
  });
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    separate_people(sorted, sorted.begins.back(), buckets.end(b), id_words);
  }
  return sorted;
}

}  // namespace dp::query
