// Arithmetic of released numbers: estimates.h.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/error.h"
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
  throw Error(ErrorKind::unsupported, "`" + name + "` is no aggregate of this query.");
}

bool makes_lists(const Aggregate& aggregate) {
  return aggregate.kind == Aggregate::Kind::histogram ||
         (aggregate.kind == Aggregate::Kind::quantiles && aggregate.probabilities.size() > 1);
}

// A number that does not depend on the group.
double number_of(const Literal& literal) {
  if (const auto* real = std::get_if<double>(&literal.value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    return static_cast<double>(*whole);
  }
  throw Error(ErrorKind::unsupported, "arithmetic of aggregates has numbers alone.");
}

// Checks a tree, and evaluates it where there are estimates.
class Arithmetic {
 public:
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
      throw Error(ErrorKind::unsupported,
                  "`" + column.name + "` is several numbers, which have no arithmetic.");
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
                  "`" + call.op + "` is not among the arithmetic of aggregates.");
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

}  // namespace

void check_output(const Output& output, const std::vector<Aggregate>& aggregates) {
  if (const auto* column = std::get_if<ColumnReference>(&output.value->node())) {
    aggregate_named(column->name, aggregates);
    return;
  }
  Arithmetic(aggregates, nullptr).at(*output.value, 0);
}

Estimates output_of(const Output& output,
                    const std::vector<Aggregate>& aggregates,
                    const std::vector<Estimates>& estimates,
                    std::size_t groups) {
  if (const auto* column = std::get_if<ColumnReference>(&output.value->node())) {
    return estimates[aggregate_named(column->name, aggregates)];
  }
  const Arithmetic arithmetic(aggregates, &estimates);
  Estimates result;
  for (std::size_t group = 0; group < groups; ++group) {
    result.values.push_back(arithmetic.at(*output.value, group));
  }
  result.deviations.assign(groups, kNotKnown);
  result.lower = result.upper = result.deviations;
  return result;
}

}  // namespace dp::query
