// Look-ups in public lists as trees of CASE: as deep as the list's length has bits. A flat CASE of
// thousands of branches is slow everywhere, and ended a session of Spark for want of memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dp::sql {

// What stands at the place of `column` among `points`, which increase: `at(i)` if it equals point
// i, `below(i)` if it is less than point i and greater than the one before; below(size) beyond the
// last one. A missing column gives what the last branch gives: keep it out.
std::string looked_up(const std::string& column,
                      const std::vector<std::string>& points,
                      const std::function<std::string(std::size_t)>& at,
                      const std::function<std::string(std::size_t)>& below);

// What belongs to the literal that `column` equals, or NULL. `points` are literals and values, in
// the order of the literals.
std::string matched(const std::string& column,
                    const std::vector<std::pair<std::string, std::string>>& points);

}  // namespace dp::sql
