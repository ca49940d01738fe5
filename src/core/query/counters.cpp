#include "core/query/counters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/query/ranks.h"
#include "core/query/stage_sink.h"

namespace dp::query {
namespace {

using ExactKind = ExactAggregate::Kind;

constexpr std::size_t kMostDense = std::size_t{1} << 16;
constexpr std::size_t kMostDenseCells = std::size_t{1} << 22;  // which every thread has

bool has_sums(const CountingLayout::One& tally) {
  return tally.kind == ExactKind::sum || tally.kind == ExactKind::squares || tally.weights;
}

// Whether the tally is the row count, which is always computed.
bool counts_rows(const CountingLayout::One& tally) {
  return tally.kind == ExactKind::rows && !tally.weights;
}

bool is_missing(std::int64_t whole) { return whole == kNone; }
bool is_missing(double real) { return !(real == real); }

// Number of values in a short range.
std::size_t values_in(const std::pair<std::int64_t, std::int64_t>& range) {
  return static_cast<std::size_t>(range.second - range.first + 1);
}

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

// Number of grid points less than z.
std::size_t points_below(const CountingLayout::One& tally, std::int64_t z) {
  const std::vector<std::int64_t>& grid = tally.grid;
  if (grid.empty() || z <= grid.front()) return 0;
  if (z > grid.back()) return grid.size();
  const auto piece = static_cast<std::size_t>(
      (static_cast<std::uint64_t>(z) - static_cast<std::uint64_t>(grid.front())) >> tally.shift);
  const auto from = grid.begin() + tally.pieces[piece];
  const auto to = grid.begin() + tally.pieces[piece + 1];
  return static_cast<std::size_t>(std::lower_bound(from, to, z) - grid.begin());
}

// Bins lie below, at and between the points of the grid.
std::size_t bin_of(const CountingLayout::One& tally, std::int64_t z) {
  const std::size_t below = points_below(tally, z);
  const bool on_point = below < tally.grid.size() && tally.grid[below] == z;
  return 2 * below + (on_point ? 1 : 0);
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

void divide_grid(CountingLayout::One& tally) {
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

void find_ranges(CountingLayout& plan, const TextPool& texts, bool all) {
  std::size_t groups = 1;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const Field& field : plan.by_fields) {
    const bool text = field.type == FieldType::text;
    if (text ? !all : !field.wholes) return;
    ranges.push_back(text ? std::pair{std::int64_t{0}, texts.size() - 1} : *field.wholes);
    const auto [lower, upper] = ranges.back();
    const uint128_t values = static_cast<uint128_t>(int128_t{upper} - lower + 1);
    if (upper < lower || values > kMostDense || groups * values > kMostDense) return;
    groups *= static_cast<std::size_t>(values);
  }
  std::size_t width = 1;
  for (const CountingLayout::One& tally : plan.tallies) width += tally_width(tally);
  if (groups > 1 && groups > kMostDenseCells / width) return;
  plan.ranges = std::move(ranges);
}

std::size_t tally_width(const CountingLayout::One& tally) {
  return tally.kind == ExactKind::bins ? 2 * tally.grid.size() + 1 : 1;
}

Counters::Counters(const CountingLayout& plan)
    : plan_(&plan), table_(plan.by.size()), states_(plan.tallies.size()) {
  std::size_t groups = 1;
  if (plan.ranges) {
    for (const auto& range : *plan.ranges) groups *= values_in(range);
  }
  make_room(groups + 1);
}

void Counters::make_room(std::size_t groups) {
  if (groups <= groups_) return;
  groups_ = std::max(groups, plan_->ranges ? groups : 2 * groups_);
  rows_.resize(groups_);
  for (std::size_t t = 0; t < states_.size(); ++t) {
    const ExactKind kind = plan_->tallies[t].kind;
    const std::size_t size = groups_ * tally_width(plan_->tallies[t]);
    if (has_sums(plan_->tallies[t])) {
      states_[t].sums.resize(size);
    } else if (kind != ExactKind::rows) {
      states_[t].counts.resize(size);
    }
    if (counts_people(kind)) states_[t].last_person.resize(size);
  }
}

void Counters::find_groups(const RowBatch& batch) {
  if (plan_->ranges) {
    find_places(batch);
  } else {
    find_numbers(batch);
    make_room(table_.size() + 1);
  }
}

// Each combination of keys has an index. A missing key is outside of every range.
void Counters::find_places(const RowBatch& batch) {
  if (plan_->by.empty()) group_.assign(batch.size, 1);
  group_.resize(batch.size);
  for (std::size_t k = 0; k < plan_->by.size(); ++k) {
    const auto lower = static_cast<std::uint64_t>((*plan_->ranges)[k].first);
    const std::uint64_t values = values_in((*plan_->ranges)[k]);
    const std::int64_t* keys = batch.columns[plan_->by[k]].wholes.data();
    std::uint64_t* groups = group_.data();
    for (std::size_t i = 0; k == 0 && i < batch.size; ++i) {
      const std::uint64_t value = static_cast<std::uint64_t>(keys[i]) - lower;
      groups[i] = value < values ? value + 1 : 0;
    }
    for (std::size_t i = 0; k > 0 && i < batch.size; ++i) {
      const std::uint64_t value = static_cast<std::uint64_t>(keys[i]) - lower;
      const bool keyed = value < values && groups[i] > 0;
      groups[i] = keyed ? (groups[i] - 1) * values + value + 1 : 0;
    }
  }
}

void Counters::find_numbers(const RowBatch& batch) {
  std::vector<std::uint64_t> words(plan_->by.size());
  group_.resize(batch.size);
  for (std::size_t i = 0; i < batch.size; ++i) {
    bool keyed = true;
    for (std::size_t k = 0; k < words.size(); ++k) {
      const std::int64_t key = batch.columns[plan_->by[k]].wholes[i];
      keyed = keyed && key != kNone;
      words[k] = word_of(key);
    }
    group_[i] = keyed ? table_.number(words.data()) + 1 : 0;
  }
}

// Numbers begin at 1; 0 marks rows without a person.
void Counters::number_people(const RowBatch& batch) {
  people_of_.resize(batch.size);
  if (batch.size == 0) return;
  const std::size_t width = batch.id_width;
  const std::uint64_t* id = batch.ids.data();
  const bool known = people_ > 0 && same_words(id, person_.data(), width);
  for (std::size_t i = 0; i < batch.size; ++i, id += width) {
    people_ += (i == 0 ? known : same_words(id, id - width, width)) ? 0 : 1;
    people_of_[i] = people_;
  }
  person_.assign(id - width, id);
}

void Counters::add(const RowBatch& batch) {
  find_groups(batch);
  for (const std::uint64_t group : group_) ++rows_[group];
  for (const CountingLayout::One& tally : plan_->tallies) {
    if (!counts_people(tally.kind)) continue;
    number_people(batch);
    break;
  }
  for (std::size_t t = 0; t < states_.size(); ++t) count(plan_->tallies[t], states_[t], batch);
}

void Counters::count(const CountingLayout::One& tally, State& state, const RowBatch& batch) {
  if (counts_rows(tally)) return;
  if (tally.weights) {
    add_weights(tally, state, batch);
  } else if (counts_people(tally.kind)) {
    count_people(tally, state, batch);
  } else if (tally.kind == ExactKind::bins) {
    count_bins(tally, state, batch);
  } else if (tally.real) {
    count_cells(tally, state, batch.columns[tally.place].reals);
  } else {
    count_cells(tally, state, batch.columns[tally.place].wholes);
  }
}

// Counts a person once in each group: as one, or as the number of their dropped rows.
void Counters::count_people(const CountingLayout::One& tally, State& state, const RowBatch& batch) {
  const auto each_once = [&](auto&& amount) {
    for (std::size_t i = 0; i < group_.size(); ++i) {
      std::uint64_t& last = state.last_person[group_[i]];
      state.counts[group_[i]] += last != people_of_[i] ? amount(i) : 0;
      last = people_of_[i];
    }
  };
  if (tally.kind == ExactKind::ids) return each_once([](std::size_t) { return 1; });
  each_once([&](std::size_t i) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(batch.dropped[i], tally.up_to));
  });
}

// Sums of w and of w z in 128 bits: w and |z| are at most 2^31 (pipeline.cpp).
void Counters::add_weights(const CountingLayout::One& tally, State& state, const RowBatch& batch) {
  const std::vector<std::int64_t>& weights = batch.columns[*tally.weights].wholes;
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < group_.size(); ++i) {
      if (!is_missing(weights[i])) f(i, group_[i], weights[i]);
    }
  };
  using Index = std::size_t;
  using Group = std::uint64_t;
  using Weight = std::int64_t;
  if (tally.kind == ExactKind::rows) {
    return each([&](Index, Group group, Weight w) { state.sums[group] += w; });
  }
  const Cells& cells = batch.columns[tally.place];
  if (tally.kind == ExactKind::present) {
    return each([&](Index i, Group group, Weight w) {
      const bool missing = tally.real ? is_missing(cells.reals[i]) : is_missing(cells.wholes[i]);
      state.sums[group] += missing ? 0 : w;
    });
  }
  const std::vector<std::int64_t>& points = cells.wholes;
  if (tally.kind == ExactKind::sum) {
    return each([&](Index i, Group group, Weight w) {
      state.sums[group] += is_missing(points[i]) ? 0 : int128_t{w} * points[i];
    });
  }
  const std::size_t width = tally_width(tally);
  each([&](Index i, Group group, Weight w) {
    if (!is_missing(points[i])) state.sums[group * width + bin_of(tally, points[i])] += w;
  });
}

template <class T>
void Counters::count_cells(const CountingLayout::One& tally,
                           State& state,
                           const std::vector<T>& cells) {
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < group_.size(); ++i) f(group_[i], cells[i]);
  };
  const auto z_of = [](T cell) {
    return is_missing(cell) ? std::int64_t{0} : static_cast<std::int64_t>(cell);
  };
  switch (tally.kind) {
    case ExactKind::missing:
      return each([&](std::uint64_t group, T x) { state.counts[group] += is_missing(x); });
    case ExactKind::present:
      return each([&](std::uint64_t group, T x) { state.counts[group] += !is_missing(x); });
    case ExactKind::sum:
      return each([&](std::uint64_t group, T x) { state.sums[group] += z_of(x); });
    case ExactKind::squares:
      return each(
          [&](std::uint64_t group, T x) { state.sums[group] += int128_t{z_of(x)} * z_of(x); });
    case ExactKind::points:
      state.points.reserve(state.points.size() + cells.size());
      for (const T cell : cells) state.points.push_back(static_cast<std::int64_t>(cell));
      return;
    case ExactKind::distinct:
      return each([&](std::uint64_t group, T x) {
        const std::uint64_t pair[] = {group, word_of(x)};
        if (group > 0 && !is_missing(x)) state.values.number(pair);
      });
    default:
      return;
  }
}

void Counters::count_bins(const CountingLayout::One& tally, State& state, const RowBatch& batch) {
  const std::size_t width = tally_width(tally);
  const std::vector<std::int64_t>& cells = batch.columns[tally.place].wholes;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    const std::int64_t z = cells[i];
    if (is_missing(z)) continue;
    ++state.counts[group_[i] * width + bin_of(tally, z)];
  }
}

std::vector<std::uint64_t> Counters::key_of(std::size_t group) const {
  const std::size_t width = plan_->by.size();
  --group;
  if (!plan_->ranges) return {table_.tuple(group), table_.tuple(group) + width};
  std::vector<std::uint64_t> key(width);
  for (std::size_t k = width; k-- > 0;) {
    const auto& range = (*plan_->ranges)[k];
    key[k] = word_of(range.first + static_cast<std::int64_t>(group % values_in(range)));
    group /= values_in(range);
  }
  return key;
}

void Counters::add_to(const std::vector<std::uint64_t>& group_of, std::vector<State>& total) const {
  for (std::size_t t = 0; t < states_.size(); ++t) {
    const std::size_t width = tally_width(plan_->tallies[t]);
    const State& from = states_[t];
    const std::vector<std::int64_t>& counts = counts_rows(plan_->tallies[t]) ? rows_ : from.counts;
    State& to = total[t];
    for (std::size_t g = 0; g < group_of.size(); ++g) {
      if (group_of[g] == WordTable::kAbsent) continue;
      for (std::size_t w = 0; w < width; ++w) {
        const std::size_t at = group_of[g] * width + w;
        if (!from.sums.empty()) to.sums[at] += from.sums[g * width + w];
        if (!counts.empty()) to.counts[at] += counts[g * width + w];
      }
    }
    to.points.insert(to.points.end(), from.points.begin(), from.points.end());
    for (std::size_t i = 0; i < from.values.size(); ++i) {
      const std::uint64_t* pair = from.values.tuple(i);
      const std::uint64_t moved[] = {group_of[pair[0]], pair[1]};
      to.values.number(moved);
    }
  }
}

std::vector<Counters::State> Counters::summed(
    const CountingLayout& plan,
    const std::vector<Counters>& parts,
    const std::vector<std::vector<std::uint64_t>>& group_of,
    std::size_t groups) {
  std::vector<State> total(plan.tallies.size());
  for (std::size_t t = 0; t < total.size(); ++t) {
    const std::size_t size = groups * tally_width(plan.tallies[t]);
    if (has_sums(plan.tallies[t])) {
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

ExactAggregates Counters::merged(const CountingLayout& plan,
                                 const std::vector<Counters>& parts,
                                 const TextPool& texts) {
  WordTable keys(plan.by.size());
  std::vector<std::vector<std::uint64_t>> group_of(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t g = 0; g < parts[p].groups_; ++g) {
      const bool there = g > 0 && parts[p].rows_[g] > 0;
      group_of[p].push_back(there ? keys.number(parts[p].key_of(g).data()) : WordTable::kAbsent);
    }
  }
  const std::vector<State> total = summed(plan, parts, group_of, keys.size());
  ExactAggregates tallied;
  tallied.values.resize(plan.tallies.size());
  for (const std::size_t group : groups_in_order(keys, plan.by_fields, texts)) {
    Key& key = tallied.keys.emplace_back();
    for (std::size_t k = 0; k < plan.by.size(); ++k) {
      key.push_back(key_part(plan.by_fields[k], keys.tuple(group)[k], texts));
    }
    for (std::size_t t = 0; t < total.size(); ++t) {
      if (plan.tallies[t].kind == ExactKind::points) {
        tallied.values[t].assign(total[t].points.begin(), total[t].points.end());
        continue;
      }
      const std::size_t width = tally_width(plan.tallies[t]);
      for (std::size_t at = group * width; at < (group + 1) * width; ++at) {
        const bool sums = has_sums(plan.tallies[t]);
        tallied.values[t].push_back(sums ? total[t].sums[at] : int128_t{total[t].counts[at]});
      }
    }
  }
  return tallied;
}

}  // namespace dp::query
