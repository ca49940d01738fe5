// Numbers that are bounds of a real number on a known side.
//
// An Upper is at or above its real number, a Lower at or below. Arithmetic keeps the side by
// rounding outward (numeric/directed.h), and an expression that would lose it, such as Upper -
// Upper, does not compile. A product or quotient is a bound only if no factor, dividend or divisor
// is negative, so signs are checked: failed_map.
//
// The real number behind a divisor must be positive; a positive Upper does not guarantee it.
#pragma once

#include "core/error.h"
#include "core/numeric/directed.h"

namespace dp {
namespace sided {

template <class T>
T refuse_nan(T value) {
  if (value != value) throw Error(ErrorKind::failed_map, "A bound must not be NaN.");
  return value;
}

template <class T>
void require_product(T a, T b) {
  if (a < 0 || b < 0) {
    throw Error(ErrorKind::failed_map, "Factors of a bound must not be negative.");
  }
}

template <class T>
void require_quotient(T dividend, T divisor) {
  if (dividend < 0) throw Error(ErrorKind::failed_map, "A dividend must not be negative.");
  if (!(divisor > 0)) throw Error(ErrorKind::failed_map, "A divisor must be positive.");
}

}  // namespace sided

// Common base of Upper and Lower: a value, and comparison within one side.
template <class Side, class T>
class SidedValue {
 public:
  explicit SidedValue(T value) : value_(sided::refuse_nan(value)) {}
  T value() const { return value_; }

  friend bool operator==(Side a, Side b) { return a.value() == b.value(); }
  friend bool operator!=(Side a, Side b) { return a.value() != b.value(); }
  friend bool operator<(Side a, Side b) { return a.value() < b.value(); }
  friend bool operator<=(Side a, Side b) { return a.value() <= b.value(); }
  friend bool operator>(Side a, Side b) { return a.value() > b.value(); }
  friend bool operator>=(Side a, Side b) { return a.value() >= b.value(); }

 private:
  T value_;
};

template <class T>
class Upper : public SidedValue<Upper<T>, T> {
 public:
  using SidedValue<Upper<T>, T>::SidedValue;
};

template <class T>
class Lower : public SidedValue<Lower<T>, T> {
 public:
  using SidedValue<Lower<T>, T>::SidedValue;
};

template <class T>
Upper(T) -> Upper<T>;
template <class T>
Lower(T) -> Lower<T>;

template <class T>
Upper<T> operator+(Upper<T> a, Upper<T> b) {
  return Upper<T>(add_up(a.value(), b.value()));
}
template <class T>
Upper<T> operator-(Upper<T> a, Lower<T> b) {
  return Upper<T>(sub_up(a.value(), b.value()));
}
template <class T>
Upper<T> operator*(Upper<T> a, Upper<T> b) {
  sided::require_product(a.value(), b.value());
  return Upper<T>(mul_up(a.value(), b.value()));
}
template <class T>
Upper<T> operator/(Upper<T> a, Lower<T> b) {
  sided::require_quotient(a.value(), b.value());
  return Upper<T>(div_up(a.value(), b.value()));
}

template <class T>
Lower<T> operator+(Lower<T> a, Lower<T> b) {
  return Lower<T>(add_down(a.value(), b.value()));
}
template <class T>
Lower<T> operator-(Lower<T> a, Upper<T> b) {
  return Lower<T>(sub_down(a.value(), b.value()));
}
template <class T>
Lower<T> operator*(Lower<T> a, Lower<T> b) {
  sided::require_product(a.value(), b.value());
  return Lower<T>(mul_down(a.value(), b.value()));
}
template <class T>
Lower<T> operator/(Lower<T> a, Upper<T> b) {
  sided::require_quotient(a.value(), b.value());
  return Lower<T>(div_down(a.value(), b.value()));
}

}  // namespace dp
