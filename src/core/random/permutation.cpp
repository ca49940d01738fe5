#include "core/random/permutation.h"

#include <array>
#include <numeric>
#include <vector>

#include "core/error.h"

namespace dp {
namespace {

constexpr std::size_t kBuckets = 256;
constexpr std::size_t kWorthScattering = std::size_t{1} << 16;  // beyond, memory misses dominate

using BucketEnds = std::array<std::size_t, kBuckets>;

// Sends each element to an independent uniform bucket. A uniform order inside every bucket makes
// the whole uniform. Source: Sandelius (1962), "A simple randomization procedure", JRSS B 24.
BucketEnds scatter(std::uint32_t* order, std::size_t size, BitSource& bits) {
  std::vector<std::uint64_t> words((size + 7) / 8);
  bits.words(words.data(), words.size());
  const auto* bucket_of = reinterpret_cast<const unsigned char*>(words.data());

  std::array<std::size_t, kBuckets> count{};
  for (std::size_t i = 0; i < size; ++i) ++count[bucket_of[i]];
  BucketEnds next{};
  std::partial_sum(count.begin(), count.end() - 1, next.begin() + 1);
  for (std::size_t i = 0; i < size; ++i) {
    order[next[bucket_of[i]]++] = static_cast<std::uint32_t>(i);
  }
  erase(words.data(), words.size() * sizeof(std::uint64_t));
  return next;
}

// Whether a block begins strictly between two positions.
bool is_cut(std::size_t begin, std::size_t end, std::size_t size, std::size_t blocks) {
  const std::size_t longer = size % blocks;
  const std::size_t length = size / blocks;
  const std::size_t of_longer = longer * (length + 1);
  // The first block that begins after `begin`.
  const std::size_t block =
      begin < of_longer ? begin / (length + 1) + 1 : longer + (begin - of_longer) / length + 1;
  return block < blocks && block_begin(size, blocks, block) < end;
}

}  // namespace

void random_order(std::uint32_t* order, std::size_t size, BitSource& bits) {
  random_partition(order, size, size, bits);
}

void random_partition(std::uint32_t* order, std::size_t size, std::size_t blocks, BitSource& bits) {
  if (size > std::size_t{1} << 32) {
    throw Error(ErrorKind::failed_function, "`size` must be at most 2^32.");
  }
  if (size == 0) return;
  if (blocks == 0 || blocks > size) {
    throw Error(ErrorKind::failed_function,
                "`blocks` must be at least 1 and at most the number of elements.");
  }
  if (size < kWorthScattering) {
    std::iota(order, order + size, std::uint32_t{0});
    shuffle(order, size, bits);
    return;
  }
  std::size_t begin = 0;
  for (const std::size_t end : scatter(order, size, bits)) {
    // The order inside a bucket matters only if it decides who goes to which block.
    if (is_cut(begin, end, size, blocks)) shuffle(order + begin, end - begin, bits);
    begin = end;
  }
}

}  // namespace dp
