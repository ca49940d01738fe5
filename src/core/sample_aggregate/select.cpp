#include "core/sample_aggregate/select.h"

#include <algorithm>
#include <utility>

#include "core/runtime/scratch.h"

namespace dp {
namespace {

constexpr std::size_t kSample = 33;
constexpr std::size_t kSmall = 2 * kSample;  // sorted outright
constexpr int kRounds = 64;                  // a round leaves less than half, nearly always

// Moves the elements with before(x) to the front; returns their number.
template <class F>
std::size_t partition_front(std::int64_t* first, std::size_t begin, std::size_t end, F before) {
  std::size_t front = begin;
  for (std::size_t i = begin; i < end; ++i) {
    const std::int64_t x = first[i];
    first[i] = first[front];
    first[front] = x;
    front += before(x) ? 1 : 0;
  }
  return front;
}

struct Pivot {
  std::int64_t value;
  bool repeats;
};

// Where `rank` would be in a sample of every (size / kSample)-th element.
Pivot pivot_near(const std::int64_t* first, std::size_t size, std::size_t rank) {
  std::int64_t sample[kSample];
  const std::size_t stride = size / kSample;
  for (std::size_t i = 0; i < kSample; ++i) sample[i] = first[i * stride + stride / 2];
  std::sort(sample, sample + kSample);
  const std::size_t at = std::min(rank / stride, kSample - 1);
  return {sample[at],
          (at > 0 && sample[at - 1] == sample[at]) ||
              (at + 1 < kSample && sample[at + 1] == sample[at])};
}

std::pair<std::int64_t, std::int64_t> neighbours_in_place(std::int64_t* first,
                                                          std::size_t size,
                                                          std::size_t rank) {
  const std::int64_t upper = select_rank(first, size, rank);
  return {*std::max_element(first, first + rank), upper};
}

}  // namespace

std::int64_t select_rank(std::int64_t* first, std::size_t size, std::size_t rank) {
  std::size_t begin = 0;  // the element is in [begin, end)
  std::size_t end = size;
  for (int round = 0; end - begin > kSmall && round < kRounds; ++round) {
    const Pivot pivot = pivot_near(first + begin, end - begin, rank - begin);
    const std::int64_t p = pivot.value;
    const std::size_t smaller =
        partition_front(first, begin, end, [p](std::int64_t x) { return x < p; });
    if (rank < smaller) {
      end = smaller;
    } else if (pivot.repeats || smaller == begin) {
      const std::size_t not_larger =
          partition_front(first, smaller, end, [p](std::int64_t x) { return x <= p; });
      if (rank < not_larger) return p;
      begin = not_larger;
    } else {
      begin = smaller;
    }
  }
  std::nth_element(first + begin, first + rank, first + end);
  return first[rank];
}

std::pair<std::int64_t, std::int64_t> select_neighbours(std::int64_t* first,
                                                        std::size_t size,
                                                        std::size_t rank) {
  constexpr std::size_t kWorthBracketing = 2048;
  constexpr std::size_t kBracketSample = 128;
  constexpr std::size_t kAhead = 128;  // elements: far memory takes as long
  constexpr std::size_t kReach = 16;   // 2.8 standard deviations of a rank in the sample
  if (size >= kWorthBracketing) {
    std::int64_t sample[kBracketSample];
    const std::size_t stride = size / kBracketSample;
    for (std::size_t i = 0; i < kBracketSample; ++i) sample[i] = first[i * stride + stride / 2];
    std::sort(sample, sample + kBracketSample);
    const std::size_t at = std::min(rank / stride, kBracketSample - 1);
    const std::int64_t low = sample[at - std::min(at, kReach)];
    const std::int64_t high = sample[std::min(at + kReach, kBracketSample - 1)];
    const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const Scratch<std::int64_t> within = make_scratch<std::int64_t>(size);
    std::size_t kept = 0;
    std::size_t below = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t x = first[i];
      __builtin_prefetch(first + i + kAhead);
      within[kept] = x;
      kept += static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(low) <= width ? 1 : 0;
      below += x < low ? 1 : 0;
    }
    if (below < rank && rank < below + kept) {
      return neighbours_in_place(within.get(), kept, rank - below);
    }
  }
  return neighbours_in_place(first, size, rank);
}

}  // namespace dp
