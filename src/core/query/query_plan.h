// A statement with its noise: all public properties of a release, and its privacy loss.
//
// Privacy: the loss of a plan at d_in is the sum of the losses of its parts. Each depends only on
// the bound of rows or people at that distance (unit_reach.h, norms.h, noise_law.h), and on the
// threshold or selection of keys for the same bound (key_threshold.h, key_selection.h). The same
// map calibrates the noise and is reported. Parts are measured in sequence on the groups that
// earlier parts released. This holds for any such groups, so losses add up.
// Source: Dwork and Roth (2014), Theorem 3.14 and B.1; Bun and Steinke (2016), Lemmas 1.7 and 8.3.
//
// Scales: those fixed by the caller, through `scale` or `accuracy`, come first. The remaining loss
// is shared by weight among the parts that a neighbour can move; other parts need no noise and are
// exact. All of delta goes to the keys, because only they need it.
//
// A part needs no noise if no row of any table moves it. It is then constant, as a sum of values
// within [0, 0], or a function of public declarations, as a group's length. Any other part that no
// neighbour moves is rejected: a promise excludes all its neighbours, and its exact value would be
// private.
//
// Public keys can be filtered, too: `suppress` drops groups whose noisy number, measured first, is
// smaller. This is postprocessing of that number, so it costs no delta.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/measures/measure.h"
#include "core/metrics/distance.h"
#include "core/numeric/parameters.h"
#include "core/query/contributions.h"
#include "core/query/key_selection.h"
#include "core/query/keys.h"
#include "core/query/noise_law.h"
#include "core/query/noisy_components.h"
#include "core/query/statement.h"

namespace dp::query {

// Largest loss of a release: rho if concentrated, else epsilon; with a delta, approximate.
struct Loss {
  bool concentrated = false;
  double amount = 0;
  double delta = 0;
};

Measure measure_of(const Loss& loss);

struct ContributionBounds {
  Reach rows;
  Reach people;
};

class QueryPlan {
 public:
  // Calibrates at the distance of the statement's unit. Throws unbounded, keys, domain, unsupported
  // and budget, depending on the cause.
  QueryPlan(Statement statement, const Loss& loss, Alpha alpha);

  const Statement& statement() const { return statement_; }
  const QueryKeys& keys() const { return keys_; }
  const QueryComponents& parts() const { return parts_; }
  const std::vector<std::optional<NoiseLaw>>& laws() const { return laws_; }
  const std::optional<Integer>& threshold() const { return threshold_; }
  const std::optional<KeySelection>& selection() const { return selection_; }
  NoiseKind kind() const { return kind_; }
  Alpha alpha() const { return alpha_; }
  const Loss& loss() const { return loss_; }  // the requested loss

  // Losses at a distance of d_in, all rounded up; infinite if numbers without noise would move.
  ContributionBound bound_of(const NoisyComponent& part, std::uint32_t d_in) const;
  double component_loss(std::size_t part, std::uint32_t d_in) const;
  double selection_loss(std::uint32_t d_in) const;
  double delta(std::uint32_t d_in) const;
  Distance loss_at(std::uint32_t d_in) const;

  // A part's share of all weights; none if its noise is not calibrated by weight.
  std::optional<double> share(std::size_t part) const;
  std::optional<double> selection_share() const;

 private:
  ContributionBounds bounds(std::uint32_t d_in) const;
  ContributionBounds found_bounds(std::uint32_t d_in) const;
  ContributionBound bound_of(const NoisyComponent& part, const ContributionBounds& bounds) const;
  ContributionBound key_bound(std::uint32_t d_in) const;
  ContributionBound needed(const Reach& reach) const;
  double component_loss(std::size_t part, const ContributionBounds& bounds) const;
  // Total weight that shares the loss: the weights of all calibrated parts and of the selection.
  double shared_weight() const;
  void check_protection() const;
  bool is_moved(const NoisyComponent& part) const;
  bool is_selection_shared() const;
  double fix_scales();
  void share_scales(double left);
  void set_keys();
  void check_models() const;
  double total() const;

  Statement statement_;
  Loss loss_;
  Alpha alpha_;
  NoiseKind kind_;
  std::vector<Field> fields_;
  ContributionBounds unit_bounds_;  // at the distance of the unit
  QueryKeys keys_;
  QueryComponents parts_;
  std::vector<std::optional<NoiseLaw>> laws_;
  std::optional<Integer> threshold_;
  std::optional<KeySelection> selection_;
  double shared_weight_ = 0;
};

}  // namespace dp::query
