// Puts elements into random order, or deals them into blocks at random, in one pass over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/random/bit_source.h"
#include "core/shuffle/block_shape.h"
#include "core/shuffle/random_bins.h"

namespace dp {

// Relevance of the order of rows within one block.
enum class BlockOrder { arbitrary, random };

// Hands over elements begin, ..., end - 1 in order, in runs of at most kBatchRows. Called on
// several threads at once.
template <class T>
using ElementRuns = std::function<void(
    std::size_t begin, std::size_t end, const std::function<void(const T*, std::size_t)>& take)>;

// Where a thread takes its bits from.
using ThreadBits = std::function<BitSource&()>;

// Writes the `shape.rows` elements to `dealt`, where block b is shape.begin(b) up to shape.begin(b
// + 1). Every partition into blocks of these sizes is equally likely and, if `order` is random,
// every order. If it is arbitrary, the order inside a block can depend on the order of the
// elements, and nothing that depends on it may be released.
//
// The positions are cut into `bins` bins, and elements are dealt to them as random_bins.h says. A
// bin within one block need not be shuffled unless the order matters. Reading is sequential,
// writing has few targets, and shuffling stays within a bin: all use the caches well, and each is
// split among `threads` threads.
template <class T>
void deal(const ElementRuns<T>& elements,
          const BlockShape& shape,
          BlockOrder order,
          std::size_t bins,
          std::size_t threads,
          const ThreadBits& bits,
          T* dealt);

// Number of bins that is fastest.
std::size_t bins_for(const BlockShape& shape, BlockOrder order);

// Writes a uniformly random permutation of 0 .. size-1. Throws if `size` exceeds 2^32.
void random_order(std::uint32_t* order, std::size_t size, BitSource& bits);

// random_order() from secure_bits(), on several threads if that pays.
void random_order(std::uint32_t* order, std::size_t size);
void random_order(std::size_t* order, std::size_t size);

}  // namespace dp
