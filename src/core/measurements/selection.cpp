#include "core/measurements/selection.h"

#include <cstdint>
#include <numeric>
#include <utility>

#include "core/measurements/score_gap.h"
#include "core/random/exp_coin.h"
#include "core/random/exponential_race.h"
#include "core/random/uniform.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr std::size_t kDrawsBetweenInterrupts = std::size_t{1} << 16;

// The remaining scores, and the draw of each.
template <class T>
class Candidates {
 public:
  Candidates(const std::vector<T>& scores, double scale, bool negate)
      : scores_(scores), scale_(scale), negate_(negate), left_(scores.size()) {
    std::iota(left_.begin(), left_.end(), std::size_t{0});
  }

  bool empty() const { return left_.empty(); }

  // Removes the candidate at `place` and returns its index.
  std::size_t take(std::size_t place) {
    const std::size_t index = left_[place];
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
    return index;
  }

  std::size_t select(SelectionRule rule, BitSource& bits) {
    const std::size_t best = last_best();
    if (scale_ == 0) return best;
    best_ = scores_[left_[best]];
    return rule == SelectionRule::permute_and_flip ? flip_all(bits) : race(bits);
  }

 private:
  std::size_t last_best() const {
    std::size_t best = 0;
    for (std::size_t place = 1; place < left_.size(); ++place) {
      const T score = scores_[left_[place]];
      const T record = scores_[left_[best]];
      best = (negate_ ? score <= record : score >= record) ? place : best;
    }
    return best;
  }

  std::size_t flip_all(BitSource& bits) {
    accepted_.clear();
    for (std::size_t place = 0; place < left_.size(); ++place) {
      if (coin(place, bits)) accepted_.push_back(place);
    }
    return accepted_[uniform_below(accepted_.size(), bits)];
  }

  std::size_t race(BitSource& bits) const {
    ExponentialRace race(left_.size());
    for (std::size_t place = 0; place < left_.size(); ++place) {
      if (place % kDrawsBetweenInterrupts == 0) check_interrupt();
      const auto [more, less] = ends(place);
      race.run(place, fixed_exponent(more, less, scale_), bits);
    }
    const auto exact = [this](std::size_t place) {
      const auto [more, less] = ends(place);
      return exact_exponent(more, less, scale_);
    };
    return race.first(exact, bits);
  }

  bool coin(std::size_t place, BitSource& bits) const {
    const auto [more, less] = ends(place);
    return exp_coin(
        exponent_bounds(more, less, scale_),
        [more = more, less = less, this] { return exact_exponent(more, less, scale_); },
        bits);
  }

  // The better and the worse of the best score and that at `place`.
  std::pair<T, T> ends(std::size_t place) const {
    const T score = scores_[left_[place]];
    return {negate_ ? score : best_, negate_ ? best_ : score};
  }

  const std::vector<T>& scores_;
  double scale_;
  bool negate_;
  T best_{};
  std::vector<std::size_t> left_;
  std::vector<std::size_t> accepted_;
};

}  // namespace

SelectionRule selection_rule(const Measure& measure) {
  if (measure == max_divergence()) return SelectionRule::permute_and_flip;
  if (measure == zero_concentrated_divergence()) return SelectionRule::exponential;
  throw Error(ErrorKind::type,
              "No match for concrete type " + type_name(measure) +
                  ". output_measure must be MaxDivergence or ZeroConcentratedDivergence.");
}

template <class T>
std::vector<std::size_t> select_top(const std::vector<T>& scores,
                                    std::size_t k,
                                    double scale,
                                    bool negate,
                                    SelectionRule rule,
                                    BitSource& bits) {
  Candidates<T> candidates(scores, scale, negate);
  std::vector<std::size_t> selected;
  while (selected.size() < k && !candidates.empty()) {
    check_interrupt();
    selected.push_back(candidates.take(candidates.select(rule, bits)));
  }
  return selected;
}

#define DP_INSTANTIATE(T)                       \
  template std::vector<std::size_t> select_top( \
      const std::vector<T>&, std::size_t, double, bool, SelectionRule, BitSource&)
DP_INSTANTIATE(std::int8_t);
DP_INSTANTIATE(std::int16_t);
DP_INSTANTIATE(std::int32_t);
DP_INSTANTIATE(std::int64_t);
DP_INSTANTIATE(int128_t);
DP_INSTANTIATE(std::uint8_t);
DP_INSTANTIATE(std::uint16_t);
DP_INSTANTIATE(std::uint32_t);
DP_INSTANTIATE(std::uint64_t);
DP_INSTANTIATE(float);
DP_INSTANTIATE(double);
#undef DP_INSTANTIATE

}  // namespace dp
