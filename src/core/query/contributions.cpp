#include "core/query/contributions.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/numeric/int128.h"

namespace dp::query {
namespace {

constexpr std::size_t kMostExactSets = 12;

bool is_within(const Columns& part, const Columns& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

std::size_t covered(const Columns& by, const Columns& wanted) {
  return static_cast<std::size_t>(std::count_if(
      by.begin(), by.end(), [&](const auto& name) { return wanted.count(name) > 0; }));
}

Amount exact_cover(const std::vector<NumberedColumns>& sets, const Columns& wanted) {
  Amount best;
  for (std::size_t chosen = 0; chosen < std::size_t{1} << sets.size(); ++chosen) {
    Columns by;
    Amount number = 1;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if ((chosen >> i & 1) == 0) continue;
      by.insert(sets[i].by.begin(), sets[i].by.end());
      number = product(number, sets[i].number);
    }
    if (is_within(wanted, by)) best = least(best, number);
  }
  return best;
}

Amount greedy_cover(const std::vector<NumberedColumns>& sets, Columns wanted) {
  Amount number = 1;
  while (!wanted.empty()) {
    const auto is_better = [&](const NumberedColumns& a, const NumberedColumns& b) {
      const std::size_t of_a = covered(a.by, wanted);
      const std::size_t of_b = covered(b.by, wanted);
      if (of_a != of_b) return of_a > of_b;
      return std::make_pair(a.by.size(), a.number) < std::make_pair(b.by.size(), b.number);
    };
    const auto next = std::min_element(sets.begin(), sets.end(), is_better);
    if (next == sets.end() || covered(next->by, wanted) == 0) return {};
    number = product(number, next->number);
    for (const std::string& name : next->by) wanted.erase(name);
  }
  return number;
}

template <class T>
Amount cover_of(const std::vector<T>& facts, Amount T::*number, const Columns& by) {
  std::vector<NumberedColumns> sets;
  for (const T& fact : facts) {
    if (fact.*number && covered(fact.by, by) > 0) sets.push_back({fact.by, *(fact.*number)});
  }
  return least_cover(sets, by);
}

template <class T>
Amount least_within(const std::vector<T>& facts, Amount T::*number, const Columns& by) {
  Amount result;
  for (const T& fact : facts) {
    if (is_within(fact.by, by)) result = least(result, fact.*number);
  }
  return result;
}

ContributionBound tightened(ContributionBound bound) {
  bound.groups = std::min(bound.groups, bound.rows);
  bound.rows_per_group = std::min(bound.rows_per_group, bound.rows);
  bound.rows = *least(bound.rows, product(bound.groups, bound.rows_per_group));
  return bound;
}

// Translates `by` to new names; none if a column was dropped.
std::optional<Columns> renamed(const Columns& by, const std::map<std::string, std::string>& names) {
  Columns result;
  for (const std::string& name : by) {
    const auto found = names.find(name);
    if (found == names.end()) return {};
    result.insert(found->second);
  }
  return result;
}

}  // namespace

bool less(const Amount& a, const Amount& b) { return a && (!b || *a < *b); }

Amount least(const Amount& a, const Amount& b) { return less(b, a) ? b : a; }

Amount product(const Amount& a, const Amount& b) {
  if (!a || !b) return {};
  const uint128_t wide = uint128_t{*a} * *b;
  if (wide > std::numeric_limits<std::uint64_t>::max()) return {};
  return static_cast<std::uint64_t>(wide);
}

Amount least_cover(const std::vector<NumberedColumns>& sets, const Columns& wanted) {
  return sets.size() <= kMostExactSets ? exact_cover(sets, wanted) : greedy_cover(sets, wanted);
}

void Contributions::add(Descriptor descriptor) {
  for (Descriptor& known : descriptors_) {
    if (known.by != descriptor.by) continue;
    known.per_group = least(known.per_group, descriptor.per_group);
    known.num_groups = least(known.num_groups, descriptor.num_groups);
    return;
  }
  descriptors_.push_back(std::move(descriptor));
}

void Contributions::add(Promise promise) {
  for (const Promise& known : promises_) {
    if (known.by == promise.by) {
      throw Error(ErrorKind::make_transformation,
                  "the same columns cannot have two margins. Combine them in one.");
    }
  }
  promises_.push_back(std::move(promise));
}

Amount Contributions::per_group(const Columns& by) const {
  return least_within(descriptors_, &Descriptor::per_group, by);
}

Amount Contributions::num_groups(const Columns& by) const {
  if (by.empty()) return 1;
  return cover_of(descriptors_, &Descriptor::num_groups, by);
}

Amount Contributions::total() const {
  Amount total = per_group({});
  for (const Descriptor& known : descriptors_) {
    total = least(total, product(known.per_group, known.num_groups));
  }
  return total;
}

Amount Contributions::most_rows(const Columns& by) const {
  return least_within(promises_, &Promise::most_rows, by);
}

Amount Contributions::most_groups(const Columns& by) const {
  if (by.empty()) return 1;
  return cover_of(promises_, &Promise::most_groups, by);
}

bool Contributions::has_public_keys(const Columns& by) const {
  return std::any_of(promises_.begin(), promises_.end(), [&](const Promise& promise) {
    return (promise.keys || promise.lengths) && is_within(by, promise.by);
  });
}

bool Contributions::has_public_lengths(const Columns& by) const {
  return std::any_of(promises_.begin(), promises_.end(), [&](const Promise& promise) {
    return promise.lengths && is_within(by, promise.by);
  });
}

Amount Contributions::groups_of_tables(const Grouping& grouping) const {
  if (grouping.by.empty()) return 1;
  const bool same_groups = grouping.universe || has_public_keys(grouping.by);
  const Amount most = most_groups(grouping.by);
  return least(grouping.universe, same_groups ? most : product(most, 2));
}

Reach Contributions::rows(const Grouping& grouping) const {
  const Amount l1 = total();
  if (grouping.by.empty()) {
    if (!l1) return {{}, Cap::rows};
    return {tightened({1, *l1, *l1}), Cap::none};
  }
  const Amount l0 = least(num_groups(grouping.by), groups_of_tables(grouping));
  const Amount li = per_group(grouping.by);
  if (l1) return {tightened({l0.value_or(*l1), *l1, li.value_or(*l1)}), Cap::none};
  if (!li) return {{}, Cap::rows};
  if (!l0) return {{}, Cap::groups};
  const Amount derived = product(l0, li);
  if (!derived) {
    throw Error(ErrorKind::overflow, "the rows that one person may have are too many to count.");
  }
  return {tightened({*l0, *derived, *li}), Cap::none};
}

Reach Contributions::people(const Grouping& grouping, std::uint64_t people) const {
  if (grouping.by.empty()) return {tightened({1, people, people}), Cap::none};
  const Amount universe = groups_of_tables(grouping);
  const Amount l1 = least(least(num_groups(grouping.by), total()), product(universe, people));
  if (!l1) return {{}, Cap::groups};
  return {tightened({least(l1, universe).value(), *l1, people}), Cap::none};
}

void Contributions::multiply(std::uint64_t times) {
  const auto multiplied = [&](Amount& amount) {
    const bool was_bounded = amount.has_value();
    amount = product(amount, times);
    if (was_bounded && !amount) {
      throw Error(ErrorKind::overflow, "the rows that one person may have are too many to count.");
    }
  };
  for (Descriptor& known : descriptors_) multiplied(known.per_group);
  for (Promise& promise : promises_) multiplied(promise.most_rows);
}

void Contributions::forget_invariants() {
  for (Promise& promise : promises_) promise.keys = promise.lengths = false;
}

void Contributions::forget_column(const std::string& column) {
  std::vector<std::pair<std::string, std::string>> kept;
  const auto keep = [&](const Columns& by) {
    for (const std::string& name : by) {
      if (name != column) kept.emplace_back(name, name);
    }
  };
  for (const Descriptor& known : descriptors_) keep(known.by);
  for (const Promise& promise : promises_) keep(promise.by);
  rename_columns(kept);
}

void Contributions::rename_columns(
    const std::vector<std::pair<std::string, std::string>>& old_to_new) {
  const std::map<std::string, std::string> names(old_to_new.begin(), old_to_new.end());
  const Amount all = total();
  const std::vector<Descriptor> descriptors = std::move(descriptors_);
  const std::vector<Promise> promises = std::move(promises_);
  descriptors_.clear();
  promises_.clear();
  for (const Descriptor& known : descriptors) {
    if (const auto by = renamed(known.by, names)) add({*by, known.per_group, known.num_groups});
  }
  if (all) add(Descriptor{{}, all, {}});
  for (Promise promise : promises) {
    const auto by = renamed(promise.by, names);
    if (!by) continue;
    promise.by = *by;
    promises_.push_back(std::move(promise));
  }
}

}  // namespace dp::query
