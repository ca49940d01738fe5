#include "r_query_shards.h"

#include <cstddef>
#include <memory>

#include "core/query/kernel.h"
#include "core/query/shards.h"
#include "r_query_engine.h"
#include "r_query_rows.h"

namespace dp::r {
namespace {

using query::ExactAggregate;
using query::ExactAggregates;
using query::Salt;
using query::Statement;

Salt hashing(Salt salt, Salt::Hash hash) {
  salt.hash = hash;
  return salt;
}

bool is_sharded(SEXP rows) {
  return is_engine(rows) && Rcpp::List(rows).containsElementNamed("shards");
}

// The map counts a person once for each place, so there must not be more places than declared.
void check_places(const Rcpp::List& shards, const query::Unit& unit) {
  const auto size = static_cast<std::size_t>(shards.size());
  bool each_is_one = true;
  for (const SEXP shard : shards) each_is_one = each_is_one && !is_sharded(shard);
  if (each_is_one && size <= query::kMostShards && (unit.shards == 1 || size <= unit.shards))
    return;
  throw Error(ErrorKind::failed_cast, "shards must be as many as the unit says, each one place.");
}

// Engines that can count concurrently begin before any count runs here.
ExactAggregates tally_shards(const Rcpp::List& shards,
                             const Statement& statement,
                             const std::vector<ExactAggregate>& tallies,
                             const Salt& salt) {
  check_places(shards, statement.source.unit);
  const auto size = static_cast<std::size_t>(shards.size());
  std::vector<std::unique_ptr<const BegunCount>> begun(size);
  for (std::size_t i = 0; i < size; ++i) {
    const SEXP shard = shards[static_cast<R_xlen_t>(i)];
    if (!can_begin(shard)) continue;
    begun[i] = std::make_unique<const BegunCount>(
        shard, statement, tallies, hashing(salt, Salt::Hash::sha256));
  }
  std::vector<ExactAggregates> places;
  for (std::size_t i = 0; i < size; ++i) {
    const SEXP shard = shards[static_cast<R_xlen_t>(i)];
    places.push_back(begun[i] ? begun[i]->result() : tally_rows(shard, statement, tallies, salt));
    begun[i].reset();
  }
  return query::added(tallies, places);
}

}  // namespace

ExactAggregates tally_rows(SEXP rows,
                           const Statement& statement,
                           const std::vector<ExactAggregate>& tallies,
                           const Salt& salt) {
  if (is_sharded(rows)) {
    return tally_shards(Rcpp::List(rows)["shards"], statement, tallies, salt);
  }
  const bool counted_elsewhere = is_engine(rows) && !is_streamed(rows);
  const Salt hashed = hashing(salt, counted_elsewhere ? Salt::Hash::sha256 : Salt::Hash::siphash);
  if (is_engine(rows)) return tally_in_engine(rows, statement, tallies, hashed);
  return query::tally(statement, tallies, query_rows_from_r(rows, statement.source), hashed);
}

}  // namespace dp::r
