#include "core/sample_aggregate/block_sums.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "core/data/batch.h"
#include "core/random/permutation.h"
#include "core/runtime/parallel.h"
#include "core/runtime/scratch.h"

namespace dp {
namespace {

constexpr std::size_t kRangeRows = std::size_t{1} << 16;  // what a thread takes at a time

// One attempt.
template <class Sums>
class Attempt {
 public:
  explicit Attempt(const BlockShape& shape)
      : shape_(shape),
        draws_(shape),
        without_(make_scratch<std::uint64_t>(draws_.most_without())) {}

  // The sums of all rows; empty if there were too many in a block, or without one.
  std::vector<Sums> result(const ElementRuns<std::uint64_t>& elements,
                           std::size_t threads,
                           const ThreadBits& bits) {
    parallel_for((shape_.rows + kRangeRows - 1) / kRangeRows, threads, [&](std::size_t range) {
      const std::size_t begin = range * kRangeRows;
      add_range(elements, begin, std::min(begin + kRangeRows, shape_.rows), bits());
    });
    return finish(bits());
  }

 private:
  void add_range(const ElementRuns<std::uint64_t>& elements,
                 std::size_t begin,
                 std::size_t end,
                 BitSource& bits) {
    std::vector<Sums> sums = take_sums();
    elements(begin, end, [&](const std::uint64_t* run, std::size_t size) {
      std::uint16_t block[kBatchRows];
      const Wiper wiper(block, sizeof(block));
      std::uint64_t without[kBatchRows];
      draws_.draw(block, size, bits);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < size; ++i) {
        sums[block[i]].add(run[i]);  // the last one is of those without a block, and not used
        without[kept] = run[i];
        kept += block[i] == shape_.blocks ? 1 : 0;
      }
      keep(without, kept);
    });
    return_sums(std::move(sums));
  }

  std::vector<Sums> finish(BitSource& bits) {
    if (kept_ > draws_.most_without()) return {};
    std::vector<Sums> all = take_sums();
    for (const std::vector<Sums>& part : parts_) {
      for (std::size_t block = 0; block < all.size(); ++block) all[block].add(part[block]);
    }
    all.pop_back();
    for (std::size_t block = 0; block < all.size(); ++block) {
      if (all[block].count > shape_.size(block)) return {};
    }
    shuffle(without_.get(), kept_, bits);
    const std::uint64_t* next = without_.get();
    for (std::size_t block = 0; block < all.size(); ++block) {
      while (all[block].count < shape_.size(block)) all[block].add(*next++);
    }
    return all;
  }

  void keep(const std::uint64_t* elements, std::size_t size) {
    const std::size_t at = kept_.fetch_add(size);
    if (at + size <= draws_.most_without()) std::copy_n(elements, size, without_.get() + at);
  }

  // No more vectors of sums are made than there are threads.
  std::vector<Sums> take_sums() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (parts_.empty()) return std::vector<Sums>(shape_.blocks + 1);
    std::vector<Sums> sums = std::move(parts_.back());
    parts_.pop_back();
    return sums;
  }
  void return_sums(std::vector<Sums> sums) {
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_.push_back(std::move(sums));
  }

  BlockShape shape_;
  BinDraws draws_;
  Scratch<std::uint64_t> without_;
  std::atomic<std::size_t> kept_{0};
  std::mutex mutex_;
  std::vector<std::vector<Sums>> parts_;
};

}  // namespace

bool can_sum_blocks(const BlockShape& shape) {
  constexpr std::size_t kSmallest = 1024;
  return shape.blocks <= BinDraws::kMostBins && shape.smallest() >= kSmallest;
}

template <class Sums>
std::vector<Sums> block_sums(const ElementRuns<std::uint64_t>& elements,
                             const BlockShape& shape,
                             std::size_t threads,
                             const ThreadBits& bits) {
  std::vector<Sums> sums;
  while (sums.empty()) sums = Attempt<Sums>(shape).result(elements, threads, bits);
  return sums;
}

template std::vector<BlockSum> block_sums(const ElementRuns<std::uint64_t>&,
                                          const BlockShape&,
                                          std::size_t,
                                          const ThreadBits&);
template std::vector<BlockSquares> block_sums(const ElementRuns<std::uint64_t>&,
                                              const BlockShape&,
                                              std::size_t,
                                              const ThreadBits&);

}  // namespace dp
