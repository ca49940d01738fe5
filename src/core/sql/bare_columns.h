// Declared columns of numbers that a statement need not clamp when it reads them.
//
// A value is clamped when it is placed on a lattice. If the lattice ends within the bounds of the
// declaration, to clamp it to these first changes nothing: and then one comparison with each end is
// enough, where an engine would compare twice and, if it puts expressions in place of names, many
// times more.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/pipeline.h"

namespace dp::sql {

// The places of the columns, among the declared `fields`, that the statement places on such
// lattices and reads nowhere else: no condition, no key, no rank, no value hangs on them.
std::set<std::size_t> only_on_lattices(const query::Pipeline& pipeline,
                                       const std::vector<query::Field>& fields);

}  // namespace dp::sql
