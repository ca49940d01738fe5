#include "core/query/compile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/query/quantile_reach.h"
#include "core/query/release.h"
#include "core/random/bit_source.h"
#include "core/runtime/before_noise.h"

namespace dp::query {
namespace {

constexpr double kBlank = std::numeric_limits<double>::quiet_NaN();
constexpr double kAmpleLoss = 1e6;  // at which everything is accurate

const char* name_of(Aggregate::Kind kind) {
  return Aggregate::kKindNames[static_cast<std::size_t>(kind)];
}

const char* mechanism_of(const NoisyComponent& part, NoiseKind kind) {
  if (part.kind == NoisyComponent::Kind::model) return "objective perturbation";
  if (part.kind == NoisyComponent::Kind::scores) {
    return kind == NoiseKind::laplace ? "permute and flip" : "exponential mechanism";
  }
  return kind == NoiseKind::laplace ? "discrete Laplace" : "discrete Gaussian";
}

const char* part_name(const QueryComponents& parts, const NoisyComponent& part) {
  switch (part.kind) {
    case NoisyComponent::Kind::squares:
      return "squares";
    case NoisyComponent::Kind::moments:
      return "moment";
    case NoisyComponent::Kind::effect:
      return "effect";
    case NoisyComponent::Kind::cells:
      return "cells";
    case NoisyComponent::Kind::tree:
      return "tree";
    case NoisyComponent::Kind::scores:
      return "scores";
    case NoisyComponent::Kind::model:
      return "model";
    case NoisyComponent::Kind::number:
      break;
  }
  const ExactAggregate& tally = parts.tallies[part.tally];
  if (is_weighted(tally) && tally.kind != ExactAggregate::Kind::sum) return "weights";
  switch (tally.kind) {
    case ExactAggregate::Kind::ids:
      return "people";
    case ExactAggregate::Kind::dropped:
      return tally.up_to == 1 ? "capped people" : "dropped rows";
    case ExactAggregate::Kind::missing:
      return "missing values";
    case ExactAggregate::Kind::present:
      return "rows with a value";
    case ExactAggregate::Kind::distinct:
      return "different values";
    case ExactAggregate::Kind::sum:
      return "sum";
    default:
      return "rows";
  }
}

double norm_of(const Sensitivity& norms, NoiseKind kind) {
  return kind == NoiseKind::laplace ? to_double_up(Rational(norms.l1)) : norm_up(norms.l2_squared);
}

// Whether the noise of the part equals the noise of the released number.
bool has_accuracy(const NoisyComponent& part) {
  return part.kind != NoisyComponent::Kind::scores && part.kind != NoisyComponent::Kind::tree &&
         part.kind != NoisyComponent::Kind::model;
}

class Preview {
 public:
  explicit Preview(const QueryPlan& plan) : plan_(plan), unit_(plan.statement().source.unit.count) {
    for (std::size_t i = 0; i < plan.parts().parts.size(); ++i) add_part(i);
    if (plan.selection()) add_selection();
  }

  std::vector<PreviewRow> rows;
  std::vector<PrivacyEvent> events;

 private:
  void add_part(std::size_t place) {
    const NoisyComponent& part = plan_.parts().parts[place];
    const auto& law = plan_.laws()[place];
    const ContributionBound bound = plan_.bound_of(part, unit_);
    const double norm = norm_of(component_sensitivity(part, bound), plan_.kind());
    const bool is_threshold = plan_.threshold() && place == *plan_.parts().threshold;
    const auto in_unit = [&](double steps) { return std::ldexp(steps, part.exponent); };
    const std::string mechanism = law ? mechanism_of(part, plan_.kind()) : "none";
    rows.push_back({part.column,
                    name_of(part.aggregate),
                    part_name(plan_.parts(), part),
                    mechanism,
                    scale(part, law),
                    in_unit(norm),
                    accuracy(part, law),
                    is_threshold ? to_double_up(Rational(*plan_.threshold())) : kBlank,
                    plan_.share(place).value_or(kBlank),
                    plan_.component_loss(place, unit_),
                    is_threshold ? plan_.delta(unit_) : 0});
    if (law) events.push_back({part.column, mechanism, bound, norm, law->scale(), part.exponent});
  }

  // The law of a model encodes its epsilon. It is not its noise.
  static double scale(const NoisyComponent& part, const std::optional<NoiseLaw>& law) {
    if (part.kind == NoisyComponent::Kind::model) return kBlank;
    return law ? std::ldexp(law->scale(), part.exponent) : 0;
  }

  double accuracy(const NoisyComponent& part, const std::optional<NoiseLaw>& law) const {
    if (part.kind == NoisyComponent::Kind::scores && law) {
      const std::size_t candidates = candidates_of(part, plan_.parts().tallies[part.tally]);
      return std::ldexp(rank_reach(part, candidates, *law, plan_.alpha()), part.exponent);
    }
    if (part.kind == NoisyComponent::Kind::tree && law) return tree_ranks(part, *law);
    if (!has_accuracy(part)) return kBlank;
    return law ? std::ldexp(law->accuracy(plan_.alpha()), part.exponent) : 0;
  }

  // Largest rank error of the tree's quantiles, in rows.
  double tree_ranks(const NoisyComponent& part, const NoiseLaw& law) const {
    const CombinedReach reach(plan_.kind(), plan_.alpha());
    double most = 0;
    for (const AggregateComponents& places : plan_.parts().aggregates) {
      if (&plan_.parts().parts[places.main.front()] != &part) continue;
      const TreeNoise noise(places.grid.size() - 1, reach.fourth_cumulant(1));
      for (const double probability :
           plan_.statement().aggregates[places.aggregate].probabilities) {
        const TreeReach each(places.cells, noise, probability, law.deviation(), reach);
        most = std::max(most, each.ranks());
      }
    }
    return std::ldexp(most, part.exponent);
  }

  void add_selection() {
    const KeySelection& selection = *plan_.selection();
    const bool people = plan_.parts().keys_by_people;
    NoisyComponent part;
    part.of_people = people;
    const ContributionBound bound = plan_.bound_of(part, unit_);
    const double norm = norm_of(sensitivity(bound, {1, {}, false}), plan_.kind());
    rows.push_back({"(keys)",
                    people ? "ids" : "count",
                    people ? "people" : "rows",
                    "truncated geometric",
                    1 / selection.epsilon(),
                    norm,
                    kBlank,
                    static_cast<double>(selection.certain()),
                    plan_.selection_share().value_or(kBlank),
                    plan_.selection_loss(unit_),
                    plan_.delta(unit_)});
    events.push_back({"(keys)", "truncated geometric", bound, norm, 1 / selection.epsilon(), 0});
  }

  const QueryPlan& plan_;
  std::uint32_t unit_;
};

Domain table_domain(const Unit& unit) {
  const char* of = unit.kind == Unit::Kind::id ? "people" : "rows";
  return UserDomain{std::string("QueryTable(") + of + ")", nullptr, nullptr};
}

// For an id unit the distance is in people, because the table is a multiset of them.
Metric table_metric(const Unit& unit) {
  return unit.kind == Unit::Kind::changes ? change_one_distance() : symmetric_distance();
}

Measurement measurement_of(const std::shared_ptr<const QueryPlan>& plan,
                           AggregationFunction tally) {
  const Unit& unit = plan->statement().source.unit;
  auto function = [plan, tally = std::move(tally)](const Value& data) -> Value {
    const auto counts = tally(plan->parts().tallies, data);
    noise_follows();
    return release_of(*plan, counts, secure_bits());
  };
  auto map = [plan](const Distance& d_in) { return plan->loss_at(number_in<std::uint32_t>(d_in)); };
  return Measurement(table_domain(unit),
                     table_metric(unit),
                     measure_of(plan->loss()),
                     whole_function(std::move(function)),
                     PrivacyMap(std::move(map)));
}

Loss loss_of(const QueryPlan& plan) {
  const std::uint32_t unit = plan.statement().source.unit.count;
  const Distance all = plan.loss_at(unit);
  if (const auto* pair = all.as<Distance::Tuple>()) {
    return {plan.loss().concentrated, number_in<double>((*pair)[0]), number_in<double>((*pair)[1])};
  }
  return {plan.loss().concentrated, number_in<double>(all), 0};
}

// Accuracy targets of the parts.
class AccuracyTargets {
 public:
  AccuracyTargets(const QueryPlan& plan, const std::map<std::string, double>& accuracy) {
    for (const auto& [name, target] : accuracy) add(plan, name, target);
    if (targets_.empty()) {
      throw Error(ErrorKind::unsupported, "give an accuracy for each number with noise.");
    }
  }

  // A loss that makes each part's share large enough.
  double first_guess(const QueryPlan& plan) const {
    const std::uint32_t unit = plan.statement().source.unit.count;
    double fixed = 0;
    for (std::size_t i = 0; i < plan.parts().parts.size(); ++i) {
      if (!plan.share(i)) fixed = add_up(fixed, plan.component_loss(i, unit));
    }
    double most = 0;
    for (const auto& [place, target] : targets_) {
      const NoisyComponent& part = plan.parts().parts[place];
      const double steps = std::ldexp(target, -part.exponent);
      const NoiseLaw law(plan.kind(), scale_for_accuracy(plan.kind(), steps, plan.alpha()));
      const double loss = law.loss(component_sensitivity(part, plan.bound_of(part, unit)));
      most = std::max(most, div_up(loss, *plan.share(place)));
    }
    return add_up(fixed, most);
  }

  bool are_met(const QueryPlan& plan) const {
    return std::all_of(targets_.begin(), targets_.end(), [&](const auto& target) {
      const auto& law = plan.laws()[target.first];
      const double steps = std::ldexp(target.second, -plan.parts().parts[target.first].exponent);
      return law->accuracy(plan.alpha()) <= steps;
    });
  }

 private:
  void add(const QueryPlan& plan, const std::string& name, double target) {
    const auto& aggregates = plan.statement().aggregates;
    for (const AggregateComponents& places : plan.parts().aggregates) {
      if (aggregates[places.aggregate].name != name) continue;
      const std::size_t place = places.main.front();
      if (places.count || !has_accuracy(plan.parts().parts[place])) {
        throw Error(ErrorKind::unsupported,
                    "the accuracy of `" + name + "` depends on the data. `dp_preview(rows = )` " +
                        "shows it for numbers of rows that you guess.");
      }
      if (!(target > 0) || !std::isfinite(target)) {
        throw Error(ErrorKind::unsupported, "an accuracy must be positive and finite.");
      }
      if (plan.share(place)) targets_.emplace_back(place, target);
      return;
    }
    throw Error(ErrorKind::unsupported, "`" + name + "` is not an aggregate of this query.");
  }

  std::vector<std::pair<std::size_t, double>> targets_;
};

}  // namespace

CompiledQuery compile(Statement statement,
                      const Loss& loss,
                      Alpha alpha,
                      AggregationFunction tally) {
  const auto plan = std::make_shared<const QueryPlan>(std::move(statement), loss, alpha);
  Preview preview(*plan);
  return {measurement_of(plan, std::move(tally)),
          loss_of(*plan),
          std::move(preview.rows),
          std::move(preview.events)};
}

Loss solve(const Statement& statement,
           const Loss& measure,
           const std::map<std::string, double>& accuracy,
           Alpha alpha) {
  Loss loss = measure;
  loss.amount = kAmpleLoss;
  const QueryPlan ample(statement, loss, alpha);
  const AccuracyTargets targets(ample, accuracy);
  loss.amount = targets.first_guess(ample);
  // Shares are rounded down, so the first guess can miss by one rounding.
  for (double more = 0x1p-52; more < 1; more *= 2) {
    if (targets.are_met(QueryPlan(statement, loss, alpha))) return loss;
    loss.amount = mul_up(loss.amount, 1 + more);
  }
  throw Error(ErrorKind::search, "no loss reaches this accuracy. Allow a larger error.");
}

}  // namespace dp::query
