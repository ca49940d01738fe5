// What a neighbour may change of a statement's groups: the unit of privacy, carried through its
// steps.
//
// Unit `rows`: d_in rows are in only one of the tables. Unit `changes`: d_in rows are replaced,
// which is 2 d_in rows by the same count, and the number of all rows is public. Unit `id`: d_in
// people are in only one of the tables, with any number of rows until truncate() bounds them, and
// all others have the same rows in both. So a person who is in both with other rows counts twice,
// as one who goes and one who comes: what truncate() keeps of his rows then, and what it kept
// before, are up to twice its caps apart.
//
// Steps act on each row by itself, or on the rows of each person by themselves, so people that are
// in one table only still are after any number of them. Of rows:
//
//   filter     drops rows: no more change than before; lengths and keys of groups are not public
//              any more.
//   mutate     of a column in use as a key makes other groups: what is known of groups of that
//              column is forgotten, but for the rows in all of them.
//   select     forgets what is known of columns that go, and renames the others.
//   join       with a public table in which a key occurs up to m times: each row becomes at most m
//              (a left join keeps one that has no match), with the same values in its old columns.
//              The kernel's own table says how large m is (join_table.h). If no key occurs, m is 1.
//   per_unit   one row for each person and group of `by` in place of at least one, with the same
//              values in `by`: no group changes by more rows than before, and of `by` by at most
//              one for each person.
//   truncate   keeps some rows of each person, the same ones whatever the other people's are. With
//              t people, at most t times the cap of each change; caps of groups and of rows in each
//              of them also limit all rows of a person, by their product.
//   margin     is a promise about groups in which a missing value makes a group, too: so it holds
//              of groups of fewer columns.
//
// A table may lie in several places, each of which is counted by itself (shards.h). Where a person
// may have rows in S of them, take a person in one place for a person: steps act on the rows of
// each of these by themselves, t people are at most S t of these, and rows and numbers of people
// are those of these. So all that is said of t people holds with S t. If each person lives in one
// place, which the owner of the data promises, S is 1. Rows lie in one place anyway.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/query/contributions.h"
#include "core/query/statement.h"

namespace dp::query {

// As how many people d_in people count who may have rows in several places.
std::uint64_t people_in_shards(const Unit& unit, std::uint32_t d_in);

// Whether neighbours can have groups of the same lengths and still differ: a row, or a person, must
// go and another one come. If they cannot, public lengths leave no neighbours to hide.
bool has_replacements(const Unit& unit);

// What may be known after all steps at a distance of `d_in`. Throws unsupported for steps that the
// unit has not, or that change or use up the identifier; and as Contributions does.
Contributions contributions_after(const Source& source,
                                  const std::vector<Step>& steps,
                                  std::uint32_t d_in);

// Throws unbounded with a sentence on which cap the statement lacks.
[[noreturn]] void refuse_unbounded(const Statement& statement, Cap missing);

// Throws unsupported: a promise leaves nothing that the noise of `column` could hide.
[[noreturn]] void refuse_unprotected(const Unit& unit, const std::string& column);

}  // namespace dp::query
