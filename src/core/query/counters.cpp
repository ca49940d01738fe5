#include "core/query/counters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/query/ranks.h"

namespace dp::query {
namespace {

using TallyKind = Tally::Kind;

constexpr std::size_t kMostDense = std::size_t{1} << 16;

bool has_sums(TallyKind kind) { return kind == TallyKind::sum || kind == TallyKind::squares; }

KeyPart key_part(const Field& field, std::uint64_t word, const TextPool& texts) {
  KeyPart part;
  if (field.type == FieldType::text) {
    part.is_text = true;
    part.text = std::string(texts.text(whole_in_word(word)));
  } else {
    part.whole = whole_in_word(word);
  }
  return part;
}

// How many points of the grid are less than z.
std::size_t points_below(const CountingPlan::One& tally, std::int64_t z) {
  const std::vector<std::int64_t>& grid = tally.grid;
  if (grid.empty() || z <= grid.front()) return 0;
  if (z > grid.back()) return grid.size();
  const auto piece = static_cast<std::size_t>(
      (static_cast<std::uint64_t>(z) - static_cast<std::uint64_t>(grid.front())) >> tally.shift);
  const auto from = grid.begin() + tally.pieces[piece];
  const auto to = grid.begin() + tally.pieces[piece + 1];
  return static_cast<std::size_t>(std::lower_bound(from, to, z) - grid.begin());
}

std::vector<std::size_t> groups_in_order(const WordTable& keys,
                                         const std::vector<Field>& fields,
                                         const TextPool& texts) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const int compared = compare_words(fields[k], keys.tuple(a)[k], keys.tuple(b)[k], texts);
      if (compared != 0) return compared < 0;
    }
    return false;
  });
  return order;
}

}  // namespace

void divide_grid(CountingPlan::One& tally) {
  const std::vector<std::int64_t>& grid = tally.grid;
  if (grid.empty()) return;
  const std::uint64_t first = static_cast<std::uint64_t>(grid.front());
  const std::uint64_t range = static_cast<std::uint64_t>(grid.back()) - first;
  while ((range >> tally.shift) >= 4 * grid.size()) ++tally.shift;
  const std::size_t pieces = static_cast<std::size_t>(range >> tally.shift) + 1;
  std::uint32_t before = 0;
  for (std::size_t piece = 0; piece <= pieces; ++piece) {
    const auto precedes = [&](std::int64_t point) {
      return (static_cast<std::uint64_t>(point) - first) >> tally.shift < piece;
    };
    while (before < grid.size() && precedes(grid[before])) ++before;
    tally.pieces.push_back(before);
  }
}

void find_dense_groups(CountingPlan& plan) {
  std::size_t groups = 1;
  for (const Field& field : plan.by_fields) {
    if (!field.wholes || field.type == FieldType::text) return;
    const auto [lower, upper] = *field.wholes;
    const uint128_t values = static_cast<uint128_t>(int128_t{upper} - lower + 1);
    if (upper < lower || values > kMostDense || groups * values > kMostDense) return;
    groups *= static_cast<std::size_t>(values);
  }
  plan.dense = groups;
}

std::size_t tally_width(const CountingPlan::One& tally) {
  return tally.kind == TallyKind::bins ? 2 * tally.grid.size() + 1 : 1;
}

Counters::Counters(const CountingPlan& plan)
    : plan_(&plan), table_(plan.by.size()), states_(plan.tallies.size()) {
  if (plan.dense) make_room(*plan.dense);
}

void Counters::make_room(std::size_t groups) {
  if (groups <= groups_) return;
  groups_ = std::max(groups, plan_->dense ? groups : 2 * groups_);
  rows_.resize(groups_);
  for (std::size_t t = 0; t < states_.size(); ++t) {
    const std::size_t size = groups_ * tally_width(plan_->tallies[t]);
    if (has_sums(plan_->tallies[t].kind)) {
      states_[t].sums.resize(size);
    } else {
      states_[t].counts.resize(size);
    }
    if (plan_->tallies[t].kind == TallyKind::ids) states_[t].last_person.resize(size);
  }
}

void Counters::find_groups(const RowBatch& batch) {
  counted_.clear();
  group_.clear();
  std::vector<std::uint64_t> words(plan_->by.size());
  for (std::uint32_t i = 0; i < batch.size; ++i) {
    bool keyed = true;
    std::uint64_t place = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      const std::int64_t key = batch.columns[plan_->by[k]].wholes[i];
      keyed = keyed && key != kNone;
      words[k] = word_of(key);
      if (!plan_->dense || !keyed) continue;
      const auto [lower, upper] = *plan_->by_fields[k].wholes;
      keyed = key >= lower && key <= upper;
      place = place * static_cast<std::uint64_t>(upper - lower + 1) +
              static_cast<std::uint64_t>(key - lower);
    }
    if (!keyed) continue;
    counted_.push_back(i);
    group_.push_back(plan_->dense ? place : table_.number(words.data()));
  }
  if (!plan_->dense) make_room(table_.size());
}

// Numbers begin at 1, so that 0 is nobody's.
void Counters::number_people(const RowBatch& batch) {
  people_of_.clear();
  for (const std::uint32_t i : counted_) {
    const auto id = batch.ids.begin() + static_cast<std::ptrdiff_t>(i * batch.id_width);
    const auto end = id + static_cast<std::ptrdiff_t>(batch.id_width);
    if (people_ == 0 || !std::equal(id, end, person_.begin(), person_.end())) {
      person_.assign(id, end);
      ++people_;
    }
    people_of_.push_back(people_);
  }
}

void Counters::add(const RowBatch& batch) {
  find_groups(batch);
  for (const std::uint64_t group : group_) ++rows_[group];
  for (const CountingPlan::One& tally : plan_->tallies) {
    if (tally.kind != TallyKind::ids) continue;
    number_people(batch);
    break;
  }
  for (std::size_t t = 0; t < states_.size(); ++t) count(plan_->tallies[t], states_[t], batch);
}

void Counters::count(const CountingPlan::One& tally, State& state, const RowBatch& batch) {
  if (tally.kind == TallyKind::rows) {
    for (const std::uint64_t group : group_) ++state.counts[group];
  } else if (tally.kind == TallyKind::ids) {
    for (std::size_t r = 0; r < group_.size(); ++r) {
      std::uint64_t& last = state.last_person[group_[r]];
      if (last != people_of_[r]) ++state.counts[group_[r]];
      last = people_of_[r];
    }
  } else {
    count_cells(tally, state, batch.columns[tally.place]);
  }
}

void Counters::count_cells(const CountingPlan::One& tally, State& state, const Cells& cells) {
  const std::size_t width = tally_width(tally);
  for (std::size_t r = 0; r < group_.size(); ++r) {
    const std::uint64_t group = group_[r];
    const std::uint32_t row = counted_[r];
    const bool missing =
        tally.real ? !(cells.reals[row] == cells.reals[row]) : cells.wholes[row] == kNone;
    if (tally.kind == TallyKind::missing) state.counts[group] += missing;
    if (missing) continue;
    const std::int64_t z = tally.real ? 0 : cells.wholes[row];
    switch (tally.kind) {
      case TallyKind::present:
        ++state.counts[group];
        break;
      case TallyKind::sum:
        state.sums[group] += z;
        break;
      case TallyKind::squares:
        state.sums[group] += int128_t{z} * z;
        break;
      case TallyKind::distinct: {
        const std::uint64_t pair[] = {group, tally.real ? word_of(cells.reals[row]) : word_of(z)};
        state.values.number(pair);
        break;
      }
      case TallyKind::bins: {
        const std::size_t below = points_below(tally, z);
        const bool on_point = below < tally.grid.size() && tally.grid[below] == z;
        ++state.counts[group * width + 2 * below + (on_point ? 1 : 0)];
        break;
      }
      default:
        break;
    }
  }
}

std::vector<std::uint64_t> Counters::key_of(std::size_t group) const {
  const std::size_t width = plan_->by.size();
  if (!plan_->dense) return {table_.tuple(group), table_.tuple(group) + width};
  std::vector<std::uint64_t> key(width);
  for (std::size_t k = width; k-- > 0;) {
    const auto [lower, upper] = *plan_->by_fields[k].wholes;
    const auto values = static_cast<std::size_t>(upper - lower + 1);
    key[k] = word_of(lower + static_cast<std::int64_t>(group % values));
    group /= values;
  }
  return key;
}

void Counters::add_to(const std::vector<std::uint64_t>& group_of, std::vector<State>& total) const {
  for (std::size_t t = 0; t < states_.size(); ++t) {
    const std::size_t width = tally_width(plan_->tallies[t]);
    const State& from = states_[t];
    State& to = total[t];
    for (std::size_t g = 0; g < group_of.size(); ++g) {
      if (group_of[g] == WordTable::kAbsent) continue;
      for (std::size_t w = 0; w < width; ++w) {
        const std::size_t at = group_of[g] * width + w;
        if (!from.sums.empty()) to.sums[at] += from.sums[g * width + w];
        if (!from.counts.empty()) to.counts[at] += from.counts[g * width + w];
      }
    }
    for (std::size_t i = 0; i < from.values.size(); ++i) {
      const std::uint64_t* pair = from.values.tuple(i);
      const std::uint64_t moved[] = {group_of[pair[0]], pair[1]};
      to.values.number(moved);
    }
  }
}

std::vector<Counters::State> Counters::summed(
    const CountingPlan& plan,
    const std::vector<Counters>& parts,
    const std::vector<std::vector<std::uint64_t>>& group_of,
    std::size_t groups) {
  std::vector<State> total(plan.tallies.size());
  for (std::size_t t = 0; t < total.size(); ++t) {
    const std::size_t size = groups * tally_width(plan.tallies[t]);
    if (has_sums(plan.tallies[t].kind)) {
      total[t].sums.resize(size);
    } else {
      total[t].counts.resize(size);
    }
  }
  for (std::size_t p = 0; p < parts.size(); ++p) parts[p].add_to(group_of[p], total);
  for (State& state : total) {
    for (std::size_t i = 0; i < state.values.size(); ++i) ++state.counts[state.values.tuple(i)[0]];
  }
  return total;
}

Tallied Counters::merged(const CountingPlan& plan,
                         const std::vector<Counters>& parts,
                         const TextPool& texts) {
  WordTable keys(plan.by.size());
  std::vector<std::vector<std::uint64_t>> group_of(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t groups = plan.dense ? parts[p].groups_ : parts[p].table_.size();
    for (std::size_t g = 0; g < groups; ++g) {
      const bool there = parts[p].rows_[g] > 0;
      group_of[p].push_back(there ? keys.number(parts[p].key_of(g).data()) : WordTable::kAbsent);
    }
  }
  const std::vector<State> total = summed(plan, parts, group_of, keys.size());
  Tallied tallied;
  tallied.values.resize(plan.tallies.size());
  for (const std::size_t group : groups_in_order(keys, plan.by_fields, texts)) {
    Key& key = tallied.keys.emplace_back();
    for (std::size_t k = 0; k < plan.by.size(); ++k) {
      key.push_back(key_part(plan.by_fields[k], keys.tuple(group)[k], texts));
    }
    for (std::size_t t = 0; t < total.size(); ++t) {
      const std::size_t width = tally_width(plan.tallies[t]);
      for (std::size_t at = group * width; at < (group + 1) * width; ++at) {
        const bool sums = has_sums(plan.tallies[t].kind);
        tallied.values[t].push_back(sums ? total[t].sums[at] : int128_t{total[t].counts[at]});
      }
    }
  }
  return tallied;
}

}  // namespace dp::query
