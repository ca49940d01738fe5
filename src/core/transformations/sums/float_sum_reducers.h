// Reducers of floating-point sums: additions in exactly the documented order, because the proof of
// their stability is about this order.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/engine/stage.h"

namespace dp {

static_assert(FLT_EVAL_METHOD == 0, "every addition must round to the type of its operands");

// The additions. A pairwise sum adds what load() makes of its rows, and store()
// makes of that the result.
struct PlainAdd {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
  template <class T>
  static T load(T row) {
    return row;
  }
  template <class T>
  static T store(T sum) {
    return sum;
  }
};
struct SaturatingAdd : PlainAdd {  // saturating_add(), inline
  template <class T>
  T operator()(T a, T b) const {
    constexpr T kLargest = std::numeric_limits<T>::max();
    const T sum = a + b;
    return sum > kLargest ? kLargest : sum < -kLargest ? -kLargest : sum;
  }
};
// For pairwise sums of numbers of both signs that may overflow: all additions
// are made on numbers scaled down by a power of two, where none overflows, and
// only the sum saturates. Saturating inside of the tree would make the result
// depend on how rows are paired, by up to twice the largest number, and one
// more row in front pairs all others anew.
struct SaturateLast : PlainAdd {
  template <class T>
  static T load(T row) {
    return row / kScale<T>;
  }
  template <class T>
  static T store(T sum) {
    return SaturatingAdd()(sum * kScale<T>, T{0});
  }

 private:
  // More than there can be rows, at most 2^53 and 2^24.
  template <class T>
  static constexpr T kScale = sizeof(T) == sizeof(double) ? T(0x1p56) : T(0x1p28);
};

// From left to right, starting at 0: one range.
template <class T, class Add>
class SequentialPart final : public Partial {
 public:
  void update(const Batch &batch) override {
    const T *rows = batch.as<T>();
    T sum = sum_;
    for (std::size_t i = 0; i < batch.size; ++i) sum = Add()(sum, rows[i]);
    sum_ = sum;
  }
  T sum() const { return sum_; }

 private:
  T sum_ = 0;
};

template <class T, class Add>
class SequentialSum final : public Reducer {
 public:
  std::vector<std::size_t> cuts(std::size_t size) const override {
    return std::vector<std::size_t>(size == 0 ? 0 : 1, size);
  }
  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<SequentialPart<T, Add>>();
  }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    if (parts.empty()) return Scalar(T{0});
    return Scalar(static_cast<const SequentialPart<T, Add> &>(*parts[0]).sum());
  }
};

// The recursion of the pairwise sum: n rows are split into the first floor(n /
// 2) and the rest. Nodes of one depth have one of two neighbouring sizes.
class PairwiseTree {
 public:
  // The nodes of the smallest depth where all have at most `limit` rows.
  PairwiseTree(std::size_t size, std::size_t limit) : size_(size) {
    for (std::size_t largest = size; largest > limit; largest -= largest / 2) ++depth_;
  }
  std::size_t count() const { return std::size_t{1} << depth_; }
  std::size_t node_size(std::size_t i) const {
    std::size_t n = size_;
    for (std::size_t bit = count() >> 1; bit != 0; bit >>= 1) n = i & bit ? n - n / 2 : n / 2;
    return n;
  }

 private:
  std::size_t size_;
  unsigned depth_ = 0;
};

// The sums of the nodes of one depth, in order, to the sum at the root.
template <class T, class Add>
class PairwiseStack {
 public:
  void push(T sum) {
    for (std::size_t i = count_; i & 1; i >>= 1) {  // a right node joins its left sibling
      sum = Add()(open_.back(), sum);
      open_.pop_back();
    }
    open_.push_back(sum);
    ++count_;
  }
  std::size_t count() const { return count_; }
  T root() const { return open_.front(); }

 private:
  std::vector<T> open_;  // left nodes that wait for their siblings
  std::size_t count_ = 0;
};

namespace detail {

template <class T, class Add, std::size_t N>
T pairwise_of(const T *rows) {
  if constexpr (N == 1) {
    return Add::load(rows[0]);
  } else {
    return Add()(pairwise_of<T, Add, N / 2>(rows), pairwise_of<T, Add, N - N / 2>(rows + N / 2));
  }
}

// pairwise_of<1>, ..., pairwise_of<N>: straight-line code for the bottom of the
// recursion.
template <class T, class Add, std::size_t... N>
constexpr auto pairwise_table(std::index_sequence<N...>) {
  return std::array<T (*)(const T *), sizeof...(N)>{&pairwise_of<T, Add, N + 1>...};
}

}  // namespace detail

// The pairwise sum of `size` >= 1 rows.
template <class T, class Add>
T pairwise_sum(const T *rows, std::size_t size) {
  constexpr std::size_t kBottom = 32;
  static constexpr auto kSums = detail::pairwise_table<T, Add>(std::make_index_sequence<kBottom>());
  if (size <= kBottom) return kSums[size - 1](rows);
  return Add()(pairwise_sum<T, Add>(rows, size / 2),
               pairwise_sum<T, Add>(rows + size / 2, size - size / 2));
}

// One node of the recursion, from rows that arrive in batches of any size: it
// sums the nodes of at most kLeafRows, holding the rows of one that batches cut
// in two.
template <class T, class Add>
class PairwisePart final : public Partial {
 public:
  explicit PairwisePart(std::size_t size) : tree_(size, kLeafRows), leaf_(tree_.node_size(0)) {}

  void update(const Batch &batch) override {
    const T *rows = batch.as<T>();
    std::size_t left = batch.size;
    while (left > 0) {
      const std::size_t taken = std::min(left, leaf_ - held_);
      if (taken == leaf_) {
        push(rows);
      } else {
        std::copy(rows, rows + taken, row_.data() + held_);
        held_ += taken;
        if (held_ == leaf_) push(row_.data());
      }
      rows += taken;
      left -= taken;
    }
  }
  T sum() const { return stack_.root(); }

 private:
  static constexpr std::size_t kLeafRows = 512;

  void push(const T *rows) {
    stack_.push(pairwise_sum<T, Add>(rows, leaf_));
    held_ = 0;
    if (stack_.count() < tree_.count()) leaf_ = tree_.node_size(stack_.count());
  }

  PairwiseTree tree_;
  PairwiseStack<T, Add> stack_;
  std::size_t leaf_;  // size of the current node
  std::size_t held_ = 0;
  std::array<T, kLeafRows> row_;
};

// The ranges are nodes of the recursion, so threads do not change the order of
// additions.
template <class T, class Add>
class PairwiseSum final : public Reducer {
 public:
  std::vector<std::size_t> cuts(std::size_t size) const override {
    std::vector<std::size_t> ends;
    if (size == 0) return ends;
    const PairwiseTree tree(size, kRangeLimit);
    for (std::size_t i = 0, end = 0; i < tree.count(); ++i) {
      ends.push_back(end += tree.node_size(i));
    }
    return ends;
  }
  std::unique_ptr<Partial> start(std::size_t range_size) const override {
    return std::make_unique<PairwisePart<T, Add>>(range_size);
  }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    if (parts.empty()) return Scalar(T{0});
    PairwiseStack<T, Add> stack;
    for (const auto &part : parts) {
      stack.push(static_cast<const PairwisePart<T, Add> &>(*part).sum());
    }
    return Scalar(Add::store(stack.root()));
  }

 private:
  static constexpr std::size_t kRangeLimit = std::size_t{1} << 17;
};

}  // namespace dp
