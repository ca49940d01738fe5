#include "core/numeric/least_value.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "core/numeric/directed.h"

namespace dp {
namespace {

constexpr int kGuesses = 6;
constexpr double kClose = 0x1p-40;  // to a share of 1: what is left is a matter of single steps
constexpr std::uint64_t kStrides[] = {
    1, 2, 4, 16, 256, std::uint64_t{1} << 16, std::uint64_t{1} << 32};

// Doubles from 0 up are ordered like their bit patterns.
double real_at(std::uint64_t place) {
  static_assert(std::numeric_limits<double>::is_iec559);
  double x;
  std::memcpy(&x, &place, sizeof x);
  return x;
}

std::uint64_t place_of_real(double x) {
  std::uint64_t place;
  std::memcpy(&place, &x, sizeof place);
  return place;
}

class Search {
 public:
  Search(Values values, const std::function<Taken(double)>& judge)
      : reals_(values == Values::reals), judge_(judge), high_(last() + 1) {}

  std::optional<double> run() {
    guess();
    walk();
    halve();
    if (high_ > last()) return std::nullopt;
    return value_at(high_);
  }

 private:
  std::uint64_t last() const {
    return reals_ ? place_of_real(std::numeric_limits<double>::max()) : std::uint64_t{1} << 53;
  }
  double value_at(std::uint64_t place) const {
    return reals_ ? real_at(place) : static_cast<double>(place);
  }
  std::uint64_t place_of(double value) const {
    const double x = std::min(value, value_at(last()));
    return reals_ ? place_of_real(x) : static_cast<std::uint64_t>(x);
  }

  Taken probe(std::uint64_t place) {
    const Taken taken = judge_(value_at(place));
    if (taken.within) {
      high_ = place;
    } else {
      low_ = place + 1;
    }
    within_ = taken.within;
    return taken;
  }

  void guess() {
    double value = 1;
    for (int i = 0; i < kGuesses && value > 0; ++i) {
      const std::uint64_t place = place_of(value);
      if (place < low_ || place >= high_) return;
      const double share = probe(place).share;
      if (share == 0 && low_ < high_) probe(low_);
      if (!(share > 0) || std::isinf(share) || std::abs(share - 1) < kClose) return;
      value = next_guess(value_at(place), share);
    }
  }

  // Newton's method on ln(share), over ln(value) or the whole value.
  double next_guess(double value, double share) {
    const std::pair<double, double> here{reals_ ? ln_up(value) : value, ln_up(share)};
    double slope = -1;
    if (before_) {
      const double secant = (here.second - before_->second) / (here.first - before_->first);
      if (secant < 0 && std::isfinite(secant)) slope = secant;
    }
    before_ = here;
    const double step = -here.second / slope;
    if (!reals_) return std::ceil(value + step);
    return slope == -1 ? value * share : value * exp_up(std::min(step, 700.0));
  }

  void walk() {
    const bool down = within_;
    for (const std::uint64_t step : kStrides) {
      const std::uint64_t room = std::min(step, high_ - low_);
      if (room == 0) return;
      probe(down ? high_ - room : low_ + room - 1);
      if (within_ != down) return;
    }
  }

  void halve() {
    if (low_ < high_ && high_ > last()) probe(last());
    while (low_ < high_) probe(low_ + (high_ - low_) / 2);
  }

  bool reals_;
  const std::function<Taken(double)>& judge_;
  std::uint64_t low_ = 0;  // all before are not within
  std::uint64_t high_;     // the least that is known to be within, or behind the last
  bool within_ = false;    // what was judged last
  std::optional<std::pair<double, double>> before_;
};

}  // namespace

std::optional<double> least_value(Values values, const std::function<Taken(double)>& judge) {
  return Search(values, judge).run();
}

}  // namespace dp
