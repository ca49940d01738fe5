#include "core/expressions/rounding.h"

#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/expressions/intervals.h"
#include "core/expressions/operators.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"
#include "core/numeric/lattice.h"

namespace dp::query {
namespace {

constexpr double kMostRounded = 0x1p51;

std::int64_t power_of_ten(std::int64_t digits) {
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < digits; ++i) power *= 10;
  return power;
}

std::int64_t floor_quotient_of(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The literal number of digits.
std::int64_t digits_of(const Operands& of) {
  if (of.args.size() == 1) return 0;
  const Bound& digits = *of.args[1];
  double k = kMostDigits + 1;
  if (digits.op == Operator::literal && is_number(digits.type) && !is_untyped(of.args[1])) {
    k = in_reals(digits.type) ? digits.reals[0] : static_cast<double>(digits.wholes[0]);
  }
  if (!(std::trunc(k) == k && std::fabs(k) <= static_cast<double>(kMostDigits))) {
    refuse_expression("the digits of `" + of.op + "` must be a constant: a whole number from -15 " +
                      "to 15.");
  }
  return static_cast<std::int64_t>(k);
}

BoundPtr rounded_to(const Operands& of, Rounding way, std::int64_t digits) {
  BoundPtr x = in_one_type({of.op, {of.args[0]}, of.texts}, Meeting::numbers)[0];
  if (x->type.type == FieldType::logical) {  // a missing literal
    x = as_reals({of.op, {x}, of.texts})[0];
  }
  if (!in_reals(x->type) && digits >= 0) return x;
  check_bounded(of.op, x);
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::rounded;
  bound->args = {x};
  bound->wholes = {static_cast<std::int64_t>(way), digits};
  const bool stays_real = digits > 0;
  bound->type = field_of(stays_real ? FieldType::real : FieldType::integer, x->type.may_be_missing);
  if (digits < 0) bound->type.steps = Steps{power_of_ten(-digits), 0};
  if (stays_real) {
    const auto [lower, upper] = *x->type.reals;
    bound->type.reals = {rounded_real(lower, digits), rounded_real(upper, digits)};
  } else if (in_reals(x->type)) {
    const auto [lower, upper] = *x->type.reals;
    if (!(lower >= -kMostRounded && upper <= kMostRounded)) refuse_range(of.op, "2^51");
    bound->type.wholes = {whole_of_real(lower, way, digits), whole_of_real(upper, way, digits)};
  } else {
    const auto [lower, upper] = *x->type.wholes;
    constexpr std::int64_t kMostWhole = std::int64_t{1} << 61;
    if (lower < -kMostWhole || upper > kMostWhole) refuse_range(of.op, "2^61");
    bound->type.wholes = {rounded_whole(lower, digits), rounded_whole(upper, digits)};
  }
  return bound;
}

}  // namespace

std::int64_t rounded_whole(std::int64_t x, std::int64_t digits) {
  const std::int64_t step = power_of_ten(-digits);
  const std::int64_t below = floor_quotient_of(x, step);
  const std::int64_t twice = 2 * (x - below * step);
  const bool up = twice > step || (twice == step && below % 2 != 0);
  return (below + (up ? 1 : 0)) * step;
}

std::int64_t whole_of_real(double x, Rounding way, std::int64_t digits) {
  switch (way) {
    case Rounding::down:
      return static_cast<std::int64_t>(std::floor(x));
    case Rounding::up:
      return static_cast<std::int64_t>(std::ceil(x));
    case Rounding::to_zero:
      return static_cast<std::int64_t>(std::trunc(x));
    default:
      break;
  }
  if (digits == 0) return Lattice{0}.index(x);
  // A fraction adds 1 to twice the remainder, so a tie of the whole part rounds up.
  const auto floor = static_cast<std::int64_t>(std::floor(x));
  const bool whole = static_cast<double>(floor) == x;
  const std::int64_t step = power_of_ten(-digits);
  const std::int64_t below = floor_quotient_of(floor, step);
  const std::int64_t twice = 2 * (floor - below * step) + (whole ? 0 : 1);
  const bool up = twice > step || (twice == step && below % 2 != 0);
  return (below + (up ? 1 : 0)) * step;
}

double rounded_real(double x, std::int64_t digits) {
  if (x < 0) return -rounded_real(-x, digits);
  constexpr double kLastDigits = 0x1p52;  // above it doubles have no digits behind the point
  const auto power = static_cast<double>(power_of_ten(digits));
  const double scaled = x * power;
  if (!(scaled < kLastDigits)) return x;
  const double below = std::floor(scaled);
  const double lower = below / power;
  const double upper = std::ceil(scaled) / power;
  const double to_lower = x - lower;
  const double to_upper = upper - x;
  const bool is_even = std::floor(below / 2) * 2 == below;
  return to_lower < to_upper || (to_lower == to_upper && is_even) ? lower : upper;
}

BoundPtr to_digits(const Operands& of) { return rounded_to(of, Rounding::nearest, digits_of(of)); }

BoundPtr to_whole(const Operands& of, Rounding way) { return rounded_to(of, way, 0); }

}  // namespace dp::query
