// Where the rows of each person meet: truncate() and per_unit().
//
// Rows become records of words. As records come, compact() drops those that cannot be in the result
// any more: the memory follows what is kept, not what is read. The result hangs on the set of
// records alone, whatever their order, and however often they were compacted in between.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/numeric/int128.h"
#include "core/query/row_batch.h"

namespace dp::query {

using Words = std::vector<std::uint64_t>;

// People fall into parts by the hashes of their ids.
inline Words& part_of(std::uint64_t id_hash, std::vector<Words>& parts) {
  return parts[static_cast<std::size_t>((static_cast<uint128_t>(id_hash) * parts.size()) >> 64)];
}

class StageSink {
 public:
  virtual ~StageSink() = default;

  // The words of a record. The first is the hash of the id, then come those of the id.
  virtual std::size_t width() const = 0;

  // Appends a record for each row of the batch that stays to its person's part.
  virtual void append(const RowBatch& batch, std::vector<Words>& parts) const = 0;

  // Records of each id stand together afterwards. With `last`, the records are the result.
  virtual void compact(Words& records, bool last) const = 0;

  // Records begin, ..., end - 1 of a result as rows.
  virtual void rows(const Words& records,
                    std::size_t begin,
                    std::size_t end,
                    RowBatch& batch) const = 0;
};

// The first words of records as ids of the rows of `batch`.
inline void put_ids(const Words& records,
                    std::size_t width,
                    std::size_t begin,
                    std::size_t end,
                    std::size_t id_width,
                    RowBatch& batch) {
  batch.size = end - begin;
  batch.id_width = id_width;
  batch.ids.clear();
  batch.id_hashes.clear();
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t* record = records.data() + i * width;
    batch.id_hashes.push_back(record[0]);
    batch.ids.insert(batch.ids.end(), record + 1, record + 1 + id_width);
  }
}

inline bool same_words(const std::uint64_t* a, const std::uint64_t* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// The records in order: first by the hash of the id and the id, of `id_words` words together, then
// by before(a, b). Hashes spread, so records first fall into small buckets by their hash.
template <class F>
std::vector<const std::uint64_t*> sorted_records(const Words& records,
                                                 std::size_t width,
                                                 std::size_t id_words,
                                                 F&& before) {
  const std::size_t count = records.size() / width;
  int bits = 0;
  while ((count >> bits) > 8 && bits < 24) ++bits;
  // The highest bits may be those of the records' part, which are all equal: mix them away.
  const auto bucket_of = [&](const std::uint64_t* record) {
    return bits == 0 ? 0
                     : static_cast<std::size_t>((record[0] * 0x9e3779b97f4a7c15) >> (64 - bits));
  };
  std::vector<std::uint32_t> begins((std::size_t{1} << bits) + 1);
  for (std::size_t i = 0; i < count; ++i) ++begins[bucket_of(records.data() + i * width) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<const std::uint64_t*> sorted(count);
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t* record = records.data() + i * width;
    sorted[next[bucket_of(record)]++] = record;
  }
  const auto earlier = [&](const std::uint64_t* a, const std::uint64_t* b) {
    for (std::size_t w = 0; w < id_words; ++w) {
      if (a[w] != b[w]) return a[w] < b[w];
    }
    return before(a, b);
  };
  for (std::size_t b = 0; b + 1 < begins.size(); ++b) {
    std::sort(sorted.begin() + begins[b], sorted.begin() + begins[b + 1], earlier);
  }
  return sorted;
}

}  // namespace dp::query
