#include "core/ledger/amount.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/error.h"
#include "core/numeric/decimal.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

using AmountUnits = boost::multiprecision::uint512_t;

constexpr std::size_t kPlaces = 100;
constexpr std::size_t kWholeDigits = 30;
constexpr std::size_t kWordDigits = 7;
constexpr std::size_t kMostZeros = 4;  // behind the point, in words without an exponent

const AmountUnits& power_of_ten(std::size_t exponent) {
  static const auto powers = [] {
    std::array<AmountUnits, kPlaces + kWholeDigits + 1> all;
    all[0] = 1;
    for (std::size_t i = 1; i < all.size(); ++i) all[i] = all[i - 1] * 10;
    return all;
  }();
  return powers[exponent];
}

[[noreturn]] void refuse_amount() {
  throw Error(ErrorKind::budget, "a privacy loss must be a number from 0 on, and below 10^30.");
}

bool are_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Parses the digits of a whole number, 18 digits at a time.
AmountUnits whole_of(std::string_view digits) {
  AmountUnits value = 0;
  while (!digits.empty()) {
    const std::string_view part = digits.substr(0, 18);
    std::uint64_t number = 0;
    for (const char digit : part) number = 10 * number + static_cast<std::uint64_t>(digit - '0');
    value = value * power_of_ten(part.size()) + number;
    digits.remove_prefix(part.size());
  }
  return value;
}

// Keeps the first digits and replaces the others by zeros.
AmountUnits rounded_units(const AmountUnits& units, bool up) {
  const std::size_t digits = units.str().size();
  if (digits <= kWordDigits) return units;
  const AmountUnits& step = power_of_ten(digits - kWordDigits);
  const AmountUnits floor = units / step * step;
  return up && floor != units ? AmountUnits(floor + step) : floor;
}

const AmountUnits& limit_of_amounts() { return power_of_ten(kPlaces + kWholeDigits); }

}  // namespace

Amount Amount::from_units(const Integer& units) {
  if (units < 0 || units >= Integer(limit_of_amounts())) refuse_amount();
  return Amount(Units(units));
}

Amount Amount::at_least(const Rational& q) {
  if (q < 0) refuse_amount();
  return from_units(ceil(q * Rational(Integer(power_of_ten(kPlaces)))));
}

Amount Amount::at_most(const Rational& q) {
  if (q < 0) refuse_amount();
  return from_units(floor(q * Rational(Integer(power_of_ten(kPlaces)))));
}

std::optional<Amount> Amount::parse(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const bool has_places = point != std::string_view::npos;
  const std::string_view places = has_places ? text.substr(point + 1) : std::string_view();
  if (whole.empty() || whole.size() > kWholeDigits || (whole.size() > 1 && whole[0] == '0') ||
      places.size() > kPlaces || (has_places && (places.empty() || places.back() == '0')) ||
      !are_digits(whole) || !are_digits(places)) {
    return std::nullopt;
  }
  return Amount(whole_of(whole) * power_of_ten(kPlaces) +
                whole_of(places) * power_of_ten(kPlaces - places.size()));
}

std::string Amount::text() const {
  const Units whole = units_ / power_of_ten(kPlaces);
  const Units rest = units_ % power_of_ten(kPlaces);
  if (rest == 0) return whole.str();
  std::string places = rest.str();
  places.insert(0, kPlaces - places.size(), '0');
  places.erase(places.find_last_not_of('0') + 1);
  return whole.str() + "." + places;
}

std::string Amount::words_up() const { return Amount(rounded_units(units_, true)).words(); }

std::string Amount::words_down() const { return Amount(rounded_units(units_, false)).words(); }

std::string Amount::words() const {
  std::string digits = units_.str();
  if (units_ == 0 || digits.size() + kMostZeros >= kPlaces) return text();
  const std::size_t exponent = kPlaces + 1 - digits.size();
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > 1) digits.insert(1, ".");
  return digits + "e-" + std::to_string(exponent);
}

std::string Amount::shortest() const {
  constexpr std::size_t kMostDigits = 17;
  std::string digits = units_.str();
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() <= kMostDigits) return words();
  const double value = up();
  if (exact_rational(value) != exact()) return words_up();
  const Decimal decimal = shortest_decimal(value);
  const std::int64_t places = static_cast<std::int64_t>(kPlaces) + decimal.exponent;
  const auto units = whole_of(decimal.digits) * power_of_ten(static_cast<std::size_t>(places));
  return Amount(units).words();
}

Rational Amount::exact() const { return Rational(Integer(units_), Integer(power_of_ten(kPlaces))); }

double Amount::up() const { return to_double_up(exact()); }

double Amount::down() const { return to_double_down(exact()); }

Amount Amount::operator+(const Amount& other) const {
  const Units sum = units_ + other.units_;
  if (sum >= limit_of_amounts()) refuse_amount();
  return Amount(sum);
}

Amount Amount::minus(const Amount& other) const {
  return units_ <= other.units_ ? Amount() : Amount(Units(units_ - other.units_));
}

double sum_up(const std::vector<std::string>& amounts) {
  Rational sum = 0;
  for (const std::string& text : amounts) {
    const bool is_negative = !text.empty() && text[0] == '-';
    const auto amount = Amount::parse(std::string_view(text).substr(is_negative ? 1 : 0));
    if (!amount)
      throw Error(ErrorKind::ledger, "a loss must be a decimal in its shortest spelling.");
    sum += is_negative ? Rational(-amount->exact()) : amount->exact();
  }
  return to_double_up(sum);
}

}  // namespace dp
