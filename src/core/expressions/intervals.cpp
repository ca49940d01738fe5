#include "core/expressions/intervals.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/steps.h"
#include "core/expressions/typing.h"
#include "core/numeric/directed.h"

namespace dp::query {
namespace {

struct WholeRange {
  int128_t lower, upper;
};
struct RealRange {
  double lower, upper;
};

int128_t floored_quotient(int128_t a, int128_t b) {
  const int128_t quotient = a / b;
  return quotient - (quotient * b != a && (a < 0) != (b < 0) ? 1 : 0);
}

WholeRange products(const WholeRange& a, const WholeRange& b) {
  const auto [least, most] =
      std::minmax({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return {least, most};
}

std::int64_t divisor_of(const std::string& name, const BoundPtr& divisor) {
  if (divisor->op != Operator::literal || in_reals(divisor->type) || divisor->wholes.empty() ||
      divisor->wholes[0] == 0 || divisor->wholes[0] == kNone) {
    throw Error(ErrorKind::unsupported,
                "`" + name +
                    "` needs a constant divisor: a whole number other than 0. "
                    "For other divisors write `floor(x / y)`.");
  }
  return divisor->wholes[0];
}

WholeRange remainders(const WholeRange& a, int128_t divisor) {
  const int128_t quotient = floored_quotient(a.lower, divisor);
  if (quotient == floored_quotient(a.upper, divisor)) {
    return {a.lower - quotient * divisor, a.upper - quotient * divisor};
  }
  return divisor > 0 ? WholeRange{0, divisor - 1} : WholeRange{divisor + 1, 0};
}

WholeRange whole_result(const std::string& name, Operator op, const std::vector<BoundPtr>& args) {
  const auto interval = [&](std::size_t i) {
    check_bounded(name, args[i]);
    return WholeRange{args[i]->type.wholes->first, args[i]->type.wholes->second};
  };
  const WholeRange a = interval(0);
  switch (op) {
    case Operator::minus:
      return {-a.upper, -a.lower};
    case Operator::add:
      return {a.lower + interval(1).lower, a.upper + interval(1).upper};
    case Operator::subtract:
      return {a.lower - interval(1).upper, a.upper - interval(1).lower};
    case Operator::multiply:
      return products(a, interval(1));
    case Operator::floor_divide: {
      const int128_t divisor = divisor_of(name, args[1]);
      const auto [least, most] =
          std::minmax({floored_quotient(a.lower, divisor), floored_quotient(a.upper, divisor)});
      return {least, most};
    }
    default:
      return remainders(a, divisor_of(name, args[1]));
  }
}

template <class Down, class Up>
RealRange of_corners(const RealRange& a, const RealRange& b, Down&& down, Up&& up) {
  return {std::min({down(a.lower, b.lower),
                    down(a.lower, b.upper),
                    down(a.upper, b.lower),
                    down(a.upper, b.upper)}),
          std::max({up(a.lower, b.lower),
                    up(a.lower, b.upper),
                    up(a.upper, b.lower),
                    up(a.upper, b.upper)})};
}

// A divisor that can be 0, or so close to 0 that a quotient is infinite, leaves the result
// unbounded.
RealRange quotients(const RealRange& a, const RealRange& b) {
  constexpr double kMost = std::numeric_limits<double>::max();
  if (b.lower <= 0 && b.upper >= 0) return {-kMost, kMost};
  try {
    return of_corners(a, b, div_down<double>, div_up<double>);
  } catch (const Error&) {  // too large for a double
    return {-kMost, kMost};
  }
}

RealRange real_result(const std::string& name, Operator op, const std::vector<BoundPtr>& args) {
  const auto interval = [&](std::size_t i) {
    check_bounded(name, args[i]);
    return RealRange{args[i]->type.reals->first, args[i]->type.reals->second};
  };
  const RealRange a = interval(0);
  try {
    switch (op) {
      case Operator::minus:
        return {-a.upper, -a.lower};
      case Operator::add:
        return {add_down(a.lower, interval(1).lower), add_up(a.upper, interval(1).upper)};
      case Operator::subtract:
        return {sub_down(a.lower, interval(1).upper), sub_up(a.upper, interval(1).lower)};
      case Operator::multiply:
        return of_corners(a, interval(1), mul_down<double>, mul_up<double>);
      default:
        return quotients(a, interval(1));
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    refuse_range(name, "1e300");
  }
}

}  // namespace

void refuse_range(const std::string& name, const char* limit) {
  throw Error(
      ErrorKind::unsupported,
      "the result of `" + name + "` can be outside -" + limit + " to " + limit +
          ". Narrow the bounds of its operands, such as with `pmin(pmax(x, lower), upper)`.");
}

void check_bounded(const std::string& name, const BoundPtr& operand) {
  if (is_bounded(operand->type)) return;
  const bool converted = operand->op == Operator::to_real;
  const std::string column =
      shown_name(converted ? operand->args[0]->type.name : operand->type.name);
  if (!column.empty()) {
    throw Error(ErrorKind::domain,
                "`" + name + "` needs bounds, but `" + column +
                    "` has no bounds. Declare them, or " + "write `pmin(pmax(" + column +
                    ", lower), upper)`.");
  }
  throw Error(
      ErrorKind::domain,
      "`" + name + "` needs bounds, but an operand has no bounds. Write " +
          "`pmin(pmax(x, lower), upper)` for it. A quotient has bounds only if its divisor " +
          "cannot be 0.");
}

void widen(Field& a, const Field& b) {
  if (a.period != b.period) a.period.reset();
  a.steps = united(a.steps, b.steps);
  if (!a.wholes || !b.wholes) {
    a.wholes.reset();
  } else {
    a.wholes = {std::min(a.wholes->first, b.wholes->first),
                std::max(a.wholes->second, b.wholes->second)};
  }
  if (!a.reals || !b.reals) {
    a.reals.reset();
  } else {
    a.reals = {std::min(a.reals->first, b.reals->first),
               std::max(a.reals->second, b.reals->second)};
  }
}

Field arithmetic_type(const std::string& name, Operator op, const std::vector<BoundPtr>& args) {
  constexpr int128_t kLimit = int128_t{1} << 62;
  const bool missing = std::any_of(
      args.begin(), args.end(), [](const BoundPtr& arg) { return arg->type.may_be_missing; });
  if (!in_reals(args[0]->type)) {
    const WholeRange result = whole_result(name, op, args);
    if (result.lower < -kLimit || result.upper > kLimit) refuse_range(name, "2^62");
    Field type = field_of(FieldType::integer, missing);
    type.wholes = {static_cast<std::int64_t>(result.lower),
                   static_cast<std::int64_t>(result.upper)};
    type.steps = arithmetic_steps(op, args);
    return type;
  }
  const RealRange result = real_result(name, op, args);
  Field type = field_of(FieldType::real, missing || op == Operator::divide);
  type.reals = {result.lower, result.upper};
  if (op != Operator::divide && !is_bounded(type)) refuse_range(name, "1e300");
  return type;
}

}  // namespace dp::query
