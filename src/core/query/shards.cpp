#include "core/query/shards.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/error.h"
#include "core/query/keys.h"

namespace dp::query {
namespace {

using PlaceOfGroup = std::map<Key, std::size_t, KeyLess>;

void check_additive(const std::vector<ExactAggregate>& tallies) {
  const auto has = [&](ExactAggregate::Kind kind) {
    return std::any_of(tallies.begin(), tallies.end(), [&](const ExactAggregate& tally) {
      return tally.kind == kind;
    });
  };
  if (has(ExactAggregate::Kind::distinct)) {
    throw Error(ErrorKind::unsupported, "different values of several shards do not add up.");
  }
  if (has(ExactAggregate::Kind::points)) {
    throw Error(ErrorKind::unsupported,
                "this model reads rows, which do not leave their shard. Use `dp_lm()`.");
  }
}

std::size_t numbers_of_group(const ExactAggregate& tally) {
  return tally.kind == ExactAggregate::Kind::bins ? 2 * tally.grid.size() + 1 : 1;
}

PlaceOfGroup places_of_groups(const std::vector<ExactAggregates>& places) {
  PlaceOfGroup groups;
  for (const ExactAggregates& place : places) {
    for (const Key& key : place.keys) groups.emplace(key, 0);
  }
  std::size_t group = 0;
  for (auto& each : groups) each.second = group++;
  return groups;
}

}  // namespace

ExactAggregates added(const std::vector<ExactAggregate>& tallies,
                      const std::vector<ExactAggregates>& places) {
  check_additive(tallies);
  const PlaceOfGroup groups = places_of_groups(places);
  ExactAggregates all;
  for (const auto& group : groups) all.keys.push_back(group.first);
  for (const ExactAggregate& tally : tallies)
    all.values.emplace_back(groups.size() * numbers_of_group(tally));
  for (const ExactAggregates& place : places) {
    for (std::size_t g = 0; g < place.keys.size(); ++g) {
      const std::size_t group = groups.at(place.keys[g]);
      for (std::size_t t = 0; t < tallies.size(); ++t) {
        const std::size_t width = numbers_of_group(tallies[t]);
        for (std::size_t w = 0; w < width; ++w) {
          all.values[t][group * width + w] += place.values[t][g * width + w];
        }
      }
    }
  }
  return all;
}

}  // namespace dp::query
