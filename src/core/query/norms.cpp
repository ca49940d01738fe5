#include "core/query/norms.h"

#include <algorithm>

#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp::query {
namespace {

std::optional<Integer> rows_times(const GroupFacts& facts, const Integer& each) {
  if (!facts.most_rows) return {};
  return Integer(*facts.most_rows) * each;
}

}  // namespace

Integer packed2(const Integer& l0, const Integer& total, const Integer& each) {
  if (l0 == 0 || total == 0 || each == 0) return 0;
  const Integer full = std::min<Integer>(l0, total / each);
  const Integer rest = full < l0 ? Integer(total - full * each) : Integer(0);
  return full * each * each + rest * rest;
}

Sensitivity sensitivity(const ContributionBound& bound, const Effect& effect) {
  const Integer halves = effect.by_replacement ? 2 : 1;
  const Integer total = effect.unit * (Integer(bound.rows) / halves);
  Integer each = effect.unit * (Integer(bound.rows_per_group) / halves);
  if (effect.cap) each = std::min(each, *effect.cap);
  return {std::min<Integer>(total, bound.groups * each), packed2(bound.groups, total, each)};
}

Effect effect_on_rows(const GroupFacts& facts) {
  if (facts.has_public_lengths) return {};
  return {1, rows_times(facts, 1), false};
}

Effect effect_on_present(const GroupFacts& facts) {
  return facts.may_drop ? effect_on_count(facts) : effect_on_rows(facts);
}

Effect effect_on_count(const GroupFacts& facts) {
  return {1, rows_times(facts, 1), facts.has_public_lengths};
}

Effect effect_on_people(const GroupFacts& facts) { return effect_on_people(1, facts); }

Effect effect_on_people(const Integer& most, const GroupFacts& facts) {
  return {most, rows_times(facts, most), false};
}

Effect effect_on_sum(const Integer& least, const Integer& most, const GroupFacts& facts) {
  const Integer span = std::max<Integer>(most, 0) - std::min<Integer>(least, 0);
  const Integer range = facts.may_drop ? span : Integer(most - least);
  const Integer magnitude = std::max<Integer>(abs(least), abs(most));
  return {facts.has_public_lengths ? range : magnitude,
          rows_times(facts, span),
          facts.has_public_lengths};
}

Effect effect_on_cells(const Integer& most) { return {most, {}, false}; }

Effect effect_on_scores(std::uint64_t num,
                        std::uint64_t den,
                        const Integer& most,
                        const GroupFacts& facts) {
  if (facts.has_public_lengths && !facts.may_drop) return {most * den, {}, true};
  return {most * std::max(num, den - num), {}, false};
}

double norm_up(const Integer& squared) { return sqrt_up(to_double_up(Rational(squared))); }

}  // namespace dp::query
