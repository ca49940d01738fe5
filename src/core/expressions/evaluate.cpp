#include "core/expressions/evaluate.h"

#include <algorithm>
#include <cmath>

#include "core/expressions/calendar.h"
#include "core/expressions/elementary.h"
#include "core/expressions/rounding.h"

namespace dp::query {
namespace {

using Wholes = std::vector<std::int64_t>;
using Reals = std::vector<double>;

constexpr bool is_none(std::int64_t whole) { return whole == kNone; }
bool is_none(double real) { return !(real == real); }

// The evaluated arguments of a call.
class Arguments {
 public:
  Arguments(const Bound& call, const RowBatch& batch)
      : call_(call), batch_(batch), rooms_(call.args.size()), cells_(call.args.size()) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i] = &evaluate(*call.args[i], batch, rooms_[i]);
    }
  }

  std::size_t count() const { return cells_.size(); }
  std::size_t rows() const { return batch_.size; }
  bool real(std::size_t i) const { return in_reals(call_.args[i]->type); }
  const Wholes& wholes(std::size_t i) const { return cells_[i]->wholes; }
  const Reals& reals(std::size_t i) const { return cells_[i]->reals; }

  template <class T>
  const std::vector<T>& of(std::size_t i) const {
    if constexpr (std::is_same_v<T, double>) {
      return cells_[i]->reals;
    } else {
      return cells_[i]->wholes;
    }
  }

 private:
  const Bound& call_;
  const RowBatch& batch_;
  std::vector<Cells> rooms_;
  std::vector<const Cells*> cells_;
};

template <class T>
std::vector<T>& results(Cells& room, std::size_t rows) {
  if constexpr (std::is_same_v<T, double>) {
    room.reals.resize(rows);
    return room.reals;
  } else {
    room.wholes.resize(rows);
    return room.wholes;
  }
}

template <class T>
constexpr T none() {
  if constexpr (std::is_same_v<T, double>) {
    return kNoReal;
  } else {
    return kNone;
  }
}

// Applies `f` to the cell, or to both cells, if none is missing.
template <class T, class U, class F>
void each_cell_of(const std::vector<T>& a, std::vector<U>& to, F&& f) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = is_none(a[i]) ? none<U>() : f(a[i]);
}
template <class T, class U, class F>
void each_pair_of(const std::vector<T>& a, const std::vector<T>& b, std::vector<U>& to, F&& f) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = is_none(a[i]) || is_none(b[i]) ? none<U>() : f(a[i], b[i]);
  }
}

template <class F>
void compare(const Arguments& args, Cells& room, F&& f) {
  Wholes& to = results<std::int64_t>(room, args.rows());
  const auto flag = [&](const auto& a, const auto& b) { return std::int64_t{f(a, b)}; };
  if (args.real(0)) {
    each_pair_of(args.reals(0), args.reals(1), to, flag);
  } else {
    each_pair_of(args.wholes(0), args.wholes(1), to, flag);
  }
}

template <class F>
void compare_in_order(const Bound& call, const Arguments& args, Cells& room, F&& f) {
  if (call.texts == nullptr) return compare(args, room, f);
  const TextPool& texts = *call.texts;
  each_pair_of(args.wholes(0),
               args.wholes(1),
               results<std::int64_t>(room, args.rows()),
               [&](std::int64_t a, std::int64_t b) {
                 return std::int64_t{f(texts.text(a), texts.text(b))};
               });
}

// Three-valued logic: a missing operand could be either value, and the result is present if both
// give the same.
void connect(const Arguments& args, Cells& room, std::int64_t decisive) {
  Wholes& to = results<std::int64_t>(room, args.rows());
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::int64_t a = args.wholes(0)[i];
    const std::int64_t b = args.wholes(1)[i];
    const bool unknown = is_none(a) || is_none(b);
    to[i] = a == decisive || b == decisive ? decisive : unknown ? kNone : 1 - decisive;
  }
}

template <class T>
void take_first(const Arguments& args, Cells& room) {
  std::vector<T>& to = results<T>(room, args.rows());
  to = args.of<T>(0);
  for (std::size_t a = 1; a < args.count(); ++a) {
    const std::vector<T>& other = args.of<T>(a);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = is_none(to[i]) ? other[i] : to[i];
  }
}

// Conditions come first, then the same number of values, then the default of case_when(). For a
// missing condition, if_else() returns its fourth argument, or else a missing value. case_when()
// tries the next condition.
template <class T>
void choose(const Arguments& args, Cells& room, bool is_if) {
  const std::size_t conditions = is_if ? 1 : args.count() / 2;
  const bool has_missing = is_if && args.count() == 4;
  std::vector<T>& to = results<T>(room, args.rows());
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::size_t c = 0;
    while (c < conditions && args.wholes(c)[i] != 1) ++c;
    to[i] = args.of<T>(conditions + c)[i];
    if (is_if && is_none(args.wholes(0)[i])) to[i] = has_missing ? args.of<T>(3)[i] : none<T>();
  }
}

// Returns the first cell, or missing if the last two are equal.
template <class T>
void take_unless_equal(const Bound& call, const Arguments& args, Cells& room) {
  std::vector<T>& to = results<T>(room, args.rows());
  to = args.of<T>(0);
  const std::size_t key = args.count() - 2;
  const auto drop_equal = [&](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!is_none(a[i]) && a[i] == b[i]) to[i] = none<T>();
    }
  };
  if (in_reals(call.args[key]->type)) {
    drop_equal(args.reals(key), args.reals(key + 1));
  } else {
    drop_equal(args.wholes(key), args.wholes(key + 1));
  }
}

void round_cells(const Bound& call, const Arguments& args, Cells& room) {
  const auto way = static_cast<Rounding>(call.wholes[0]);
  const std::int64_t digits = call.wholes[1];
  if (in_reals(call.type)) {
    return each_cell_of(args.reals(0), results<double>(room, args.rows()), [&](double x) {
      return rounded_real(x, digits);
    });
  }
  Wholes& to = results<std::int64_t>(room, args.rows());
  if (args.real(0)) {
    return each_cell_of(args.reals(0), to, [&](double x) { return whole_of_real(x, way, digits); });
  }
  each_cell_of(args.wholes(0), to, [&](std::int64_t x) { return rounded_whole(x, digits); });
}

template <class T>
void look_up(const std::vector<T>& cells,
             const std::vector<T>& values,
             bool takes_missing,
             Wholes& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = is_none(cells[i]) ? takes_missing
                              : std::binary_search(values.begin(), values.end(), cells[i]);
  }
}

template <class T>
void take_extreme(const Arguments& args, Cells& room, bool least) {
  std::vector<T>& to = results<T>(room, args.rows());
  to = args.of<T>(0);
  for (std::size_t a = 1; a < args.count(); ++a) {
    const std::vector<T>& other = args.of<T>(a);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (is_none(to[i])) continue;
      if (is_none(other[i]) || (least ? other[i] < to[i] : other[i] > to[i])) to[i] = other[i];
    }
  }
}

void cut_cells(const Bound& call, const Arguments& args, Cells& room) {
  const Reals& breaks = call.reals;
  each_cell_of(args.reals(0), results<std::int64_t>(room, args.rows()), [&](double x) {
    const auto at = std::lower_bound(breaks.begin(), breaks.end(), x) - breaks.begin();
    const bool inside = at > 0 && at < static_cast<std::ptrdiff_t>(breaks.size());
    return inside ? static_cast<std::int64_t>(at - 1) : kNone;
  });
}

// Applies `f` to days within the range of dates of all engines.
template <class F>
void each_day(const Arguments& args, Cells& room, F&& f) {
  each_cell_of(args.wholes(0), results<std::int64_t>(room, args.rows()), [&](std::int64_t day) {
    return day < kFirstDay || day > kLastDay ? kNone : f(day);
  });
}

void take_part(const Arguments& args, Cells& room, std::int64_t CivilDate::*part) {
  each_day(args, room, [&](std::int64_t day) { return civil_date(day).*part; });
}

void take_first_days(const Bound& call, const Arguments& args, Cells& room) {
  const Period period{call.wholes[0], call.wholes[1]};
  each_day(args, room, [&](std::int64_t day) {
    const std::int64_t first = first_day(period, day);
    return first < kFirstDay ? kNone : first;
  });
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

// Turns numbers that are not finite into missing values.
double finite(double x) { return std::isfinite(x) ? x : kNoReal; }

void evaluate_wholes(const Bound& call, const Arguments& args, Cells& room) {
  Wholes& to = results<std::int64_t>(room, args.rows());
  const Wholes& a = args.wholes(0);
  switch (call.op) {
    case Operator::minus:
      return each_cell_of(a, to, [](std::int64_t x) { return -x; });
    case Operator::magnitude:
      return each_cell_of(a, to, [](std::int64_t x) { return x < 0 ? -x : x; });
    case Operator::add:
      return each_pair_of(a, args.wholes(1), to, [](auto x, auto y) { return x + y; });
    case Operator::subtract:
      return each_pair_of(a, args.wholes(1), to, [](auto x, auto y) { return x - y; });
    case Operator::multiply:
      return each_pair_of(a, args.wholes(1), to, [](auto x, auto y) { return x * y; });
    case Operator::floor_divide:
      return each_pair_of(a, args.wholes(1), to, floor_quotient);
    default:
      return each_pair_of(
          a, args.wholes(1), to, [](auto x, auto y) { return x - y * floor_quotient(x, y); });
  }
}

void evaluate_reals(const Bound& call, const Arguments& args, Cells& room) {
  Reals& to = results<double>(room, args.rows());
  const Reals& a = args.reals(0);
  switch (call.op) {
    case Operator::minus:
      return each_cell_of(a, to, [](double x) { return -x; });
    case Operator::magnitude:
      return each_cell_of(a, to, [](double x) { return std::fabs(x); });
    case Operator::add:
      return each_pair_of(a, args.reals(1), to, [](auto x, auto y) { return finite(x + y); });
    case Operator::subtract:
      return each_pair_of(a, args.reals(1), to, [](auto x, auto y) { return finite(x - y); });
    case Operator::multiply:
      return each_pair_of(a, args.reals(1), to, [](auto x, auto y) { return finite(x * y); });
    case Operator::power:
      return each_cell_of(
          a, to, [&](double x) { return finite(power_of_cell(x, call.wholes[0])); });
    case Operator::logarithm:
      return each_cell_of(a, to, logarithm_of_cell);
    case Operator::exponential:
      return each_cell_of(a, to, exponential_of_cell);
    case Operator::root:
      return each_cell_of(a, to, root_of_cell);
    case Operator::logarithm_of_one_more:
      return each_cell_of(a, to, logarithm_of_one_more_of_cell);
    case Operator::on_lattice:
      return each_cell_of(a, to, [&](double x) { return on_lattice_of_cell(x, call.wholes[0]); });
    default:
      return each_pair_of(
          a, args.reals(1), to, [](auto x, auto y) { return y == 0 ? kNoReal : finite(x / y); });
  }
}

void evaluate_logical(const Bound& call, const Arguments& args, Cells& room) {
  Wholes& to = results<std::int64_t>(room, args.rows());
  switch (call.op) {
    case Operator::equal:
      return compare(args, room, [](auto a, auto b) { return a == b; });
    case Operator::unequal:
      return compare(args, room, [](auto a, auto b) { return a != b; });
    case Operator::less:
      return compare_in_order(call, args, room, [](auto a, auto b) { return a < b; });
    case Operator::less_equal:
      return compare_in_order(call, args, room, [](auto a, auto b) { return a <= b; });
    case Operator::both:
      return connect(args, room, 0);
    case Operator::either:
      return connect(args, room, 1);
    case Operator::negation:
      return each_cell_of(args.wholes(0), to, [](std::int64_t x) { return 1 - x; });
    case Operator::is_missing:
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = args.real(0) ? is_none(args.reals(0)[i]) : is_none(args.wholes(0)[i]);
      }
      return;
    default:
      return args.real(0) ? look_up(args.reals(0), call.reals, call.takes_missing, to)
                          : look_up(args.wholes(0), call.wholes, call.takes_missing, to);
  }
}

template <class T>
void evaluate_either(const Bound& call, const Arguments& args, Cells& room) {
  switch (call.op) {
    case Operator::coalesce:
      return take_first<T>(args, room);
    case Operator::if_else:
      return choose<T>(args, room, true);
    case Operator::case_when:
      return choose<T>(args, room, false);
    case Operator::none_if:
      return take_unless_equal<T>(call, args, room);
    case Operator::least:
      return take_extreme<T>(args, room, true);
    case Operator::most:
      return take_extreme<T>(args, room, false);
    default:
      if constexpr (std::is_same_v<T, double>) {
        return evaluate_reals(call, args, room);
      } else {
        return evaluate_wholes(call, args, room);
      }
  }
}

void evaluate_call(const Bound& call, const Arguments& args, Cells& room) {
  switch (call.op) {
    case Operator::to_real:
      return each_cell_of(args.wholes(0), results<double>(room, args.rows()), [](std::int64_t x) {
        return static_cast<double>(x);
      });
    case Operator::lookup:
      return each_cell_of(
          args.wholes(0), results<std::int64_t>(room, args.rows()), [&](std::int64_t place) {
            return call.wholes[static_cast<std::size_t>(place)];
          });
    case Operator::cut:
      return cut_cells(call, args, room);
    case Operator::rounded:
      return round_cells(call, args, room);
    case Operator::year:
      return take_part(args, room, &CivilDate::year);
    case Operator::month:
      return take_part(args, room, &CivilDate::month);
    case Operator::day:
      return take_part(args, room, &CivilDate::day);
    case Operator::day_of_year:
      return each_day(args, room, [](std::int64_t day) { return day_of_year(day); });
    case Operator::day_of_week:
      return each_day(
          args, room, [&](std::int64_t day) { return day_of_week(day, call.wholes[0]); });
    case Operator::first_day:
      return take_first_days(call, args, room);
    default:
      break;
  }
  const bool logical =
      (call.op >= Operator::equal && call.op <= Operator::is_missing) || call.op == Operator::is_in;
  if (logical) return evaluate_logical(call, args, room);
  return in_reals(call.type) ? evaluate_either<double>(call, args, room)
                             : evaluate_either<std::int64_t>(call, args, room);
}

}  // namespace

const Cells& evaluate(const Bound& expression, const RowBatch& batch, Cells& room) {
  if (expression.op == Operator::column) return batch.columns[expression.column];
  if (expression.op == Operator::literal) {
    if (in_reals(expression.type)) {
      room.reals.assign(batch.size, expression.reals.at(0));
    } else {  // wholes are empty for an untyped missing literal
      room.wholes.assign(batch.size, expression.wholes.empty() ? kNone : expression.wholes[0]);
    }
    return room;
  }
  evaluate_call(expression, Arguments(expression, batch), room);
  return room;
}

}  // namespace dp::query
