// Arithmetic of released numbers: estimates.h.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/estimates.h"

namespace dp::query {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

using Operation = double (*)(double, double);

const std::map<std::string, Operation>& operations() {
  static const std::map<std::string, Operation> kAll = {
      {"+", [](double a, double b) { return a + b; }},
      {"-", [](double a, double b) { return a - b; }},
      {"*", [](double a, double b) { return a * b; }},
      {"/", [](double a, double b) { return a / b; }},
      {"pmin", [](double a, double b) { return b < a ? b : a; }},
      {"pmax", [](double a, double b) { return b > a ? b : a; }}};
  return kAll;
}

using Function1 = double (*)(double);

const std::map<std::string, Function1>& functions_of_one() {
  static const std::map<std::string, Function1> kAll = {
      {"-", [](double a) { return -a; }},
      {"abs", [](double a) { return std::fabs(a); }},
      {"sqrt", [](double a) { return a < 0 ? kNotKnown : std::sqrt(a); }}};
  return kAll;
}

std::size_t aggregate_named(const std::string& name, const std::vector<Aggregate>& aggregates) {
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    if (aggregates[i].name == name) return i;
  }
  throw Error(ErrorKind::unsupported, "`" + name + "` is not an aggregate of this query.");
}

bool makes_lists(const Aggregate& aggregate) {
  return class_of(aggregate.kind).makes_lists(aggregate);
}

// A number that does not depend on the group.
double number_of(const Literal& literal) {
  if (const auto* real = std::get_if<double>(&literal.value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    return static_cast<double>(*whole);
  }
  throw Error(ErrorKind::unsupported, "constants in arithmetic of aggregates must be numbers.");
}

// Checks a tree, and evaluates it if there are estimates.
class Arithmetic {
 public:
  // `estimates` of the aggregates in their order, or null.
  Arithmetic(const std::vector<Aggregate>& aggregates, const std::vector<Estimates>* estimates)
      : aggregates_(aggregates), estimates_(estimates) {}

  double at(const Expression& expression, std::size_t group) const {
    return std::visit([&](const auto& node) { return of(node, group); }, expression.node());
  }

 private:
  double of(const Literal& literal, std::size_t) const { return number_of(literal); }

  double of(const ColumnReference& column, std::size_t group) const {
    const std::size_t place = aggregate_named(column.name, aggregates_);
    if (makes_lists(aggregates_[place])) {
      throw Error(
          ErrorKind::unsupported,
          "`" + column.name +
              "` releases several numbers, so arithmetic with it is not possible. Use one number.");
    }
    return estimates_ == nullptr ? 1 : (*estimates_)[place].values[group];
  }

  double of(const Call& call, std::size_t group) const {
    if (call.args.size() == 1) {
      const auto found = functions_of_one().find(call.op);
      if (found != functions_of_one().end()) return found->second(at(*call.args[0], group));
    }
    const auto found = operations().find(call.op);
    if (found == operations().end() || call.args.size() < 2) {
      throw Error(ErrorKind::unsupported,
                  "`" + call.op + "` cannot combine aggregates. Use `+`, `-`, `*` and `/`.");
    }
    double value = at(*call.args[0], group);
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      value = found->second(value, at(*call.args[i], group));
    }
    return value;
  }

  const std::vector<Aggregate>& aggregates_;
  const std::vector<Estimates>* estimates_;
};

// Evaluates a tree on intervals of its aggregates: the result contains all values on them. NaN ends
// mean an unknown interval.
class IntervalArithmetic {
 public:
  IntervalArithmetic(const std::vector<Aggregate>& aggregates,
                     const std::map<std::size_t, Estimates>& estimates)
      : aggregates_(aggregates), estimates_(estimates) {}

  Range at(const Expression& expression, std::size_t group) const {
    return std::visit([&](const auto& node) { return of(node, group); }, expression.node());
  }

 private:
  static Range of(const Literal& literal, std::size_t) {
    return {number_of(literal), number_of(literal)};
  }

  Range of(const ColumnReference& column, std::size_t group) const {
    const Estimates& found = estimates_.at(aggregate_named(column.name, aggregates_));
    return {found.lower[group], found.upper[group]};
  }

  Range of(const Call& call, std::size_t group) const {
    if (call.args.size() == 1) return of_one(call.op, at(*call.args[0], group));
    Range range = at(*call.args[0], group);
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      range = of_two(call.op, range, at(*call.args[i], group));
    }
    return range;
  }

  static Range of_one(const std::string& op, const Range& a) {
    if (op == "-") return {-a.upper, -a.lower};
    if (op == "sqrt") {
      return {std::sqrt(std::max(a.lower, 0.0)), a.upper < 0 ? kNotKnown : std::sqrt(a.upper)};
    }
    const double low = std::fabs(a.lower);
    const double high = std::fabs(a.upper);
    const bool has_zero = a.lower <= 0 && a.upper >= 0;
    return {has_zero ? 0 : std::min(low, high), std::max(low, high)};
  }

  // All of these are monotone in each argument, except for a divisor whose interval contains 0.
  static Range of_two(const std::string& op, const Range& a, const Range& b) {
    const bool is_known = a.lower <= a.upper && b.lower <= b.upper;
    if (!is_known || (op == "/" && b.lower <= 0 && b.upper >= 0)) return {kNotKnown, kNotKnown};
    const Operation operation = operations().at(op);
    const double corners[] = {operation(a.lower, b.lower),
                              operation(a.lower, b.upper),
                              operation(a.upper, b.lower),
                              operation(a.upper, b.upper)};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }

  const std::vector<Aggregate>& aggregates_;
  const std::map<std::size_t, Estimates>& estimates_;
};

// A constant, and parts with constant factors.
struct LinearForm {
  double constant = 0;
  std::map<std::size_t, double> factors;  // by part

  void add(const LinearForm& other, double factor) {
    constant += factor * other.constant;
    for (const auto& [part, each] : other.factors) factors[part] += factor * each;
  }
};

// A tree as shift + scale * inner, with the smallest inner tree.
struct Peeled {
  const Expression* inner;
  double shift = 0;
  double scale = 1;
};

class OutputEstimates {
 public:
  OutputEstimates(const NoisyComponents& noisy, const Expression& expression, Alpha alpha)
      : noisy_(noisy),
        aggregates_(noisy.statement.aggregates),
        expression_(expression),
        alpha_(alpha),
        combined_(noisy.kind, alpha) {}

  Estimates all() const {
    if (const auto place = aggregate_in(expression_)) return estimates_of(noisy_, *place, alpha_);
    if (const auto form = linear(expression_)) return of_sum(*form);
    const Peeled peeled = peel(expression_);
    if (const auto place = aggregate_in(*peeled.inner)) {
      return moved(estimates_of(noisy_, *place, alpha_), peeled);
    }
    if (const auto* call = std::get_if<Call>(&peeled.inner->node())) {
      if (call->op == "/" && call->args.size() == 2) {
        const auto above = linear(*call->args[0]);
        const auto below = linear(*call->args[1]);
        if (above && below) return moved(of_ratio(*above, *below), peeled);
      }
    }
    return of_box();
  }

 private:
  std::optional<std::size_t> aggregate_in(const Expression& expression) const {
    const auto* column = std::get_if<ColumnReference>(&expression.node());
    if (column == nullptr) return {};
    return aggregate_named(column->name, aggregates_);
  }

  // Forms.

  static std::optional<double> constant_of(const std::optional<LinearForm>& form) {
    if (!form || !form->factors.empty()) return {};
    return form->constant;
  }

  // Linear forms of aggregates that are one noisy number each.
  std::optional<LinearForm> linear(const Expression& expression) const {
    if (const auto* literal = std::get_if<Literal>(&expression.node())) {
      return LinearForm{number_of(*literal), {}};
    }
    if (const auto place = aggregate_in(expression)) {
      const AggregateComponents& parts = noisy_.parts.aggregates[*place];
      if (row_of(aggregates_[*place].kind).quantity == Quantity::statistic) return {};
      return LinearForm{0, {{parts.main.front(), 1}}};
    }
    return linear_call(std::get<Call>(expression.node()));
  }

  std::optional<LinearForm> linear_call(const Call& call) const {
    std::optional<LinearForm> form = linear(*call.args[0]);
    if (form && call.args.size() == 1 && call.op == "-") {
      LinearForm negative;
      negative.add(*form, -1);
      return negative;
    }
    if (call.args.size() == 1) return {};
    for (std::size_t i = 1; form && i < call.args.size(); ++i) {
      form = linear_of(call.op, *form, linear(*call.args[i]));
    }
    return form;
  }

  static std::optional<LinearForm> linear_of(const std::string& op,
                                             const LinearForm& a,
                                             const std::optional<LinearForm>& b) {
    if (!b) return {};
    LinearForm form;
    if (op == "+" || op == "-") {
      form = a;
      form.add(*b, op == "+" ? 1 : -1);
    } else if (op == "*" && a.factors.empty()) {
      form.add(*b, a.constant);
    } else if (op == "*" && b->factors.empty()) {
      form.add(a, b->constant);
    } else if (op == "/" && b->factors.empty() && b->constant != 0) {
      form.add(a, 1 / b->constant);
    } else {
      return {};
    }
    return form;
  }

  // Removes operations with constants, from the outside in.
  Peeled peel(const Expression& expression) const {
    Peeled peeled{&expression};
    while (const auto* call = std::get_if<Call>(&peeled.inner->node())) {
      if (call->args.size() == 1 && call->op == "-") {
        peeled.scale = -peeled.scale;
        peeled.inner = call->args[0].get();
        continue;
      }
      if (call->args.size() != 2) break;
      const auto left = constant_of(linear(*call->args[0]));
      const auto right = constant_of(linear(*call->args[1]));
      if (left.has_value() == right.has_value()) break;
      const double constant = left ? *left : *right;
      if (call->op == "+" || call->op == "-") {
        const bool is_taken_off = call->op == "-" && right;
        peeled.shift += peeled.scale * (is_taken_off ? -constant : constant);
        if (call->op == "-" && left) peeled.scale = -peeled.scale;
      } else if (call->op == "*" && constant != 0) {
        peeled.scale *= constant;
      } else if (call->op == "/" && right && constant != 0) {
        peeled.scale /= constant;
      } else {
        break;
      }
      peeled.inner = call->args[left ? 1 : 0].get();
    }
    return peeled;
  }

  double value_of(const LinearForm& form, std::size_t group) const {
    double value = form.constant;
    for (const auto& [part, factor] : form.factors) value += factor * noisy_.number(part, group);
    return value;
  }

  std::map<std::size_t, NoiseTerm> terms_of(const LinearForm& form) const {
    std::map<std::size_t, NoiseTerm> terms;
    for (const auto& factor : form.factors) {
      terms[factor.first] = noisy_.term(factor.first, alpha_);
    }
    return terms;
  }

  Range possible_of(const LinearForm& form) const {
    Range possible{form.constant, form.constant};
    for (const auto& [part, factor] : form.factors) {
      if (factor == 0) continue;
      const Range its = noisy_.possible(part);
      possible.lower += factor * (factor > 0 ? its.lower : its.upper);
      possible.upper += factor * (factor > 0 ? its.upper : its.lower);
    }
    return possible;
  }

  // Only the sign of a ratio is known.
  static Range possible_ratio(const Range& above, const Range& below) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    const bool negative =
        (above.lower < 0 && below.upper > 0) || (above.upper > 0 && below.lower < 0);
    const bool positive =
        (above.upper > 0 && below.upper > 0) || (above.lower < 0 && below.lower < 0);
    return {negative ? -kAny : 0, positive ? kAny : 0};
  }

  // Estimates.

  Estimates of_sum(const LinearForm& form) const {
    CombinedNoise noise(combined_);
    double variance = 0;
    for (const auto& [part, term] : terms_of(form)) {
      const double factor = form.factors.at(part);
      noise.add(factor, term);
      variance += factor * factor * term.deviation * term.deviation;
    }
    const double reach = noise.reach();
    const Range possible = possible_of(form);
    Estimates result;
    for (std::size_t group = 0; group < noisy_.groups; ++group) {
      const double value = value_of(form, group);
      const Range range{value - reach, value + reach};
      result.push(value, std::sqrt(variance), range, mark_outside(range, possible));
    }
    return result;
  }

  // The same part can be in both forms.
  Estimates of_ratio(const LinearForm& above, const LinearForm& below) const {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    LinearForm both = above;
    both.add(below, 1);
    const auto terms = terms_of(both);
    const auto factor = [](const LinearForm& form, std::size_t part) {
      const auto found = form.factors.find(part);
      return found == form.factors.end() ? 0 : found->second;
    };
    const auto reach = [&](double one, double ratio) {
      CombinedNoise noise(combined_);
      for (const auto& [part, term] : terms) {
        noise.add(one * factor(above, part) - ratio * factor(below, part), term);
      }
      return noise.reach();
    };
    const double certain = reach(0, 1);
    const Range possible_below = possible_of(below);
    const Range possible = possible_ratio(possible_of(above), possible_below);
    Estimates result;
    for (std::size_t group = 0; group < noisy_.groups; ++group) {
      const double a = value_of(above, group);
      const double b = value_of(below, group);
      const double ratio = a / b;
      const bool is_noise =
          mark_outside({b - certain, b + certain}, possible_below) == Mark::is_outside;
      if (!(std::fabs(b) > certain) || is_noise) {
        result.push(ratio, kNotKnown, {kNotKnown, kNotKnown}, Mark::may_be_empty);
        continue;
      }
      const Range range =
          ratios_about(ratio, a, b, {-kInfinite, kInfinite}, [&](double r) { return reach(1, r); });
      result.push(ratio, kNotKnown, range, mark_outside(range, possible));
    }
    return result;
  }

  Estimates moved(const Estimates& inner, const Peeled& peeled) const {
    const auto move = [&](double x) { return peeled.shift + peeled.scale * x; };
    Estimates result;
    for (std::size_t group = 0; group < noisy_.groups; ++group) {
      const double one = move(inner.lower[group]);
      const double other = move(inner.upper[group]);
      const bool is_wide = inner.marks[group] == Mark::is_wide;
      result.push(move(inner.values[group]),
                  std::fabs(peeled.scale) * inner.deviations[group],
                  peeled.scale < 0 ? Range{other, one} : Range{one, other},
                  is_wide ? Mark::none : inner.marks[group]);
    }
    return result;
  }

  void collect(const Expression& expression, std::map<std::size_t, Estimates>& found) const {
    if (const auto place = aggregate_in(expression)) found[*place];
    if (const auto* call = std::get_if<Call>(&expression.node())) {
      for (const auto& arg : call->args) collect(*arg, found);
    }
  }

  Estimates of_box() const {
    std::map<std::size_t, Estimates> found;
    collect(expression_, found);
    std::vector<Estimates> values(aggregates_.size());
    const Alpha each(alpha_.value() / std::max<double>(1, static_cast<double>(found.size())));
    for (auto& [place, estimates] : found) {
      values[place] = estimates = estimates_of(noisy_, place, each);
    }
    const Arithmetic arithmetic(aggregates_, &values);
    const IntervalArithmetic intervals(aggregates_, found);
    Estimates result;
    for (std::size_t group = 0; group < noisy_.groups; ++group) {
      const Range range = intervals.at(expression_, group);
      const bool is_known = range.lower <= range.upper;
      result.push(arithmetic.at(expression_, group),
                  kNotKnown,
                  is_known ? range : Range{kNotKnown, kNotKnown},
                  is_known ? mark_of_parts(found, group) : mark_without_interval(found, group));
    }
    return result;
  }

  // Arithmetic with a number that noise made impossible says nothing.
  static Mark mark_of_parts(const std::map<std::size_t, Estimates>& found, std::size_t group) {
    const bool is_outside = std::any_of(found.begin(), found.end(), [&](const auto& each) {
      return each.second.marks[group] == Mark::is_outside;
    });
    return is_outside ? Mark::is_outside : Mark::none;
  }

  // Arithmetic has no interval if an aggregate has none, or a divisor can be 0.
  static Mark mark_without_interval(const std::map<std::size_t, Estimates>& found,
                                    std::size_t group) {
    for (const auto& [place, estimates] : found) {
      const Mark mark = estimates.marks[group];
      if (mark == Mark::no_interval || mark == Mark::is_coarse) return Mark::no_interval;
    }
    return Mark::may_be_empty;
  }

  const NoisyComponents& noisy_;
  const std::vector<Aggregate>& aggregates_;
  const Expression& expression_;
  Alpha alpha_;
  CombinedReach combined_;
};

}  // namespace

void check_output(const Output& output, const std::vector<Aggregate>& aggregates) {
  if (const auto* column = std::get_if<ColumnReference>(&output.value->node())) {
    aggregate_named(column->name, aggregates);
    return;
  }
  Arithmetic(aggregates, nullptr).at(*output.value, 0);
}

Estimates output_of(const NoisyComponents& noisy, const Output& output, Alpha alpha) {
  return OutputEstimates(noisy, *output.value, alpha).all();
}

}  // namespace dp::query
