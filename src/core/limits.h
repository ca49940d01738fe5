// Limits on public sizes, checked before any work and before a charge. Each is named only here; R
// reads them through core_limits().
#pragma once

#include <cstddef>
#include <cstdint>

namespace dp::limits {

// Calls within calls, in code and in expressions. Functions that walk an expression may recurse.
inline constexpr std::size_t kNestedCalls = 256;

// Symbols, constants and calls in one piece of code; calls in all columns of a result.
inline constexpr std::size_t kPartsOfCode = std::size_t{1} << 16;

// Lists within lists in the canonical form of a plan, which has two for each call.
inline constexpr std::size_t kNestedLists = 2 * kNestedCalls + 64;

// Cells of a table or a histogram, points of a grid, levels of a column, values in a comparison
// with a column, and values of a public table.
inline constexpr std::size_t kCells = 1000000;

// Number of measured numbers in a release of a query, over all groups and cells.
inline constexpr std::uint64_t kNumbers = std::uint64_t{1} << 26;

// Leaves of a tree of counts, which has a 64-bit integer for each leaf and each inner node.
inline constexpr std::uint64_t kLeaves = std::uint64_t{1} << 26;

}  // namespace dp::limits
