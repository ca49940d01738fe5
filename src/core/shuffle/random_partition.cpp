#include "core/shuffle/random_partition.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "core/data/batch.h"
#include "core/error.h"
#include "core/random/permutation.h"
#include "core/runtime/parallel.h"
#include "core/runtime/scratch.h"

namespace dp {
namespace {

constexpr std::size_t kThreadRows = std::size_t{1} << 16;  // what a thread takes at a time

// The elements of all bins, followed by elements without a bin.
template <class T>
class Bins {
 public:
  Bins(const BlockShape& shape, T* places)
      : shape_(shape),
        draws_(shape),
        places_(places),
        without_(make_scratch<T>(draws_.most_without())),
        used_(new std::atomic<std::size_t>[shape.blocks + 1]) {}

  // False if a bin was too full; then not all elements have a place.
  bool fill(const ElementRuns<T>& elements, std::size_t threads, const ThreadBits& bits) {
    for (std::size_t bin = 0; bin <= shape_.blocks; ++bin) used_[bin] = 0;
    std::atomic<bool> full{false};
    parallel_for((shape_.rows + kThreadRows - 1) / kThreadRows, threads, [&](std::size_t range) {
      const std::size_t begin = range * kThreadRows;
      const std::size_t end = std::min(begin + kThreadRows, shape_.rows);
      if (!full && !fill_range(elements, begin, end, bits())) full = true;
    });
    return !full;
  }

  // Puts the elements without a bin where places are left.
  void settle(BitSource& bits) {
    const T* next = without_.get();
    shuffle(without_.get(), used_[shape_.blocks], bits);
    for (std::size_t bin = 0; bin < shape_.blocks; ++bin) {
      const std::size_t left = shape_.size(bin) - used_[bin];
      std::copy_n(next, left, places_ + shape_.begin(bin) + used_[bin]);
      next += left;
    }
  }

 private:
  std::size_t size(std::size_t bin) const {
    return bin == shape_.blocks ? draws_.most_without() : shape_.size(bin);
  }
  T* first(std::size_t bin) const {
    return bin == shape_.blocks ? without_.get() : places_ + shape_.begin(bin);
  }

  bool fill_range(const ElementRuns<T>& elements,
                  std::size_t begin,
                  std::size_t end,
                  BitSource& bits) {
    std::vector<std::uint16_t> bin_of(end - begin);
    const Wiper wiper(bin_of.data(), bin_of.size() * sizeof(std::uint16_t));
    draws_.draw(bin_of.data(), bin_of.size(), bits);
    std::vector<std::size_t> count(shape_.blocks + 1);
    for (const std::uint16_t bin : bin_of) ++count[bin];
    std::vector<T*> next(shape_.blocks + 1);
    for (std::size_t bin = 0; bin <= shape_.blocks; ++bin) {
      const std::size_t used = used_[bin].fetch_add(count[bin]);
      if (used + count[bin] > size(bin)) return false;
      next[bin] = first(bin) + used;
    }
    constexpr std::size_t kAhead = 128 / sizeof(T);
    const std::uint16_t* bin = bin_of.data();
    elements(begin, end, [&](const T* run, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) {
        T* const place = next[*bin++]++;
        __builtin_prefetch(place + kAhead, 1);  // too many streams for the processor to see them
        *place = run[i];
      }
    });
    return true;
  }

  BlockShape shape_;
  BinDraws draws_;
  T* places_;
  Scratch<T> without_;
  std::unique_ptr<std::atomic<std::size_t>[]> used_;
};

template <class Index>
void order_indices(Index* order, std::size_t size, std::size_t threads, const ThreadBits& bits) {
  if (size == 0) return;
  const ElementRuns<Index> indices = [](std::size_t begin, std::size_t end, const auto& take) {
    Index run[kBatchRows];
    for (; begin < end; begin += kBatchRows) {
      for (std::size_t i = 0; i < kBatchRows; ++i) run[i] = static_cast<Index>(begin + i);
      take(run, std::min(kBatchRows, end - begin));
    }
  };
  const BlockShape shape{size, 1};
  const std::size_t bins = bins_for(shape, BlockOrder::random);
  deal(indices, shape, BlockOrder::random, bins, threads, bits, order);
}

}  // namespace

template <class T>
void deal(const ElementRuns<T>& elements,
          const BlockShape& shape,
          BlockOrder order,
          std::size_t bins,
          std::size_t threads,
          const ThreadBits& bits,
          T* dealt) {
  const BlockShape cut{shape.rows, bins};
  if (bins == 1) {
    T* next = dealt;
    elements(0, shape.rows, [&](const T* run, std::size_t length) {
      next = std::copy_n(run, length, next);
    });
  } else {
    Bins<T> all(cut, dealt);
    while (!all.fill(elements, threads, bits)) {
    }
    all.settle(bits());
  }
  parallel_for(bins, threads, [&](std::size_t bin) {
    const std::size_t begin = cut.begin(bin);
    const std::size_t end = cut.begin(bin + 1);
    if (order == BlockOrder::random || shape.is_cut(begin, end)) {
      shuffle(dealt + begin, end - begin, bits());
    }
  });
}

template void deal(const ElementRuns<std::int64_t>&,
                   const BlockShape&,
                   BlockOrder,
                   std::size_t,
                   std::size_t,
                   const ThreadBits&,
                   std::int64_t*);

std::size_t bins_for(const BlockShape& shape, BlockOrder order) {
  constexpr std::size_t kBinRows = std::size_t{1} << 13;
  constexpr std::size_t kFewRows = std::size_t{1} << 15;  // shuffled outright
  constexpr std::size_t kUsualBins = 256;
  constexpr std::size_t kMostTargets = 2048;
  if (shape.rows < kFewRows) return 1;
  if (order == BlockOrder::arbitrary && shape.blocks <= kMostTargets &&
      shape.smallest() >= kBinRows / 4) {
    return shape.blocks;  // then no bin is cut
  }
  return std::min(kUsualBins, shape.rows / kBinRows);
}

void random_order(std::uint32_t* order, std::size_t size, BitSource& bits) {
  if (size > std::size_t{1} << 32) {
    throw Error(ErrorKind::failed_function, "`size` must be at most 2^32.");
  }
  order_indices(order, size, 1, [&bits]() -> BitSource& { return bits; });
}

void random_order(std::uint32_t* order, std::size_t size) {
  if (size > std::size_t{1} << 32) {
    throw Error(ErrorKind::failed_function, "`size` must be at most 2^32.");
  }
  order_indices(order, size, threads_for_rows(size), secure_bits);
}

void random_order(std::size_t* order, std::size_t size) {
  order_indices(order, size, threads_for_rows(size), secure_bits);
}

}  // namespace dp
