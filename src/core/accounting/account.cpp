#include "core/accounting/account.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numeric/decimal.h"
#include "core/platform.h"

namespace dp {
namespace {

constexpr std::size_t kDigits = 15;

constexpr const char* kNoLoss = "a loss must be a finite number, and at least 0.";

Rational power_of_ten(std::int64_t exponent) {
  const Integer power = boost::multiprecision::pow(
      Integer(10), static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

double checked_part(double value, double most, const char* sentence) {
  if (!(value >= 0) || !(value <= most) || !std::isfinite(value)) {
    throw Error(ErrorKind::invalid_distance, sentence);
  }
  return value;
}

AdditiveLoss checked_loss(double loss, double delta) {
  checked_part(loss, HUGE_VAL, kNoLoss);
  checked_part(delta, 1, "`delta` must be between zero and one.");
  return {decimal_of(loss), decimal_of(delta)};
}

// The least multiple of a unit in the fifteenth digit that is at least x.
Rational rounded_up(double x) {
  if (x == 0) return 0;
  const Decimal shortest = shortest_decimal(x);
  const auto excess =
      static_cast<std::int64_t>(shortest.digits.size()) - static_cast<std::int64_t>(kDigits);
  const Rational unit = power_of_ten(shortest.exponent + excess);
  return Rational(ceil(exact_rational(x) / unit)) * unit;
}

}  // namespace

Rational decimal_of(double x) {
  checked_part(x, HUGE_VAL, kNoLoss);
  if (x == 0) return 0;
  const Decimal shortest = shortest_decimal(x);
  return Rational(Integer(shortest.digits)) * power_of_ten(shortest.exponent);
}

double within_decimal(double x) { return to_double_down(decimal_of(x)); }

Rational cost_within(double loss, const Rational& asked) {
  if (exact_rational(checked_part(loss, HUGE_VAL, kNoLoss)) > asked) {
    throw Error(ErrorKind::invalid_distance, "a release would lose more than was asked for.");
  }
  return std::min(rounded_up(loss), asked);
}

Account::Account(double loss, double delta)
    : total_(checked_loss(loss, delta)), spent_{0, 0}, process_(process_id()) {}

bool Account::charge(const AdditiveLoss& loss) {
  check_process();
  if (loss.loss < 0 || loss.delta < 0) {
    throw Error(ErrorKind::invalid_distance, "a loss must be at least 0.");
  }
  const AdditiveLoss after = {spent_.loss + loss.loss, spent_.delta + loss.delta};
  if (after.loss > total_.loss || after.delta > total_.delta) return false;
  spent_ = after;
  return true;
}

AdditiveLoss Account::spent() const {
  check_process();
  return spent_;
}

AdditiveLoss Account::left() const {
  check_process();
  return {total_.loss - spent_.loss, total_.delta - spent_.delta};
}

void Account::check_process() const {
  if (process_ == process_id()) return;
  throw Error(ErrorKind::stale_object,
              "stale object: a session spends only in the process that made it.");
}

}  // namespace dp
