#include "core/sample_aggregate/select.h"

#include <algorithm>
#include <utility>

namespace dp {
namespace {

constexpr std::size_t kSample = 33;
constexpr std::size_t kSmall = 2 * kSample;  // sorted outright
constexpr int kRounds = 64;                  // a round leaves less than half, nearly always

// Moves the elements for which before(x) holds to the front; returns how many there are.
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

}  // namespace dp
