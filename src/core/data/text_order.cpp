#include "core/data/text_order.h"

#include <algorithm>
#include <numeric>

#include "core/runtime/parallel.h"
#include "core/runtime/prefetch.h"

namespace dp {
namespace {

// Eight bytes of a text as a number that is in the order of the bytes, and which text.
struct Entry {
  std::uint64_t bytes;
  std::size_t place;
};
using Entries = std::vector<Entry>::iterator;

// Below this many texts, waking threads costs more than it saves.
constexpr std::size_t kParallelTexts = std::size_t{1} << 15;

// Missing bytes at the end count as zeros.
std::uint64_t bytes_at(std::string_view text, std::size_t offset) {
  const std::size_t left = offset < text.size() ? text.size() - offset : 0;
  const auto* from = reinterpret_cast<const unsigned char*>(text.data()) + offset;
  std::uint64_t number = 0;
  if (left >= 8) {
    for (std::size_t i = 0; i < 8; ++i) number = number << 8 | from[i];
    return number;
  }
  for (std::size_t i = 0; i < left; ++i) number |= std::uint64_t{from[i]} << (56 - 8 * i);
  return number;
}

bool is_before(const std::vector<std::string_view>& texts, const Entry& a, const Entry& b) {
  return a.bytes == b.bytes ? texts[a.place] < texts[b.place] : a.bytes < b.bytes;
}

// Sorts entries of texts that agree before `offset`, by their bytes from there on.
void sort_from(const std::vector<std::string_view>& texts,
               Entries begin,
               Entries end,
               std::size_t offset) {
  // Eight bytes more are one step more into the stack, which texts must not exhaust.
  constexpr std::size_t kDeepest = 64;
  if (offset == kDeepest) {
    std::sort(begin, end, [&](const Entry& a, const Entry& b) { return is_before(texts, a, b); });
    return;
  }
  std::sort(begin, end, [](const Entry& a, const Entry& b) { return a.bytes < b.bytes; });
  while (begin != end) {
    const Entries same = std::find_if(
        begin + 1, end, [&](const Entry& entry) { return entry.bytes != begin->bytes; });
    if (same - begin > 1) {
      // Texts that end here differ from those that go on with zeros in length alone.
      const Entries more = std::partition(
          begin, same, [&](const Entry& entry) { return texts[entry.place].size() <= offset + 8; });
      std::sort(begin, more, [&](const Entry& a, const Entry& b) {
        return texts[a.place].size() < texts[b.place].size();
      });
      for (Entries at = more; at != same; ++at) {
        at->bytes = bytes_at(texts[at->place], offset + 8);
      }
      if (more != same) sort_from(texts, more, same, offset + 8);
    }
    begin = same;
  }
}

// Sorts all entries in parts that several threads sort: whatever is between two of some texts.
void sort_in_parts(const std::vector<std::string_view>& texts, std::vector<Entry>& entries) {
  constexpr std::size_t kParts = 32;
  constexpr std::size_t kSamples = 16 * kParts;
  constexpr std::size_t kChunk = std::size_t{1} << 14;
  const auto before = [&](const Entry& a, const Entry& b) { return is_before(texts, a, b); };
  std::vector<Entry> sample;
  for (std::size_t i = 0; i < kSamples; ++i)
    sample.push_back(entries[i * (entries.size() / kSamples)]);
  std::sort(sample.begin(), sample.end(), before);
  std::vector<Entry> splits;
  for (std::size_t i = 1; i < kParts; ++i) splits.push_back(sample[i * (kSamples / kParts)]);

  std::vector<std::uint8_t> part_of(entries.size());
  parallel_for((entries.size() + kChunk - 1) / kChunk, thread_count(), [&](std::size_t chunk) {
    const std::size_t end = std::min(entries.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      part_of[i] = static_cast<std::uint8_t>(
          std::upper_bound(splits.begin(), splits.end(), entries[i], before) - splits.begin());
    }
  });
  std::vector<std::size_t> ends(kParts + 1);
  for (const std::uint8_t part : part_of) ++ends[part + std::size_t{1}];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::size_t> next(ends);
  std::vector<Entry> parted(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) parted[next[part_of[i]]++] = entries[i];
  entries.swap(parted);
  const auto at = [&](std::size_t part) {
    return entries.begin() + static_cast<std::ptrdiff_t>(ends[part]);
  };
  parallel_for(kParts, thread_count(), [&](std::size_t part) {
    sort_from(texts, at(part), at(part + 1), 0);
  });
}

}  // namespace

std::vector<std::size_t> order_of_texts(const std::vector<std::string_view>& texts) {
  std::vector<Entry> entries(texts.size());
  constexpr std::size_t kAhead = 16;  // texts lie all over memory
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i + kAhead < texts.size()) fetch(texts[i + kAhead].data());
    entries[i] = {bytes_at(texts[i], 0), i};
  }
  if (texts.size() < kParallelTexts) {
    sort_from(texts, entries.begin(), entries.end(), 0);
  } else {
    sort_in_parts(texts, entries);
  }
  std::vector<std::size_t> order(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) order[i] = entries[i].place;
  return order;
}

}  // namespace dp
