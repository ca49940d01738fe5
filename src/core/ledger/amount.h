// Amounts of a budget: exact decimals with up to 100 digits behind the point, below 10^30.
//
// A double is a decimal. A double with more digits, which is below about 2^-48, is rounded up if it
// is spent and down if it is granted. Sums are exact, so neither order nor number of the terms
// matters, and the file shows exactly the added amounts.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/numeric/integer.h"

namespace dp {

class Amount {
 public:
  Amount() = default;

  // The least amount that is not below `q`, and the largest that is not above. Both throw
  // ErrorKind::budget for negative numbers and from 10^30 on.
  static Amount at_least(const Rational& q);
  static Amount at_most(const Rational& q);

  // Parses the one spelling of an amount: "0", "0.05", "12"; no sign, no exponent, no redundant
  // zeros. Empty if `text` is not of this form, or is 10^30 or more.
  static std::optional<Amount> parse(std::string_view text);
  std::string text() const;

  // The shortest decimal that names the amount: the exact digits, if there are at most 17. An
  // amount that equals a double has the double's name: "0.1", not its 55 digits. Others are rounded
  // up to seven digits.
  std::string shortest() const;

  Rational exact() const;
  double up() const;    // the least double that is not below
  double down() const;  // the largest double that is not above

  // Text for readers: seven digits, rounded up or down, such as "0.1000001" or "1e-9".
  std::string words_up() const;
  std::string words_down() const;

  // Throws ErrorKind::budget from 10^30 on.
  Amount operator+(const Amount& other) const;
  // The difference, or 0 if it is negative.
  Amount minus(const Amount& other) const;

  bool operator<=(const Amount& other) const { return units_ <= other.units_; }
  bool operator==(const Amount& other) const { return units_ == other.units_; }
  bool operator!=(const Amount& other) const { return units_ != other.units_; }
  bool is_zero() const { return units_ == 0; }

 private:
  // Below 10^130, so that sums fit.
  using Units = boost::multiprecision::uint512_t;

  explicit Amount(Units units) : units_(units) {}
  static Amount from_units(const Integer& units);
  std::string words() const;

  Units units_ = 0;  // of 10^-100
};

// The least double that is not below the sum of decimal amounts; a leading minus makes an amount
// negative. Throws ErrorKind::ledger for other texts.
double sum_up(const std::vector<std::string>& amounts);

}  // namespace dp
