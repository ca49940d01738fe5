// A generalized linear model of rows, by objective perturbation: the release of
// objective_perturbation.h for tables with a private number of rows, with an intercept. A row that
// lacks a value of a column adds nothing.
//
// Effect of a row: one added or removed row, of a table without groups, costs the epsilon of the
// plan. A replaced row is one removed and one added row. parts.h has the loss of k rows.
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/aggregates/noisy_aggregate.h"
#include "core/query/columns.h"

namespace dp::query {
namespace {

// As dpGLM() does: the rest of epsilon goes to the coefficients.
constexpr double kShareOfErrors = 0.2;

GlmInference inference_of(Aggregate::Errors errors) {
  if (errors == Aggregate::Errors::none) return {};
  return {kShareOfErrors, errors == Aggregate::Errors::sandwich};
}

class RowModelClass final : public AggregateClass {
 public:
  explicit RowModelClass(GlmFamily family) : family_(family) {}

  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    if (list.has_groups()) {
      throw Error(ErrorKind::unsupported,
                  "`" + aggregate.name + "` reads rows of one table. Use `filter()` for a group.");
    }
    if (aggregate.of == nullptr || aggregate.predictors.empty()) {
      throw Error(ErrorKind::unsupported,
                  "`" + aggregate.name + "` needs a response and predictors.");
    }
    auto model = std::make_shared<RowModel>();
    model->family = family_;
    model->inference = inference_of(aggregate.errors);
    add_column(list, aggregate, aggregate.of, *model);
    for (const ExpressionPtr& of : aggregate.predictors) add_column(list, aggregate, of, *model);
    check_row_model(model->columns, model->plan(1));
    NoisyComponent part;
    part.kind = NoisyComponent::Kind::model;
    part.tally = model->tallies.front();
    part.effect = effect_on_sum(-1, 1, list.facts(true));
    part.model = std::move(model);
    AggregateComponents parts;
    parts.main = {list.share(aggregate, part, aggregate.weight)};
    return parts;
  }

  // Intervals of coefficients are postprocessing of all numbers together, so single ones have none.
  Estimates estimate(const NoisyAggregate& noisy) const override {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double>& reals = noisy.measured(noisy.main()).reals;
    Estimates result;
    result.is_list = true;
    result.width = reals.size();
    for (const double real : reals) {
      result.push(real, kUnknown, {kUnknown, kUnknown}, Mark::no_interval);
    }
    return result;
  }

  bool makes_lists(const Aggregate& /*aggregate*/) const override { return true; }

 private:
  static void add_column(ComponentList& list,
                         const Aggregate& aggregate,
                         const ExpressionPtr& of,
                         RowModel& model) {
    const Field field = list.typed(of);
    Quantiser points = quantiser_of(field, {}, Origin::zero, aggregate.name);
    points.fill = {};
    if (points.lower == points.upper) {
      throw Error(ErrorKind::domain,
                  "`" + aggregate.name + "` needs columns whose bounds are apart.");
    }
    const std::string name = std::to_string(model.columns.size());
    const bool whole = field.type != FieldType::real;
    model.columns.push_back({name, points.lower, points.upper, points.lower, points.upper, whole});
    model.tallies.push_back(list.tally(ExactAggregate::Kind::points, of, points));
  }

  GlmFamily family_;
};

}  // namespace

const AggregateClass& logit_class() {
  static const RowModelClass kClass(GlmFamily::logit);
  return kClass;
}

const AggregateClass& poisson_class() {
  static const RowModelClass kClass(GlmFamily::poisson);
  return kClass;
}

}  // namespace dp::query
