// Counts of each distinct row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/data/text_order.h"
#include "core/engine/stage.h"
#include "core/transformations/counts/hash_counts_u64.h"
#include "core/transformations/rows/cell_index.h"

namespace dp {

// The distinct rows, and their counts at the same indices. T is hashable (hashable.h).
template <class T>
struct DistinctRows {
  std::vector<Element<T>> rows;
  std::vector<std::uint64_t> counts;
};

namespace detail {

template <class T>
std::vector<std::size_t> order_of(const std::vector<Element<T>>& rows) {
  if constexpr (std::is_same_v<T, std::string>) {
    return order_of_texts(rows);
  } else {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return rows[a] < rows[b];
    });
    return order;
  }
}

// Merges in increasing order, text byte by byte, and joins equal rows.
template <class T>
DistinctRows<T> in_order(const DistinctRows<T>& in) {
  DistinctRows<T> out;
  out.rows.reserve(in.rows.size());
  out.counts.reserve(in.rows.size());
  for (const std::size_t place : order_of<T>(in.rows)) {
    // Compares values, because some libraries cannot compare two references into a vector<bool>.
    if (!out.rows.empty() && Element<T>(out.rows.back()) == Element<T>(in.rows[place])) {
      out.counts.back() += in.counts[place];
    } else {
      out.rows.push_back(in.rows[place]);
      out.counts.push_back(in.counts[place]);
    }
  }
  return out;
}

}  // namespace detail

// Computes a result from the distinct rows. Reducers of passes decide how these are found, which
// depends on the storage of rows.
template <class T>
class TallyReducer : public Reducer {
 public:
  // `all` is in increasing order if it is_ordered(), and its text may end with the rows.
  virtual Value result(const DistinctRows<T>& all) const = 0;
  virtual bool is_ordered() const { return false; }

  Value result_of(DistinctRows<T> all, bool distinct) const {
    return result(is_ordered() || !distinct ? detail::in_order(all) : all);
  }

  std::shared_ptr<const Reducer> for_pass() const final;
  std::shared_ptr<const Reducer> over_codes(const CodedText& text) const final;

  std::unique_ptr<Partial> start(std::size_t) const final { refuse(); }
  Value finish(std::vector<std::unique_ptr<Partial>>, std::size_t) const final { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw std::logic_error("passes have reducers of their own.");
  }
};

// The distinct texts of a range, and their counts.
class TextTally final : public Partial {
 public:
  void update(const Batch& batch) override {
    const std::string_view* rows = batch.as<std::string>();
    for (std::size_t i = 0; i < batch.size; ++i) add(rows[i], 1);
  }

  void merge(Partial&& later) override {
    const auto& other = static_cast<const TextTally&>(later);
    for (std::size_t i = 0; i < other.counts_.size(); ++i) add(other.rows_[i], other.counts_[i]);
  }

  const CellIndex<std::string>& rows() const { return rows_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  void add(std::string_view row, std::uint64_t count) {
    const std::size_t number = rows_.add(row);
    if (number == counts_.size()) counts_.push_back(0);
    counts_[number] += count;
  }

  CellIndex<std::string> rows_;
  std::vector<std::uint64_t> counts_;
};

// Uses few ranges, because each of them may hold every distinct text.
class TextPass final : public Reducer {
 public:
  explicit TextPass(const TallyReducer<std::string>& owner) : owner_(owner) {}

  std::vector<std::size_t> cuts(std::size_t size) const override {
    constexpr std::size_t kRanges = 16;
    constexpr std::size_t kLeastRows = std::size_t{1} << 17;
    const std::size_t range = std::max(kLeastRows, size / kRanges + 1);
    std::vector<std::size_t> ends;
    for (std::size_t begin = 0; begin < size; begin += range) {
      ends.push_back(std::min(begin + range, size));
    }
    return ends;
  }

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<TextTally>();
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    const auto all = merged(std::move(parts));
    const auto& tally = static_cast<const TextTally&>(*all);
    DistinctRows<std::string> distinct{{}, tally.counts()};
    for (std::size_t i = 0; i < tally.rows().size(); ++i) distinct.rows.push_back(tally.rows()[i]);
    return owner_.result_of(std::move(distinct), true);
  }

 private:
  const TallyReducer<std::string>& owner_;
};

// One pass over rows that are words, whose ranges add to one tally.
template <class Word>
class WordPass : public Reducer {
 public:
  std::unique_ptr<Partial> start(std::size_t range_size) const override {
    return std::make_unique<Part>(tally_, range_size);
  }

  Value finish(std::vector<std::unique_ptr<Partial>>, std::size_t) const final {
    return result(tally_.counts());
  }

 private:
  class Part final : public Partial {
   public:
    Part(WordTally& tally, std::size_t size) : range_(tally, size) {}

    void update(const Batch& batch) override {
      const Word* rows = batch.as<Word>();
      if constexpr (std::is_same_v<Word, std::uint64_t>) {
        range_.add(rows, batch.size);
        return;
      }
      std::uint64_t words[kBatchRows];
      for (std::size_t begin = 0; begin < batch.size; begin += kBatchRows) {
        const std::size_t count = std::min(kBatchRows, batch.size - begin);
        for (std::size_t i = 0; i < count; ++i) {
          words[i] = static_cast<std::uint64_t>(rows[begin + i]);
        }
        range_.add(words, count);
      }
    }

   private:
    WordTally::Range range_;
  };

  virtual Value result(WordTally::Counts counts) const = 0;

  mutable WordTally tally_;  // safe for threads
};

template <class T>
class IntegerPass final : public WordPass<T> {
 public:
  explicit IntegerPass(const TallyReducer<T>& owner) : owner_(owner) {}

 private:
  Value result(WordTally::Counts counts) const override {
    DistinctRows<T> distinct{{}, std::move(counts.counts)};
    distinct.rows.reserve(counts.words.size());
    for (const std::uint64_t word : counts.words) distinct.rows.push_back(static_cast<T>(word));
    return owner_.result_of(std::move(distinct), true);
  }

  const TallyReducer<T>& owner_;
};

// Applies `use` to the occurring texts and their counts; some of the texts may be equal.
class CodePass final : public WordPass<std::uint64_t> {
 public:
  using Use = std::function<Value(CodedText::Texts texts, std::vector<std::uint64_t> counts)>;

  CodePass(const CodedText& text, Use use) : text_(text), use_(std::move(use)) {}

 private:
  Value result(WordTally::Counts counts) const override {
    BatchBuffer buffer;
    return use_(text_.texts(counts.words, buffer), std::move(counts.counts));
  }

  const CodedText& text_;
  Use use_;
};

template <class T>
std::shared_ptr<const Reducer> TallyReducer<T>::for_pass() const {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::make_shared<TextPass>(*this);
  } else {
    return std::make_shared<IntegerPass<T>>(*this);
  }
}

template <class T>
std::shared_ptr<const Reducer> TallyReducer<T>::over_codes(const CodedText& text) const {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::make_shared<CodePass>(
        text, [this](CodedText::Texts texts, std::vector<std::uint64_t> counts) {
          return result_of({std::move(texts.views), std::move(counts)}, texts.distinct);
        });
  } else {
    return nullptr;
  }
}

}  // namespace dp
