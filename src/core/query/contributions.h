// How much of a table one neighbour may change, grouping by grouping, and what of it reaches the
// groups of a query.
//
// Let s_g be the number of rows that are in group g of only one of two neighbouring tables. A
// descriptor bounds s for one set of columns; so does every other set, by three facts:
//
//   per_group   a group of more columns lies within one of fewer, so it changes by no more;
//   num_groups  of fewer columns, no more groups change than of more; and of the union of two sets,
//               no more than the product of both numbers, since each changed group of the union is
//               a changed group of either;
//   total       the rows of all groups: num_groups times per_group, or less.
//
// Any cover of the grouping by descriptors therefore gives a bound, and the least is the best.
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

// What the owner of the data promises of every table that could be. A wrong promise voids the
// guarantee; none is ever read off data.
struct Promise {
  Columns by;
  bool keys = false;     // which groups there are is public
  bool lengths = false;  // and how many rows are in each
  Amount most_groups, most_rows;
};

// (l0, l1, linf) of s: groups that change, rows in all of them, rows in any one.
struct Triple {
  std::uint64_t l0 = 0;
  std::uint64_t l1 = 0;
  std::uint64_t li = 0;
};

// The cap that a query lacks.
enum class Cap : std::uint8_t { none, rows, groups };

struct Reach {
  std::optional<Triple> triple;
  Cap missing = Cap::none;
};

// The groups that a query looks at. `universe`: how many there are, where the keys are public.
struct Grouping {
  Columns by;
  Amount universe;
};

class Contributions {
 public:
  // Keeps the lesser of each number, if there is one of the same columns.
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

  // How many groups may change because of how many there are: twice as many as there can be in one
  // table, unless both neighbours have the same ones.
  Amount groups_of_tables(const Grouping& grouping) const;

  // The triple of rows. A group's greatest length bounds no distance, which can be twice as much;
  // it bounds what is computed of the group (norms.h).
  Reach rows(const Grouping& grouping) const;

  // The triple of the numbers of people in each group, if each of `people` moves one by one: nobody
  // is in more groups than change by him, and all of them move a group by `people`.
  Reach people(const Grouping& grouping, std::uint64_t people) const;

  // Lets every row become `times` rows with the same values in the old columns.
  void multiply(std::uint64_t times);
  void forget_invariants();
  // Forgets what is known of groups of `column`, but for the total.
  void forget_column(const std::string& column);
  // Keeps what is known of groups of these columns alone, under new names.
  void rename_columns(const std::vector<std::pair<std::string, std::string>>& old_to_new);

 private:
  std::vector<Descriptor> descriptors_;
  std::vector<Promise> promises_;
};

// The least product of `numbers` of sets whose union has all of `wanted`; none if there is none, or
// past 2^64. Up to twelve sets: the least; beyond, one after the other, the one with most columns
// that are still wanted, of these the smallest, of these the least number.
struct NumberedColumns {
  Columns by;
  std::uint64_t number;
};
Amount least_cover(const std::vector<NumberedColumns>& sets, const Columns& wanted);

// a <= b, where none is larger than any number; and products, none past 2^64.
bool less(const Amount& a, const Amount& b);
Amount least(const Amount& a, const Amount& b);
Amount product(const Amount& a, const Amount& b);

}  // namespace dp::query
