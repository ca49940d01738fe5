// Bounds the part of a table that one neighbour can change, for each grouping, and derives the
// bound for the groups of a query.
//
// Let s_g be the number of rows that are in group g of only one of two neighbouring tables. A
// descriptor bounds s for one set of columns. Three facts extend the bound to every other set:
//
//   per_group   a group of more columns is a subset of a group of fewer columns, so no more of
//               its rows change;
//   num_groups  with fewer columns, no more groups change. For the union of two sets the
//               number is at most the product of both numbers, because each changed group of the
//               union is a changed group of either;
//   total       the rows of all groups: num_groups times per_group, or less.
//
// Any cover of the grouping by descriptors therefore gives a bound; the least bound is used.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dp::query {

using Columns = std::set<std::string>;
using Amount = std::optional<std::uint64_t>;  // none: not bounded

struct Descriptor {
  Columns by;
  Amount per_group;   // rows that change in any one group
  Amount num_groups;  // groups in which any row changes
};

// A promise by the data owner about every possible table. A wrong promise voids the guarantee; no
// promise is ever inferred from data.
struct Promise {
  Columns by;
  bool keys = false;     // the set of groups is public
  bool lengths = false;  // and their row counts
  Amount most_groups, most_rows;
};

// What one unit can change: groups, rows in all of them, and rows in any one. These are the l0, l1
// and linf of a partition distance.
struct ContributionBound {
  std::uint64_t groups = 0;
  std::uint64_t rows = 0;
  std::uint64_t rows_per_group = 0;
};

// The missing cap of a query.
enum class Cap : std::uint8_t { none, rows, groups };

struct Reach {
  std::optional<ContributionBound> bound;
  Cap missing = Cap::none;
};

// The groups of a query. `universe`: number of groups, if the keys are public.
struct Grouping {
  Columns by;
  Amount universe;
};

class Contributions {
 public:
  // Merges with an earlier descriptor of the same columns, keeping the smaller of each number.
  void add(Descriptor descriptor);
  // Throws make_transformation if there is one of the same columns.
  void add(Promise promise);

  const std::vector<Descriptor>& descriptors() const { return descriptors_; }
  const std::vector<Promise>& promises() const { return promises_; }

  Amount per_group(const Columns& by) const;
  Amount num_groups(const Columns& by) const;
  Amount total() const;

  Amount most_rows(const Columns& by) const;
  Amount most_groups(const Columns& by) const;
  bool has_public_keys(const Columns& by) const;
  bool has_public_lengths(const Columns& by) const;

  // Bounds the number of changed groups by the number of groups: twice the most that one table can
  // have, or once if both neighbours have the same groups.
  Amount groups_of_tables(const Grouping& grouping) const;

  // The bound of rows. The maximum length of a group does not bound the distance, which can be
  // twice as much. It bounds statistics of the group (norms.h).
  Reach rows(const Grouping& grouping) const;

  // The bound of the number of people per group, if `people` people move one by one. Each of them
  // changes at most l0 groups, and together they move a group by at most `people`.
  Reach people(const Grouping& grouping, std::uint64_t people) const;

  // Lets every row become `times` rows with the same values in the old columns.
  void multiply(std::uint64_t times);
  void forget_invariants();
  // Forgets facts about groups of `column`, except the total.
  void forget_column(const std::string& column);
  // Keeps only the facts about groups of these columns, under new names.
  void rename_columns(const std::vector<std::pair<std::string, std::string>>& old_to_new);

 private:
  std::vector<Descriptor> descriptors_;
  std::vector<Promise> promises_;
};

// The least product of `numbers` of sets whose union has all of `wanted`; none if there is no such
// cover, or above 2^64. Exact for up to twelve sets. Beyond, a greedy choice: the set with most
// columns still wanted, then the smallest set, then the least number.
struct NumberedColumns {
  Columns by;
  std::uint64_t number;
};
Amount least_cover(const std::vector<NumberedColumns>& sets, const Columns& wanted);

// Whether a < b. An absent amount exceeds every number. Products above 2^64 are absent.
bool less(const Amount& a, const Amount& b);
Amount least(const Amount& a, const Amount& b);
Amount product(const Amount& a, const Amount& b);

}  // namespace dp::query
