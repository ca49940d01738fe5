// Finds declared columns of numbers that a statement need not clamp when it reads them.
//
// A value is clamped when it is placed on a lattice. If the lattice ends within the declared
// bounds, clamping to these bounds first changes nothing. One comparison with each end is then
// enough. An engine would otherwise compare twice, or many times if it substitutes expressions for
// names.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/pipeline.h"

namespace dp::sql {

// Positions, among the declared `fields`, of the columns that the statement only places on such
// lattices. No condition, key, rank or value reads them.
std::set<std::size_t> only_on_lattices(const query::Pipeline& pipeline,
                                       const std::vector<query::Field>& fields);

}  // namespace dp::sql
