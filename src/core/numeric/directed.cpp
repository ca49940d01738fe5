#include "core/numeric/directed.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "core/numeric/cast.h"
#include "core/numeric/limits.h"

namespace dp {
namespace {

enum class Side { up, down };

constexpr char kAdvice[] = " Consider tightening your parameters.";

[[noreturn]] void not_finite(const char* subject, Side side, const char* call) {
  const std::string prefix = side == Side::up ? ").inf_" : ").neg_inf_";
  throw Error(ErrorKind::overflow, "(" + (subject + prefix) + call + " is not finite." + kAdvice);
}

[[noreturn]] void overflows(const char* expression) {
  throw Error(ErrorKind::overflow, std::string(expression) + " overflows." + kAdvice);
}

// A double and the sign of what rounding took away: exact result minus `value`.
struct Rounded {
  double value;
  double residual;
};

double step(Rounded r, Side side) {
  if (side == Side::up && r.residual > 0) return std::nextafter(r.value, HUGE_VAL);
  if (side == Side::down && r.residual < 0) return std::nextafter(r.value, -HUGE_VAL);
  return r.value;
}

// Each operation has a spelling for messages, a result to nearest, its residual, and an exact form
// on integers, which returns true if it overflows.
//
// The residual of a product, quotient or square root is taken on significands scaled to [1/2, 1)
// or [1/4, 1), by exact powers of two: so neither the result's underflow nor the residual's can
// hide its sign. `fma` rounds once, hence has the sign of the exact value.

struct Add {
  static constexpr char kCall[] = "add(b)";
  static constexpr char kExpression[] = "a + b";
  template <class F>
  static F nearest(F a, F b) {
    return a + b;
  }
  // Fast-two-sum (Dekker 1971): exact, and no step overflows if the sum does not.
  static Rounded rounded(double a, double b) {
    if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }
  template <class T>
  static bool integer(T a, T b, T* out) {
    return __builtin_add_overflow(a, b, out);
  }
};

struct Sub {
  static constexpr char kCall[] = "sub(b)";
  static constexpr char kExpression[] = "a - b";
  template <class F>
  static F nearest(F a, F b) {
    return a - b;
  }
  static Rounded rounded(double a, double b) { return Add::rounded(a, -b); }
  template <class T>
  static bool integer(T a, T b, T* out) {
    return __builtin_sub_overflow(a, b, out);
  }
};

struct Mul {
  static constexpr char kCall[] = "mul(b)";
  static constexpr char kExpression[] = "a * b";
  template <class F>
  static F nearest(F a, F b) {
    return a * b;
  }
  static Rounded rounded(double a, double b) {
    const double product = a * b;
    int a_exponent, b_exponent;
    a = std::frexp(a, &a_exponent);
    b = std::frexp(b, &b_exponent);
    return {product, std::fma(a, b, -std::ldexp(product, -a_exponent - b_exponent))};
  }
  template <class T>
  static bool integer(T a, T b, T* out) {
    return __builtin_mul_overflow(a, b, out);
  }
};

struct Div {
  static constexpr char kCall[] = "div(b)";
  template <class F>
  static F nearest(F a, F b) {
    return a / b;
  }
  static Rounded rounded(double a, double b) {
    const double quotient = a / b;
    if (std::isinf(b)) return {quotient, 0};
    int a_exponent, b_exponent;
    a = std::frexp(a, &a_exponent);
    b = std::frexp(b, &b_exponent);
    const double residual = std::fma(-std::ldexp(quotient, b_exponent - a_exponent), b, a);
    return {quotient, b < 0 ? -residual : residual};
  }
};

template <class Operation, Side side, class T>
T operate(T a, T b) {
  if constexpr (kIsFloat<T>) {
    // A float is computed in double and then narrowed: rounding up twice is rounding up once.
    if (std::isfinite(Operation::nearest(a, b))) {
      const double wide = step(Operation::rounded(a, b), side);
      const T result = side == Side::up ? cast_up<T>(wide) : cast_down<T>(wide);
      if (std::isfinite(result)) return result;
    }
    not_finite("a", side, Operation::kCall);
  } else {
    T result;
    if (Operation::integer(a, b, &result)) overflows(Operation::kExpression);
    return result;
  }
}

template <Side side, class T>
T divide(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return operate<Div, side>(a, b);
  } else {
    if (b == 0) throw Error(ErrorKind::overflow, "attempt to divide by zero");
    if constexpr (kIsSigned<T>) {
      if (a == kMin<T> && b == -1) overflows("a / b");
    }
    const T quotient = static_cast<T>(a / b);  // toward zero
    const bool exact = a % b == 0;
    const bool negative = (a < 0) != (b < 0);
    if (side == Side::up) return static_cast<T>(quotient + (!exact && !negative));
    return static_cast<T>(quotient - (!exact && negative));
  }
}

double square_root(double x, Side side) {
  const double root = std::sqrt(x);
  if (!std::isfinite(root)) not_finite("x", side, "sqrt()");
  int exponent;
  double significand = std::frexp(x, &exponent);
  if (exponent % 2 != 0) significand = std::ldexp(significand, exponent > 0 ? 1 : -1);
  const double scaled = std::ldexp(root, -(exponent / 2));
  return step({root, std::fma(-scaled, scaled, significand)}, side);
}

template <class T>
void refuse_nan(T a, T b) {
  if (a != a || b != b) {
    throw Error(ErrorKind::failed_function, "NaN cannot be compared with a number.");
  }
}

template <class T>
T hold_finite(T x) {
  if (x > kMax<T>) return kMax<T>;
  return x < kMin<T> ? kMin<T> : x;
}

}  // namespace

template <class T>
T add_up(T a, T b) {
  return operate<Add, Side::up>(a, b);
}
template <class T>
T add_down(T a, T b) {
  return operate<Add, Side::down>(a, b);
}
template <class T>
T sub_up(T a, T b) {
  return operate<Sub, Side::up>(a, b);
}
template <class T>
T sub_down(T a, T b) {
  return operate<Sub, Side::down>(a, b);
}
template <class T>
T mul_up(T a, T b) {
  return operate<Mul, Side::up>(a, b);
}
template <class T>
T mul_down(T a, T b) {
  return operate<Mul, Side::down>(a, b);
}
template <class T>
T div_up(T a, T b) {
  return divide<Side::up>(a, b);
}
template <class T>
T div_down(T a, T b) {
  return divide<Side::down>(a, b);
}

template <class T>
T abs_checked(T a) {
  if constexpr (kIsFloat<T>) {
    return std::fabs(a);
  } else if constexpr (kIsSigned<T>) {
    if (a == kMin<T>) overflows("|a|");
    return static_cast<T>(a < 0 ? -a : a);
  } else {
    return a;
  }
}

template <class T>
T saturating_add(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return hold_finite(a + b);
  } else {
    T sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? kMin<T> : kMax<T>;
  }
}

template <class T>
T saturating_mul(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return hold_finite(a * b);
  } else {
    T product;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) != (b < 0) ? kMin<T> : kMax<T>;
  }
}

template <class T>
T min_checked(T a, T b) {
  refuse_nan(a, b);
  return b < a ? b : a;
}

template <class T>
T max_checked(T a, T b) {
  refuse_nan(a, b);
  return a < b ? b : a;
}

template <class T>
T clamp_checked(T value, T lower, T upper) {
  refuse_nan(lower, upper);
  if (lower > upper) {
    throw Error(ErrorKind::failed_function, "`lower` must not exceed `upper`.");
  }
  refuse_nan(value, value);
  if (value < lower) return lower;
  return upper < value ? upper : value;
}

double sqrt_up(double x) { return square_root(x, Side::up); }
double sqrt_down(double x) { return square_root(x, Side::down); }

#define DP_INSTANTIATE(T)          \
  template T add_up(T, T);         \
  template T add_down(T, T);       \
  template T sub_up(T, T);         \
  template T sub_down(T, T);       \
  template T mul_up(T, T);         \
  template T mul_down(T, T);       \
  template T div_up(T, T);         \
  template T div_down(T, T);       \
  template T abs_checked(T);       \
  template T saturating_add(T, T); \
  template T saturating_mul(T, T); \
  template T min_checked(T, T);    \
  template T max_checked(T, T);    \
  template T clamp_checked(T, T, T);

// The fundamental types, not their aliases: which of them is int64_t differs between platforms.
DP_INSTANTIATE(signed char)
DP_INSTANTIATE(short)
DP_INSTANTIATE(int)
DP_INSTANTIATE(long)
DP_INSTANTIATE(long long)
DP_INSTANTIATE(unsigned char)
DP_INSTANTIATE(unsigned short)
DP_INSTANTIATE(unsigned int)
DP_INSTANTIATE(unsigned long)
DP_INSTANTIATE(unsigned long long)
DP_INSTANTIATE(int128_t)
DP_INSTANTIATE(float)
DP_INSTANTIATE(double)

#undef DP_INSTANTIATE

}  // namespace dp
