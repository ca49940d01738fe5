#include "core/transformations/counts/hash_counts_u64.h"

#include <algorithm>

#include "core/runtime/prefetch.h"

namespace dp {
namespace {

// Tables of few words are at most a quarter full before they take this many more.
constexpr std::size_t kFewAtOnce = 256;
constexpr int kFewestBits = 12;
constexpr int kMostBits = 14;

// Number of words that are sorted at once: enough for each sort to profit from the cache.
constexpr std::size_t kDeskWords = std::size_t{1} << 17;

// Number of words to prefetch table slots for, which are in memory or in another core's cache.
constexpr std::size_t kAhead = 32;

}  // namespace

void WordTable::add_all(const std::uint64_t* words, std::size_t size) {
  std::uint64_t codes[kAhead];
  for (std::size_t begin = 0; begin < size; begin += kAhead) {
    const std::size_t count = std::min(kAhead, size - begin);
    for (std::size_t i = 0; i < count; ++i) {
      codes[i] = hash_(words[begin + i]);
      fetch(&slots_[static_cast<std::size_t>(codes[i]) & (slots_.size() - 1)]);
    }
    for (std::size_t i = 0; i < count; ++i) add_at(codes[i], words[begin + i], 1);
  }
}

void WordTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::size_t at = static_cast<std::size_t>(hash_(slot.word)) & mask;
    while (slots_[at].count > 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

FewWords::FewWords(const CellHash& hash) : factor_(hash(0) | 1) { resize(kFewestBits); }

bool FewWords::is_crowded() const { return 4 * used_ > counts_.size(); }

bool FewWords::is_full() const {
  return counts_.size() == std::size_t{1} << kMostBits && is_crowded();
}

std::size_t FewWords::add(const std::uint64_t* words, std::size_t size) {
  std::size_t taken = 0;
  while (taken < size && !is_full()) {
    if (is_crowded()) resize(64 - shift_ + 1);
    const std::size_t count = std::min(kFewAtOnce, size - taken);
    add_some(words + taken, count);
    taken += count;
  }
  return taken;
}

// Whether a word is at its first slot is not predictable, so there is no branch on it: other words
// are handled later.
void FewWords::add_some(const std::uint64_t* words, std::size_t size) {
  const std::uint64_t factor = factor_;
  const int shift = shift_;
  const std::uint64_t* const places = words_.data();
  std::uint64_t* const counts = counts_.data();
  std::uint64_t elsewhere[kFewAtOnce];
  std::size_t left = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(words[i] * factor >> shift);
    const bool here = places[at] == words[i] && counts[at] > 0;
    counts[at] += here ? 1 : 0;
    elsewhere[left] = words[i];
    left += here ? 0 : 1;
  }
  const std::size_t mask = words_.size() - 1;
  for (std::size_t i = 0; i < left; ++i) {
    auto at = static_cast<std::size_t>(elsewhere[i] * factor >> shift);
    while (counts_[at] > 0 && words_[at] != elsewhere[i]) at = (at + 1) & mask;
    words_[at] = elsewhere[i];
    used_ += counts_[at]++ == 0 ? 1 : 0;
  }
}

void FewWords::clear() {
  std::fill(words_.begin(), words_.end(), 0);
  std::fill(counts_.begin(), counts_.end(), 0);
  used_ = 0;
}

void FewWords::resize(int bits) {
  std::vector<std::uint64_t> words(std::size_t{1} << bits), counts(words.size());
  words.swap(words_);
  counts.swap(counts_);
  shift_ = 64 - bits;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (counts[i] == 0) continue;
    std::size_t at = static_cast<std::size_t>(words[i] * factor_ >> shift_);
    while (counts_[at] > 0) at = (at + 1) & (counts_.size() - 1);
    words_[at] = words[i];
    counts_[at] = counts[i];
  }
}

struct WordTally::Desk {
  explicit Desk(const CellHash& hash) : few(hash) {}

  FewWords few;
  std::vector<std::uint64_t> words;   // that are still to be sorted
  std::vector<std::uint64_t> sorted;  // the same, one sort after another
};

WordTally::WordTally() {
  for (std::size_t i = 0; i < kSorts; ++i) sorts_.push_back(std::make_unique<Sort>(hash_));
}

WordTally::~WordTally() = default;

std::unique_ptr<WordTally::Desk> WordTally::take_desk() {
  const std::lock_guard<std::mutex> lock(desks_mutex_);
  if (desks_.empty()) return std::make_unique<Desk>(hash_);
  auto desk = std::move(desks_.back());
  desks_.pop_back();
  return desk;
}

void WordTally::give_back(std::unique_ptr<Desk> desk) {
  const std::lock_guard<std::mutex> lock(desks_mutex_);
  desks_.push_back(std::move(desk));
}

void WordTally::add_few(FewWords& few) {
  few.each([&](std::uint64_t word, std::uint64_t count) {
    Sort& sort = *sorts_[sort_of(word)];
    const std::lock_guard<std::mutex> lock(sort.mutex);
    sort.table.add(word, count);
  });
  few.clear();
}

void WordTally::add_many(Desk& desk) {
  std::size_t ends[kSorts + 1] = {};
  for (const std::uint64_t word : desk.words) ++ends[sort_of(word) + 1];
  for (std::size_t i = 0; i < kSorts; ++i) ends[i + 1] += ends[i];
  desk.sorted.resize(desk.words.size());
  std::size_t next[kSorts];
  std::copy(ends, ends + kSorts, next);
  for (const std::uint64_t word : desk.words) desk.sorted[next[sort_of(word)]++] = word;
  desk.words.clear();
  // Threads start at different sorts, so that they rarely wait for each other.
  const std::size_t first = first_sort_ += kSorts / 4 + 1;
  for (std::size_t i = 0; i < kSorts; ++i) {
    const std::size_t at = (first + i) % kSorts;
    const std::lock_guard<std::mutex> lock(sorts_[at]->mutex);
    sorts_[at]->table.add_all(&desk.sorted[ends[at]], ends[at + 1] - ends[at]);
  }
}

WordTally::Counts WordTally::counts() const {
  Counts counts;
  std::size_t size = 0;
  for (const auto& sort : sorts_) size += sort->table.size();
  counts.words.reserve(size);
  counts.counts.reserve(size);
  for (const auto& sort : sorts_) {
    sort->table.each([&](std::uint64_t word, std::uint64_t count) {
      counts.words.push_back(word);
      counts.counts.push_back(count);
    });
  }
  return counts;
}

WordTally::Range::Range(WordTally& tally, std::size_t size)
    : tally_(tally), left_(size), desk_(tally.take_desk()) {}

WordTally::Range::~Range() = default;

void WordTally::Range::add(const std::uint64_t* words, std::size_t count) {
  left_ -= count;
  const std::uint64_t* const end = words + count;
  if (!tally_.many_) {
    words += desk_->few.add(words, count);
    if (desk_->few.is_full()) tally_.many_ = true;
  }
  while (words != end) {
    const std::size_t room = kDeskWords - desk_->words.size();
    const std::uint64_t* const stop = words + std::min(room, static_cast<std::size_t>(end - words));
    desk_->words.insert(desk_->words.end(), words, stop);
    words = stop;
    if (desk_->words.size() == kDeskWords) tally_.add_many(*desk_);
  }
  if (left_ > 0) return;
  if (!desk_->words.empty()) tally_.add_many(*desk_);
  if (desk_->few.size() > 0) tally_.add_few(desk_->few);
  tally_.give_back(std::move(desk_));
}

}  // namespace dp
