// Deals rows into blocks at random, in one pass over them.
#pragma once

#include <cstddef>
#include <functional>

#include "core/engine/rows.h"
#include "core/sample_aggregate/block_shape.h"
#include "core/sample_aggregate/scratch.h"

namespace dp {

// What matters about the rows of one block: only which they are, or also their order.
enum class BlockOrder { arbitrary, random };

// Writes the rows of a block of the data as elements of type T.
template <class T>
using RowReader = std::function<void(const Block&, T*)>;

// The `shape.rows` rows of `rows`, read by `reader`, in memory where block b is the elements
// shape.begin(b) up to shape.begin(b + 1). Every partition into blocks of these sizes is equally
// likely and, if `order` is random, every order of the rows; if it is arbitrary, the order inside a
// block may depend on the order of the data, and nothing that depends on it may be released.
//
// Each row goes to one of 2^bucket_bits buckets by bits of its own, and the buckets are shuffled:
// uniform, for any number of buckets (Sandelius 1962, "A simple randomization procedure"). A bucket
// that lies within one block need not be shuffled unless the order matters. Reading, which is
// sequential, writing, which has few targets, and shuffling, which stays within a bucket, all are
// kind to the caches, and each can be shared among threads.
template <class T>
Scratch<T> deal(const Rows& rows,
                const BlockShape& shape,
                BlockOrder order,
                const RowReader<T>& reader,
                unsigned bucket_bits);

// As many buckets as pay for so many rows: log2 of them, at most 8.
unsigned bucket_bits_for(std::size_t rows);

// How many threads to use for work on so many rows.
std::size_t threads_for(const Rows& rows);

}  // namespace dp
