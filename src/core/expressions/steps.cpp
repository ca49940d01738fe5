#include "core/expressions/steps.h"

#include "core/expressions/row_batch.h"
#include "core/numeric/int128.h"

namespace dp::query {
namespace {

constexpr int128_t kMostStep = int128_t{1} << 62;

int128_t absolute(int128_t x) { return x < 0 ? -x : x; }

int128_t common_divisor(int128_t a, int128_t b) {
  a = absolute(a);
  b = absolute(b);
  while (b != 0) {
    const int128_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int128_t floored_remainder(int128_t a, int128_t b) {
  const int128_t rest = a % b;
  return rest < 0 ? rest + absolute(b) : rest;
}

// Offsets of a grid are from 0 to its size.
std::optional<Steps> steps_from(int128_t size, int128_t offset) {
  size = absolute(size);
  if (size == 1 || size > kMostStep || absolute(offset) > kMostStep) return {};
  if (size != 0) offset = floored_remainder(offset, size);
  return Steps{static_cast<std::int64_t>(size), static_cast<std::int64_t>(offset)};
}

Steps any_whole(const std::optional<Steps>& steps) { return steps.value_or(Steps{1, 0}); }

std::optional<Steps> product_steps(const Steps& a, const Steps& b) {
  const int128_t mixed = common_divisor(int128_t{a.offset} * b.size, int128_t{b.offset} * a.size);
  return steps_from(common_divisor(mixed, int128_t{a.size} * b.size),
                    int128_t{a.offset} * b.offset);
}

// A constant, which is the divisor that operators take.
int128_t divisor_in(const std::vector<BoundPtr>& args) { return args[1]->wholes[0]; }

std::optional<Steps> quotient_steps(const Steps& a, int128_t divisor) {
  if (a.size % divisor != 0) return {};
  const int128_t quotient = a.offset / divisor;
  const bool is_above = quotient * divisor != a.offset && (a.offset < 0) != (divisor < 0);
  return steps_from(a.size / divisor, quotient - (is_above ? 1 : 0));
}

bool is_same_bound(const Bound& a, const Bound& b) {
  if (a.op != b.op || a.column != b.column || a.wholes != b.wholes || a.reals != b.reals ||
      a.takes_missing != b.takes_missing || a.args.size() != b.args.size() ||
      a.type.type != b.type.type) {
    return false;
  }
  for (std::size_t i = 0; i < a.args.size(); ++i) {
    if (!is_same_bound(*a.args[i], *b.args[i])) return false;
  }
  return true;
}

bool is_rest_of(const Bound& rest, const Bound& a) {
  return rest.op == Operator::modulo && is_same_bound(*rest.args[0], a);
}

}  // namespace

std::optional<Steps> arithmetic_steps(Operator op, const std::vector<BoundPtr>& args) {
  const Steps a = any_whole(args[0]->type.steps);
  if (op == Operator::minus) return steps_from(a.size, -int128_t{a.offset});
  const Steps b = any_whole(args[1]->type.steps);
  switch (op) {
    case Operator::add:
      return steps_from(common_divisor(a.size, b.size), int128_t{a.offset} + b.offset);
    case Operator::subtract:
      if (is_rest_of(*args[1], *args[0])) return steps_from(divisor_in(args[1]->args), 0);
      return steps_from(common_divisor(a.size, b.size), int128_t{a.offset} - b.offset);
    case Operator::multiply:
      return product_steps(a, b);
    case Operator::floor_divide:
      return quotient_steps(a, divisor_in(args));
    case Operator::modulo:
      return steps_from(common_divisor(a.size, divisor_in(args)), a.offset);
    default:
      return {};
  }
}

std::optional<Steps> united(const std::optional<Steps>& a, const std::optional<Steps>& b) {
  if (!a || !b) return {};
  const int128_t apart = int128_t{a->offset} - b->offset;
  return steps_from(common_divisor(common_divisor(a->size, b->size), apart), a->offset);
}

std::optional<Steps> negated(const std::optional<Steps>& a) {
  if (!a) return {};
  return steps_from(a->size, -int128_t{a->offset});
}

bool is_on(const std::optional<Steps>& steps, std::int64_t whole) {
  if (!steps) return true;
  const int128_t apart = int128_t{whole} - steps->offset;
  return steps->size == 0 ? apart == 0 : apart % steps->size == 0;
}

std::pair<std::int64_t, std::int64_t> ends_on(const std::optional<Steps>& steps,
                                              std::pair<std::int64_t, std::int64_t> range) {
  if (!steps) return range;
  const auto [lower, upper] = range;
  if (steps->size == 0) {
    const bool holds = lower <= steps->offset && steps->offset <= upper;
    return holds ? std::pair{steps->offset, steps->offset} : std::pair{lower, lower - 1};
  }
  const int128_t above = floored_remainder(int128_t{steps->offset} - lower, steps->size);
  const int128_t below = floored_remainder(int128_t{upper} - steps->offset, steps->size);
  return {static_cast<std::int64_t>(lower + above), static_cast<std::int64_t>(upper - below)};
}

}  // namespace dp::query
