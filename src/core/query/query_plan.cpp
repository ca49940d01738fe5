#include "core/query/query_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/accounting/compose.h"
#include "core/accounting/shares.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/numeric/directed.h"
#include "core/query/estimates.h"
#include "core/query/key_threshold.h"
#include "core/query/measure.h"
#include "core/query/schema.h"
#include "core/query/unit_reach.h"
#include "core/tables/effects.h"

namespace dp::query {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void check_loss(const Loss& loss) {
  if (!(loss.amount > 0) || !std::isfinite(loss.amount)) {
    throw Error(ErrorKind::budget, "a loss must be positive and finite.");
  }
  if (!(loss.delta >= 0) || !(loss.delta < 1)) {
    throw Error(ErrorKind::budget, "`delta` must be at least 0 and below 1.");
  }
}

void check_names(const Statement& statement) {
  if (statement.aggregates.empty()) {
    throw Error(ErrorKind::unsupported, "a query needs an aggregate, such as `dp_count()`.");
  }
  std::set<std::string> names;
  for (const Aggregate& each : statement.aggregates) {
    if (!names.insert(each.name).second) {
      throw Error(ErrorKind::unsupported,
                  "two aggregates have the name `" + each.name + "`. Rename one of them.");
    }
  }
  for (const Output& each : statement.outputs) check_output(each, statement.aggregates);
}

// Checks only declared groups: the number of private groups, and so of their numbers, is not
// public.
void check_numbers(const QueryComponents& parts, std::size_t groups) {
  std::uint64_t each = 0;
  for (const ExactAggregate& tally : parts.tallies) each += 2 * tally.grid.size() + 1;
  for (const NoisyComponent& part : parts.parts) {
    if (part.kind != NoisyComponent::Kind::effect) continue;
    each += tables::cells_of(tables::kept_shape(part.shape, part.kept));
  }
  if (each <= limits::kNumbers / std::max<std::size_t>(groups, 1)) return;
  throw Error(ErrorKind::unsupported,
              "a query must measure at most " + std::to_string(limits::kNumbers) +
                  " numbers, but this one has " + std::to_string(groups) + " groups of " +
                  std::to_string(each) + " each. Use fewer groups, breaks or candidates.");
}

Contributions contributions_at(const Statement& statement, std::uint32_t d_in) {
  return contributions_after(statement.source, statement.steps, d_in);
}

}  // namespace

Measure measure_of(const Loss& loss) {
  const Measure inner = loss.concentrated ? zero_concentrated_divergence() : max_divergence();
  return loss.delta > 0 ? approximate(inner) : inner;
}

QueryPlan::QueryPlan(Statement statement, const Loss& loss, Alpha alpha)
    : statement_(std::move(statement)),
      loss_(loss),
      alpha_(alpha),
      kind_(loss.concentrated ? NoiseKind::gaussian : NoiseKind::laplace) {
  check_loss(loss);
  check_names(statement_);
  fields_ = fields_after(statement_.source, statement_.steps);
  const std::uint32_t unit = statement_.source.unit.count;
  keys_ = keys_of(statement_, fields_, contributions_at(statement_, unit));
  const bool pays_for_keys =
      keys_.source == KeySource::threshold || keys_.source == KeySource::selection;
  if (pays_for_keys && !(loss.delta > 0)) {
    throw Error(ErrorKind::keys,
                "Groups whose keys are not public need a loss with `delta > 0`, but this one has "
                "`delta = 0`.");
  }
  if (pays_for_keys && statement_.keys.suppress) {
    throw Error(
        ErrorKind::keys,
        "`suppress` is for public keys. A threshold or a selection already leaves out small "
        "groups.");
  }
  if (!pays_for_keys) statement_.keys.kind = Keys::Kind::declared;
  parts_ = lower_aggregates(statement_, fields_);
  unit_bounds_ = found_bounds(unit);
  check_protection();
  check_numbers(parts_, keys_.universe.size());
  shared_weight_ = shared_weight();
  laws_.resize(parts_.parts.size());
  double left = sub_down(loss_.amount, fix_scales());
  for (double less = 0x1p-53;; less *= 2) {
    share_scales(left);
    if (total() <= loss_.amount) break;
    left = mul_down(left, 1 - less);
  }
  set_keys();
  if (delta(unit) > loss_.delta) {
    throw Error(ErrorKind::budget,
                "`delta` is too small for a threshold. Choose a larger `delta`.");
  }
  check_models();
}

// Whether the loss leaves room for the noise of models, before rows are read.
void QueryPlan::check_models() const {
  for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
    const NoisyComponent& part = parts_.parts[i];
    if (part.kind != NoisyComponent::Kind::model) continue;
    glm_budget(part.model->plan(epsilon_of_model(*laws_[i])), part.model->columns.size());
  }
}

ContributionBounds QueryPlan::bounds(std::uint32_t d_in) const {
  return d_in == statement_.source.unit.count ? unit_bounds_ : found_bounds(d_in);
}

ContributionBounds QueryPlan::found_bounds(std::uint32_t d_in) const {
  const Contributions known = contributions_at(statement_, d_in);
  Grouping grouping{{statement_.by.begin(), statement_.by.end()}, {}};
  if (keys_.source == KeySource::universe) grouping.universe = keys_.universe.size();
  const std::uint64_t people = people_in_shards(statement_.source.unit, d_in);
  return {known.rows(grouping), known.people(grouping, people)};
}

ContributionBound QueryPlan::needed(const Reach& reach) const {
  if (!reach.bound) refuse_unbounded(statement_, reach.missing);
  return *reach.bound;
}

ContributionBound QueryPlan::bound_of(const NoisyComponent& part, std::uint32_t d_in) const {
  return bound_of(part, bounds(d_in));
}

ContributionBound QueryPlan::bound_of(const NoisyComponent& part,
                                      const ContributionBounds& bounds) const {
  return needed(part.of_people ? bounds.people : bounds.rows);
}

ContributionBound QueryPlan::key_bound(std::uint32_t d_in) const {
  const ContributionBounds both = bounds(d_in);
  return needed(parts_.keys_by_people ? both.people : both.rows);
}

void QueryPlan::check_protection() const {
  const Unit& unit = statement_.source.unit;
  for (const NoisyComponent& part : parts_.parts) {
    if (part.effect.unit == 0) continue;
    const bool alone = part.effect.by_replacement && !has_replacements(unit);
    if (alone || !is_moved(part)) refuse_unprotected(unit, part.column);
  }
}

// Whether some two neighbours at the unit's distance differ in this part.
bool QueryPlan::is_moved(const NoisyComponent& part) const {
  return component_sensitivity(part, bound_of(part, unit_bounds_)).l1 > 0;
}

bool QueryPlan::is_selection_shared() const {
  return parts_.selection && key_bound(statement_.source.unit.count).rows > 0;
}

double QueryPlan::component_loss(std::size_t part, std::uint32_t d_in) const {
  return component_loss(part, bounds(d_in));
}

double QueryPlan::component_loss(std::size_t part, const ContributionBounds& bounds) const {
  const NoisyComponent& each = parts_.parts[part];
  const Sensitivity norms = component_sensitivity(each, bound_of(each, bounds));
  if (norms.l1 == 0) return 0;
  return laws_[part] ? laws_[part]->loss(norms) : kInfinite;
}

double QueryPlan::selection_loss(std::uint32_t d_in) const {
  if (!selection_) return 0;
  return selection_->loss(key_bound(d_in), loss_.concentrated);
}

double QueryPlan::delta(std::uint32_t d_in) const {
  if (selection_) return selection_->delta_of(key_bound(d_in));
  if (keys_.source != KeySource::threshold) return 0;
  const ContributionBound bound = key_bound(d_in);
  const auto& law = laws_[*parts_.threshold];
  if (bound.rows == 0) return 0;
  return law ? threshold_delta(*law, bound, *threshold_) : 1;
}

Distance QueryPlan::loss_at(std::uint32_t d_in) const {
  const ContributionBounds at_distance = bounds(d_in);
  std::vector<Distance> losses;
  for (std::size_t i = 0; i < parts_.parts.size(); ++i)
    losses.push_back(Scalar(component_loss(i, at_distance)));
  losses.push_back(Scalar(selection_loss(d_in)));
  const Distance all = compose(measure_of({loss_.concentrated, loss_.amount, 0}), losses);
  if (!(loss_.delta > 0)) return all;
  return Distance::Tuple{all, Scalar(delta(d_in))};
}

// In the order of loss_at().
double QueryPlan::total() const {
  const std::uint32_t unit = statement_.source.unit.count;
  double sum = 0;
  for (std::size_t i = 0; i < parts_.parts.size(); ++i) sum = add_up(sum, component_loss(i, unit));
  return add_up(sum, selection_loss(unit));
}

// Cost of the scales that the caller fixed.
double QueryPlan::fix_scales() {
  double cost = 0;
  for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
    const NoisyComponent& part = parts_.parts[i];
    if (!is_moved(part) || (!part.scale && !part.accuracy)) continue;
    double scale = kInfinite;
    if (part.scale) scale = std::ldexp(*part.scale, -part.exponent);
    if (part.accuracy) {
      const double steps = std::ldexp(*part.accuracy, -part.exponent);
      scale = std::min(scale, scale_for_accuracy(kind_, steps, alpha_));
    }
    laws_[i].emplace(kind_, scale);
    cost = add_up(cost, component_loss(i, statement_.source.unit.count));
  }
  if (cost > loss_.amount) {
    throw Error(
        ErrorKind::budget,
        "the given scales and accuracies cost more than the loss. Increase them or the loss.");
  }
  return cost;
}

// Calibrates noise by weight, for each part that moves and has no fixed scale.
void QueryPlan::share_scales(double left) {
  const std::uint32_t unit = statement_.source.unit.count;
  std::vector<std::size_t> shared;
  std::vector<double> weights;
  for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
    const NoisyComponent& part = parts_.parts[i];
    if (part.scale || part.accuracy || !is_moved(part)) continue;
    shared.push_back(i);
    weights.push_back(part.weight);
  }
  const bool selects = is_selection_shared();
  if (selects) weights.push_back(statement_.keys.weight);
  if (weights.empty()) return;
  if (!(left > 0)) {
    throw Error(
        ErrorKind::budget,
        "the given scales and accuracies leave no loss for the other numbers. Increase the loss.");
  }
  const std::vector<double> shares = share_epsilon(Epsilon(left), weights);
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const NoisyComponent& part = parts_.parts[shared[i]];
    const Sensitivity norms = component_sensitivity(part, bound_of(part, unit));
    laws_[shared[i]].emplace(kind_, scale_for_loss(kind_, norms, shares[i]));
  }
  if (selects) {
    selection_.emplace(
        selection_for(shares.back(), loss_.concentrated, Delta(loss_.delta), key_bound(unit)));
  }
}

void QueryPlan::set_keys() {
  const ContributionBound bound = parts_.threshold || parts_.selection
                                      ? key_bound(statement_.source.unit.count)
                                      : ContributionBound{};
  if (parts_.threshold && statement_.keys.suppress) {
    threshold_ = Integer(*statement_.keys.suppress);
  } else if (parts_.threshold) {
    const auto& law = laws_[*parts_.threshold];
    threshold_ = law ? threshold_for_delta(*law, bound, Delta(loss_.delta)) : Integer(1);
  }
  if (parts_.selection && !selection_) selection_.emplace(Epsilon(1), Delta(loss_.delta));
}

double QueryPlan::shared_weight() const {
  double all = is_selection_shared() ? statement_.keys.weight : 0;
  for (const NoisyComponent& each : parts_.parts) {
    if (!each.scale && !each.accuracy && is_moved(each)) all += each.weight;
  }
  return all;
}

std::optional<double> QueryPlan::share(std::size_t part) const {
  const NoisyComponent& wanted = parts_.parts[part];
  if (wanted.scale || wanted.accuracy || !is_moved(wanted)) return {};
  return wanted.weight / shared_weight_;
}

std::optional<double> QueryPlan::selection_share() const {
  if (!is_selection_shared()) return {};
  return statement_.keys.weight / shared_weight_;
}

}  // namespace dp::query
