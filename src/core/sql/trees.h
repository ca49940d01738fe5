// Look-ups in public lists as trees of CASE, with a depth of the bit length of the list's size. A
// flat CASE with thousands of branches is slow in every engine, and once exhausted the memory of a
// Spark session.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dp::sql {

// Looks up `column` in the increasing `points`: `at(i)` if it equals point i, `below(i)` if it is
// less than point i and greater than the previous one, below(size) beyond the last point. A missing
// column gives the value of the last branch, so exclude missing values first.
std::string looked_up(const std::string& column,
                      const std::vector<std::string>& points,
                      const std::function<std::string(std::size_t)>& at,
                      const std::function<std::string(std::size_t)>& below);

// The value for the literal that `column` equals, or NULL. `points` are pairs of literal and value,
// in the order of the literals.
std::string matched(const std::string& column,
                    const std::vector<std::pair<std::string, std::string>>& points);

}  // namespace dp::sql
