// Counts of each of many 64-bit words, by several threads at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/transformations/counts/cell_hash.h"

namespace dp {

// A hash table from words to counts, with open addressing, at most half full.
class WordTable {
 public:
  struct Slot {
    std::uint64_t word;
    std::uint64_t count;  // 0 for a free place
  };

  // With room for half of `slots`, a power of two, before it grows.
  WordTable(const CellHash& hash, std::size_t slots) : hash_(hash), slots_(slots) {}

  std::size_t size() const { return used_; }

  void add(std::uint64_t word, std::uint64_t count) { add_at(hash_(word), word, count); }

  // Adds each of `words` once.
  void add_all(const std::uint64_t* words, std::size_t size);

  // Calls use(word, count) for every word.
  template <class F>
  void each(F&& use) const {
    for (const Slot& slot : slots_) {
      if (slot.count > 0) use(slot.word, slot.count);
    }
  }

 private:
  void add_at(std::uint64_t code, std::uint64_t word, std::uint64_t count) {
    std::size_t at = static_cast<std::size_t>(code) & (slots_.size() - 1);
    while (slots_[at].count > 0) {
      if (slots_[at].word == word) {
        slots_[at].count += count;
        return;
      }
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = {word, count};
    if (2 * ++used_ > slots_.size()) grow();
  }

  void grow();

  CellHash hash_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// A tally of few words, which stay in the cache.
class FewWords {
 public:
  explicit FewWords(const CellHash& hash);

  std::size_t size() const { return used_; }
  bool is_full() const;

  // Adds each of `words` once, until it is full. Returns the number of added words.
  std::size_t add(const std::uint64_t* words, std::size_t size);

  // Calls use(word, count) for every word.
  template <class F>
  void each(F&& use) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > 0) use(words_[i], counts_[i]);
    }
  }

  void clear();

 private:
  bool is_crowded() const;
  void add_some(const std::uint64_t* words, std::size_t size);
  void resize(int bits);

  std::uint64_t factor_;  // odd; hashes are the top bits of a product with it
  int shift_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> counts_;  // 0 for a free place
  std::size_t used_ = 0;
};

// While there are few words, each thread counts in a separate table that stays in its cache. From
// the first range with many words on, it sorts words by the top bits of their hash and adds each
// sort to the table of these bits, which no other thread needs at that time. Memory is in
// proportion to the number of threads and of different words.
class WordTally {
 public:
  WordTally();
  ~WordTally();

  // A range of words, which one thread adds.
  class Range;

  struct Counts {
    std::vector<std::uint64_t> words;  // distinct, in no order that means anything
    std::vector<std::uint64_t> counts;
  };
  Counts counts() const;

 private:
  static constexpr std::size_t kSorts = 64;

  struct Sort {
    explicit Sort(const CellHash& hash) : table(hash, 16) {}
    std::mutex mutex;
    WordTable table;
  };
  struct Desk;  // what one thread works with

  std::size_t sort_of(std::uint64_t word) const {
    return static_cast<std::size_t>(hash_(word) >> 58);
  }
  std::unique_ptr<Desk> take_desk();
  void give_back(std::unique_ptr<Desk> desk);
  void add_few(FewWords& few);  // and leaves it empty
  void add_many(Desk& desk);    // and leaves its words empty

  CellHash hash_ = CellHash::of_process();
  std::vector<std::unique_ptr<Sort>> sorts_;
  std::atomic<bool> many_{false};
  std::atomic<std::size_t> first_sort_{0};
  std::mutex desks_mutex_;
  std::vector<std::unique_ptr<Desk>> desks_;
};

class WordTally::Range {
 public:
  Range(WordTally& tally, std::size_t size);
  ~Range();

  // Adds the next words; the last ones end the range.
  void add(const std::uint64_t* words, std::size_t count);

 private:
  WordTally& tally_;
  std::size_t left_;
  std::unique_ptr<Desk> desk_;
};

}  // namespace dp
