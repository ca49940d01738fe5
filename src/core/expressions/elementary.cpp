#include "core/expressions/elementary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/expressions/intervals.h"
#include "core/expressions/operators.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"
#include "core/numeric/approx.h"
#include "core/numeric/directed.h"
#include "core/numeric/int128.h"
#include "core/numeric/lattice.h"
#include "core/numeric/text.h"

namespace dp::query {
namespace {

constexpr double kLargestReal = std::numeric_limits<double>::max();
constexpr double kOff = 0x1p-48;          // what approximate functions are off by at most, and more
constexpr double kLargestExponent = 690;  // of which exp() is below 1e300

using Interval = std::pair<double, double>;

double less_by_error(double x) { return sub_down(x, mul_up(std::fabs(x), kOff)); }
double more_by_error(double x) { return add_up(x, mul_up(std::fabs(x), kOff)); }

// Lower bound for a nonnegative number, by the products of power_of_cell(): a rounded product is
// between the directed ones.
double power_down(double x, std::int64_t k) {
  double product = x;
  for (std::int64_t i = 1; i < k; ++i) product = mul_down(product, x);
  return product;
}
double power_up(double x, std::int64_t k) {
  double product = x;
  for (std::int64_t i = 1; i < k; ++i) product = mul_up(product, x);
  return product;
}

Interval power_interval(const Interval& of, std::int64_t k) {
  const auto [lower, upper] = of;
  const double least = std::min(std::fabs(lower), std::fabs(upper));
  const double most = std::max(std::fabs(lower), std::fabs(upper));
  if (k % 2 == 0) {
    const bool crosses = lower < 0 && upper > 0;
    return {crosses ? 0 : power_down(least, k), power_up(most, k)};
  }
  return {lower < 0 ? -power_up(-lower, k) : power_down(lower, k),
          upper < 0 ? -power_down(-upper, k) : power_up(upper, k)};
}

// The lower end is unbounded if the interval reaches 0.
Interval logarithm_interval(const Interval& of) {
  return {of.first > 0 ? less_by_error(ln_down(of.first)) : -kLargestReal,
          more_by_error(ln_up(of.second))};
}

Interval logarithm_of_one_more_interval(const Interval& of) {
  return {of.first > -1 ? less_by_error(ln1p_near(of.first)) : -kLargestReal,
          more_by_error(ln1p_near(of.second))};
}

// Below -700 the bound for -700 applies.
Interval exponential_interval(const Interval& of) {
  return {less_by_error(exp_down(std::max(of.first, -700.0))),
          more_by_error(exp_up(std::max(of.second, -700.0)))};
}

Interval root_interval(const Interval& of) {
  return {of.first > 0 ? sqrt_down(of.first) : 0, sqrt_up(of.second)};
}

[[noreturn]] void refuse_domain(const std::string& op, const std::string& sentence) {
  throw Error(ErrorKind::unsupported, "`" + op + "` " + sentence);
}

// The bounds of a logarithm end where its operand does: at 0, and at -1 for `log1p`.
[[noreturn]] void refuse_lower_bound(const Operands& of, double lower, bool of_one_more) {
  const std::string column = shown_name(of.args[0]->type.name);
  const std::string x = column.empty() ? "x" : column;
  const std::string limit = of_one_more ? "-1" : "0";
  throw Error(ErrorKind::domain,
              "`" + of.op + "` needs a lower bound above " + limit + ", but the bounds of " +
                  (column.empty() ? "its operand" : "`" + column + "`") + " begin at " +
                  format_number(lower) + ". Declare a lower bound above " + limit + ", or write `" +
                  of.op + "(pmax(" + x + ", " + (of_one_more ? "-0.5" : "1") + "))`.");
}

Interval elementary_interval(const std::string& name, Operator op, const Interval& of) {
  switch (op) {
    case Operator::logarithm:
      if (of.second <= 0)
        refuse_domain(name,
                      "needs a number above 0, but the bounds of its operand end at or below 0. "
                      "Change the bounds.");
      return logarithm_interval(of);
    case Operator::logarithm_of_one_more:
      if (of.second <= -1)
        refuse_domain(name,
                      "needs a number above -1, but the bounds of its operand end at or below -1. "
                      "Change the bounds.");
      return logarithm_of_one_more_interval(of);
    case Operator::exponential:
      if (of.second > kLargestExponent) {
        refuse_domain(name,
                      "needs a number of at most 690. Declare a smaller upper bound, or write "
                      "`exp(pmin(x, 690))`.");
      }
      return exponential_interval(of);
    default:
      if (of.second < 0)
        refuse_domain(name,
                      "needs a number of at least 0, but the bounds of its operand end below 0. "
                      "Change the bounds.");
      return root_interval(of);
  }
}

BoundPtr real_result(Operator op, const BoundPtr& arg, const Interval& interval, bool missing) {
  Field type = field_of(FieldType::real, missing || arg->type.may_be_missing);
  type.reals = interval;
  return made(op, std::move(type), {arg});
}

// The literal exponent.
std::int64_t exponent_of(const std::string& op, const BoundPtr& exponent) {
  double k = 0;
  if (exponent->op == Operator::literal && is_number(exponent->type) && !is_untyped(exponent)) {
    k = in_reals(exponent->type) ? exponent->reals[0] : static_cast<double>(exponent->wholes[0]);
  }
  if (!(std::trunc(k) == k && k != 0 && std::fabs(k) <= kMostPower)) {
    refuse_expression("`" + op +
                      "` needs a constant exponent: a whole number from -32 to 32 other than 0.");
  }
  return static_cast<std::int64_t>(k);
}

}  // namespace

BoundPtr raised(const Operands& of) {
  const std::int64_t exponent = exponent_of(of.op, of.args[1]);
  const BoundPtr base = as_reals({of.op, {of.args[0]}, of.texts})[0];
  check_bounded(of.op, base);
  const std::int64_t k = exponent < 0 ? -exponent : exponent;
  Field type = field_of(FieldType::real, base->type.may_be_missing);
  try {
    type.reals = power_interval(*base->type.reals, k);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    refuse_range(of.op, "1e300");
  }
  if (!is_bounded(type)) refuse_range(of.op, "1e300");
  auto power = std::make_shared<Bound>();
  power->op = Operator::power;
  power->type = std::move(type);
  power->args = {base};
  power->wholes = {k};
  if (exponent > 0) return power;
  Literal one;
  one.value = 1.0;
  return division({of.op, {bind_literal(one, of.texts), power}, of.texts});
}

BoundPtr elementary(const Operands& of, Operator op) {
  const BoundPtr arg = as_reals(of)[0];
  check_bounded(of.op, arg);
  const Interval interval = elementary_interval(of.op, op, *arg->type.reals);
  const double least = arg->type.reals->first;
  const bool gaps = (op == Operator::logarithm && least <= 0) ||
                    (op == Operator::logarithm_of_one_more && least <= -1) ||
                    (op == Operator::root && least < 0);
  return real_result(op, arg, interval, gaps);
}

namespace {

// Places reals on the public lattice of their bounds.
BoundPtr placed_on_lattice(const std::string& name, const BoundPtr& x) {
  check_bounded(name, x);
  const auto [lower, upper] = *x->type.reals;
  const Lattice lattice = lattice_for(lower, upper);
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::on_lattice;
  bound->type = field_of(FieldType::real, x->type.may_be_missing);
  bound->type.reals = {lattice.value(int128_t{lattice.index(lower)}),
                       lattice.value(int128_t{lattice.index(upper)})};
  bound->args = {x};
  bound->wholes = {lattice.exponent};
  return bound;
}

}  // namespace

BoundPtr elementary_on_lattice(const Operands& of, Operator op) {
  const BoundPtr result = elementary(of, op);
  if (!is_bounded(result->type)) {
    refuse_lower_bound(of, result->args[0]->type.reals->first, true);  // only `log1p` can be
  }
  return placed_on_lattice(of.op, result);
}

BoundPtr logarithm_on_lattice(const Operands& of) {
  const BoundPtr natural = elementary({of.op, {of.args[0]}, of.texts}, Operator::logarithm);
  if (!is_bounded(natural->type)) {
    refuse_lower_bound(of, natural->args[0]->type.reals->first, false);
  }
  if (of.args.size() == 1) return placed_on_lattice(of.op, natural);
  const Bound& given = *of.args[1];
  double base = 0;
  if (given.op == Operator::literal && is_number(given.type) && !is_untyped(of.args[1])) {
    base = in_reals(given.type) ? given.reals[0] : static_cast<double>(given.wholes[0]);
  }
  if (!(base > 0 && base != 1 && std::isfinite(base))) {
    refuse_expression("`" + of.op + "` needs a constant base: a positive number other than 1.");
  }
  Literal divisor;
  divisor.value = ln_near(base);
  const BoundPtr by = bind_literal(divisor, of.texts);
  return placed_on_lattice(of.op, division({of.op, {natural, by}, of.texts}));
}

double on_lattice_of_cell(double x, std::int64_t exponent) {
  const Lattice lattice{static_cast<int>(exponent)};
  return lattice.value(int128_t{lattice.index(x)});
}

double power_of_cell(double x, std::int64_t k) {
  double product = x;
  for (std::int64_t i = 1; i < k; ++i) product *= x;
  return product;
}

double logarithm_of_cell(double x) { return x > 0 && std::isfinite(x) ? ln_near(x) : kNoReal; }

double logarithm_of_one_more_of_cell(double x) {
  return x > -1 && std::isfinite(x) ? ln1p_near(x) : kNoReal;
}

double exponential_of_cell(double x) { return x <= 700 ? exp_approx(x) : kNoReal; }

double root_of_cell(double x) { return x >= 0 && std::isfinite(x) ? std::sqrt(x) : kNoReal; }

}  // namespace dp::query
