// A statement with its noise: all that is public of a release, and its privacy loss.
//
// The loss of a plan at d_in is the sum of those of its parts, each a function of the triple of
// rows or people at that distance (unit_reach.h, norms.h, noise_law.h), of the threshold or
// selection of keys at the same (key_threshold.h, key_selection.h), and of nothing else: the noise
// that is asked for is found by this map, and the map that is reported is this one. Parts are
// measured one after the other on groups that earlier ones let through, whatever these are, so
// losses add up. Source: Dwork and Roth (2014), Theorem 3.14 and B.1; Bun and Steinke (2016),
// Lemmas 1.7 and 8.3.
//
// Scales: those that the caller fixed, by `scale` or `accuracy`, come first. What is left of the
// loss is shared by weight among what any neighbour moves; the rest needs no noise and is exact.
// All of delta goes to the keys, which alone need one.
//
// A part needs no noise if no row of any table moves it: it is constant, as a sum of values within
// [0, 0], or a function of what was declared public, as a group's length. Any other part that no
// neighbours move is refused: a promise left it no neighbours, and its exact value would be
// private.
//
// Public keys may be thinned out, too: groups of which the noisy number, measured first, is less
// than `suppress`. That is postprocessing of this number, so it costs no delta.
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
#include "core/query/parts.h"
#include "core/query/statement.h"

namespace dp::query {

// What a release may cost: rho if it is concentrated, else epsilon; with a delta, approximately.
struct Loss {
  bool concentrated = false;
  double amount = 0;
  double delta = 0;
};

Measure measure_of(const Loss& loss);

struct Triples {
  Reach rows;
  Reach people;
};

class QueryPlan {
 public:
  // Calibrated at the distance that the statement's unit says. Throws unbounded, keys, domain,
  // unsupported and budget, each for what the statement lacks.
  QueryPlan(Statement statement, const Loss& loss, Alpha alpha);

  const Statement& statement() const { return statement_; }
  const QueryKeys& keys() const { return keys_; }
  const QueryParts& parts() const { return parts_; }
  const std::vector<std::optional<NoiseLaw>>& laws() const { return laws_; }
  const std::optional<Integer>& threshold() const { return threshold_; }
  const std::optional<KeySelection>& selection() const { return selection_; }
  NoiseKind kind() const { return kind_; }
  Alpha alpha() const { return alpha_; }
  const Loss& loss() const { return loss_; }  // what was asked for

  // At a distance of d_in, all rounded up; infinite where numbers without noise would move.
  Triple triple_of(const Part& part, std::uint32_t d_in) const;
  double part_loss(std::size_t part, std::uint32_t d_in) const;
  double selection_loss(std::uint32_t d_in) const;
  double delta(std::uint32_t d_in) const;
  Distance loss_at(std::uint32_t d_in) const;

  // Which share of all weights a part has; none if its noise is not found by weight.
  std::optional<double> share(std::size_t part) const;
  std::optional<double> selection_share() const;

 private:
  Triples triples(std::uint32_t d_in) const;
  Triples found_triples(std::uint32_t d_in) const;
  Triple triple_of(const Part& part, const Triples& triples) const;
  Triple key_triple(std::uint32_t d_in) const;
  Triple needed(const Reach& reach) const;
  double part_loss(std::size_t part, const Triples& triples) const;
  // What a loss is shared by: the weights of all parts, and of the selection, that take part.
  double shared_weight() const;
  void check_protection() const;
  bool is_moved(const Part& part) const;
  bool is_selection_shared() const;
  double fix_scales();
  void share_scales(double left);
  void set_keys();
  double total() const;

  Statement statement_;
  Loss loss_;
  Alpha alpha_;
  NoiseKind kind_;
  std::vector<Field> fields_;
  Triples unit_triples_;  // at the distance of the unit
  QueryKeys keys_;
  QueryParts parts_;
  std::vector<std::optional<NoiseLaw>> laws_;
  std::optional<Integer> threshold_;
  std::optional<KeySelection> selection_;
  double shared_weight_ = 0;
};

}  // namespace dp::query
