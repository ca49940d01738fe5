#include "core/sample_aggregate/deal.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/engine/parallel.h"
#include "core/random/bit_source.h"
#include "core/random/permutation.h"

namespace dp {
namespace {

constexpr std::size_t kMostBuckets = 256;                    // one byte of bits for each row
constexpr std::size_t kRangeRows = std::size_t{1} << 17;     // what a thread takes at a time
constexpr std::size_t kParallelRows = std::size_t{1} << 19;  // below, waking threads does not pay

using Counts = std::array<std::size_t, kMostBuckets>;

// Which bucket each row goes to, in ranges of rows that threads can work on alone.
class Buckets {
 public:
  Buckets(std::size_t rows, unsigned bits, std::size_t threads)
      : rows_(rows),
        mask_(static_cast<std::uint8_t>((1u << bits) - 1)),
        words_(make_scratch<std::uint64_t>(rows / 8 + 1)),
        next_(rows / kRangeRows + 1) {
    parallel_for(ranges(), threads, [&](std::size_t range) { draw(range); });
    std::size_t position = 0;
    for (std::size_t bucket = 0; bucket < count(); ++bucket) {
      for (Counts& range : next_) {
        const std::size_t begin = position;
        position += range[bucket];
        range[bucket] = begin;
      }
      ends_[bucket] = position;
    }
  }

  std::size_t count() const { return std::size_t{mask_} + 1; }
  std::size_t ranges() const { return (rows_ + kRangeRows - 1) / kRangeRows; }
  std::size_t range_begin(std::size_t range) const { return std::min(rows_, range * kRangeRows); }

  // Where the next row of a range goes that has the given bucket.
  std::size_t& next(std::size_t range, std::size_t bucket) { return next_[range][bucket]; }
  std::size_t of(std::size_t row) const { return labels()[row] & mask_; }

  std::size_t begin(std::size_t bucket) const { return bucket == 0 ? 0 : ends_[bucket - 1]; }
  std::size_t end(std::size_t bucket) const { return ends_[bucket]; }

 private:
  const std::uint8_t* labels() const { return reinterpret_cast<const std::uint8_t*>(words_.get()); }

  void draw(std::size_t range) {
    const std::size_t begin = range_begin(range);
    const std::size_t end = range_begin(range + 1);
    if (mask_ == 0) {
      next_[range][0] = end - begin;
      std::fill(words_.get() + begin / 8, words_.get() + (end + 7) / 8, std::uint64_t{0});
      return;
    }
    secure_bits().words(words_.get() + begin / 8, (end - begin + 7) / 8);
    Counts& counts = next_[range];
    for (std::size_t row = begin; row < end; ++row) ++counts[of(row)];
  }

  std::size_t rows_;
  std::uint8_t mask_;
  Scratch<std::uint64_t> words_;
  std::vector<Counts> next_;
  Counts ends_{};
};

}  // namespace

template <class T>
Scratch<T> deal(const Rows& rows,
                const BlockShape& shape,
                BlockOrder order,
                const RowReader<T>& reader,
                unsigned bucket_bits) {
  const std::size_t threads = threads_for(rows);
  Buckets buckets(shape.rows, bucket_bits, threads);
  Scratch<T> dealt = make_scratch<T>(shape.rows);
  parallel_for(buckets.ranges(), threads, [&](std::size_t range) {
    BlockBuffer buffer;
    T elements[kBlockRows];
    const std::size_t end = buckets.range_begin(range + 1);
    for (std::size_t at = buckets.range_begin(range); at < end; at += kBlockRows) {
      const std::size_t size = std::min(kBlockRows, end - at);
      reader(rows.read(at, size, buffer), elements);
      for (std::size_t i = 0; i < size; ++i) {
        dealt[buckets.next(range, buckets.of(at + i))++] = elements[i];
      }
    }
  });
  parallel_for(buckets.count(), threads, [&](std::size_t bucket) {
    const std::size_t begin = buckets.begin(bucket);
    const std::size_t end = buckets.end(bucket);
    if (order == BlockOrder::random || shape.is_cut(begin, end)) {
      shuffle(dealt.get() + begin, end - begin, secure_bits());
    }
  });
  return dealt;
}

template Scratch<std::int64_t> deal(
    const Rows&, const BlockShape&, BlockOrder, const RowReader<std::int64_t>&, unsigned);
template Scratch<double> deal(
    const Rows&, const BlockShape&, BlockOrder, const RowReader<double>&, unsigned);

unsigned bucket_bits_for(std::size_t rows) {
  constexpr std::size_t kBucketRows = std::size_t{1} << 14;  // 128 KiB: half of a small L2 cache
  unsigned bits = 0;
  while ((kMostBuckets >> bits) > 1 && (rows >> bits) > kBucketRows) ++bits;
  return bits;
}

std::size_t threads_for(const Rows& rows) {
  return rows.concurrent() && rows.size() >= kParallelRows ? thread_count() : 1;
}

}  // namespace dp
