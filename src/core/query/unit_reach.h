// Bounds the change that a neighbour can cause in a statement's groups, by carrying the unit of
// privacy through the steps.
//
// Unit `rows`: d_in rows are in only one of the tables. Unit `changes`: d_in rows are replaced,
// which is 2 d_in rows by the same count, and the total number of rows is public. Unit `id`: d_in
// people are in only one of the tables, with any number of rows until truncate() bounds them; all
// other people have the same rows in both. So a person who is in both tables with different rows
// counts twice, once as removed and once as added. The rows that truncate() keeps before and after
// can differ by up to twice its caps.
//
// Steps act on each row separately, or on the rows of each person separately. So people who are in
// only one table remain so after any number of steps. Effects of the steps on rows:
//
//   filter     drops rows, so the change does not grow. Lengths and keys of groups are no longer
//              public.
//   mutate     creates different groups if it changes a key column. Facts about groups of that
//              column are forgotten, except the total number of rows.
//   select     forgets facts about dropped columns, and renames the others.
//   join       with a public table that has a key up to m times: each row becomes at most m
//              (a left join keeps a row without a match), with the same values in its old columns.
//              The kernel's own table determines m (join_table.h). If no key occurs, m is 1.
//   per_unit   replaces the rows of each person and group of `by` by one row, with the same values
//              in `by`. No group changes by more rows than before, and groups of `by` change by at
//              most one row per person.
//   truncate   keeps some rows of each person, chosen independently of other people's rows. With t
//              people, at most t times the cap of each change. The caps on groups and on rows per
//              group also bound all rows of a person, by their product.
//   margin     a promise about groups, including groups of a missing value. So it also holds for
//              groups of fewer columns.
//
// A table can be split into several places, each counted separately (shards.h). If a person can
// have rows in S places, treat the person in each place as a separate person. Steps act on the rows
// of each of these separately, and t people are at most S t of them. Numbers of rows and people are
// the sums over them. So all statements about t people hold with S t. If the data owner promises
// that each person is in one place, S is 1. A row is always in one place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/query/contributions.h"
#include "core/query/statement.h"

namespace dp::query {

// Number of people to count for d_in people, each of whom can have rows in several places.
std::uint64_t people_in_shards(const Unit& unit, std::uint32_t d_in);

// Whether neighbours can have groups of equal lengths and still differ. This requires that one row,
// or person, goes and a different one comes. Otherwise public lengths exclude all neighbours.
bool has_replacements(const Unit& unit);

// Bounds after all steps, at a distance of `d_in`. Throws unsupported if the unit does not allow a
// step, or if a step changes or consumes the identifier; also throws as Contributions does.
Contributions contributions_after(const Source& source,
                                  const std::vector<Step>& steps,
                                  std::uint32_t d_in);

// Throws unbounded, with a message that names the missing cap.
[[noreturn]] void refuse_unbounded(const Statement& statement, Cap missing);

// Throws unsupported: because of a promise, noise can no longer hide any change of `column`.
[[noreturn]] void refuse_unprotected(const Unit& unit, const std::string& column);

}  // namespace dp::query
