#include "core/query/key_selection.h"

#include <algorithm>
#include <cmath>

#include "core/measurements/laplace.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/query/norms.h"
#include "core/random/bernoulli.h"

namespace dp::query {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 22;

// (e^(s epsilon) - 1) / (e^epsilon - 1), rounded up: the delta of s steps in units of one step.
// Delta is at most 1, so larger results stop at 2^1000.
double steps_up(double epsilon, std::uint64_t s) {
  if (s <= 1) return static_cast<double>(s);
  const double exponent = mul_up(epsilon, to_double_up(Rational(Integer(s))));
  if (!(exponent < 690)) return 0x1p1000;
  return div_up(expm1_up(exponent), expm1_down(epsilon));
}

// The same sum over all groups that can move, each as far as it can.
double all_steps_up(double epsilon, const ContributionBound& bound) {
  if (bound.rows == 0) return 0;
  const std::uint64_t full = std::min(bound.groups, bound.rows / bound.rows_per_group);
  const std::uint64_t rest = full < bound.groups ? bound.rows - full * bound.rows_per_group : 0;
  const double groups = to_double_up(Rational(Integer(full)));
  return add_up(mul_up(groups, steps_up(epsilon, bound.rows_per_group)), steps_up(epsilon, rest));
}

double loss_of_steps(double epsilon, const ContributionBound& bound, bool concentrated) {
  const Sensitivity norms = sensitivity(bound, {1, {}, false});
  const Rational step = exact_rational(epsilon);
  return concentrated ? to_double_up(step * step * norms.l2_squared / 2)
                      : to_double_up(step * norms.l1);
}

double loss_to_step(double loss, const Sensitivity& norms, bool concentrated) {
  if (!concentrated) return div_down(loss, to_double_up(Rational(norms.l1)));
  return sqrt_down(div_down(mul_down(2.0, loss), to_double_up(Rational(norms.l2_squared))));
}

}  // namespace

KeySelection::KeySelection(Epsilon epsilon, Delta delta)
    : epsilon_(epsilon.value()), delta_(delta.value()) {
  if (!(epsilon_ > 0) || !(delta_ > 0)) {
    throw Error(ErrorKind::keys, "selecting keys needs a loss and a `delta` above 0.");
  }
  tabulate();
}

void KeySelection::tabulate() {
  // Beyond 700, doubles cannot represent the effect of a larger epsilon.
  const double growth = exp_down(std::min(epsilon_, 700.0));
  const double decay = exp_up(-std::min(epsilon_, 700.0));
  const auto check_progress = [&](bool progress) {
    if (progress && certain() < kMostEntries) return;
    throw Error(ErrorKind::budget,
                "the loss is too small to select keys. Use `dp_keys(\"threshold\")`.");
  };
  double p = 0;
  while (p < 0.5) {
    rises_.push_back(p);
    const double left = sub_up(sub_up(1.0, p), delta_);
    const double by_growth = add_down(mul_down(growth, p), delta_);
    const double by_decay = left <= 0 ? 1.0 : sub_down(1.0, mul_up(decay, left));
    const double next = std::min(by_growth, by_decay);
    check_progress(next > p);
    p = next;
  }
  double q = sub_up(1.0, p);
  while (q > 0) {
    falls_.push_back(q);
    const double left = sub_up(q, delta_);
    const double next = left <= 0 ? 0.0 : mul_up(decay, left);
    check_progress(next < q);
    q = next;
  }
}

Rational KeySelection::probability(int128_t n) const {
  if (n <= 0) return 0;
  if (n >= static_cast<int128_t>(certain())) return 1;
  const auto at = static_cast<std::size_t>(n);
  return at < rises_.size() ? exact_rational(rises_[at])
                            : Rational(1 - exact_rational(falls_[at - rises_.size()]));
}

bool KeySelection::selects(int128_t n, BitSource& bits) const {
  if (n <= 0) return false;
  if (n >= static_cast<int128_t>(certain())) return true;
  const auto at = static_cast<std::size_t>(n);
  return at < rises_.size() ? bernoulli(rises_[at], bits)
                            : !bernoulli(falls_[at - rises_.size()], bits);
}

double KeySelection::loss(const ContributionBound& bound, bool concentrated) const {
  return loss_of_steps(epsilon_, bound, concentrated);
}

double KeySelection::delta_of(const ContributionBound& bound) const {
  return std::min(1.0, mul_up(delta_, all_steps_up(epsilon_, bound)));
}

KeySelection selection_for(double loss,
                           bool concentrated,
                           Delta delta,
                           const ContributionBound& bound) {
  const Sensitivity norms = sensitivity(bound, {1, {}, false});
  if (norms.l1 == 0) return KeySelection(Epsilon(1), delta);
  double epsilon = loss_to_step(loss, norms, concentrated);
  while (loss_of_steps(epsilon, bound, concentrated) > loss) {
    epsilon = std::nextafter(epsilon, 0.0);
  }
  return KeySelection(Epsilon(epsilon),
                      Delta(div_down(delta.value(), all_steps_up(epsilon, bound))));
}

}  // namespace dp::query
