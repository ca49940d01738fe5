#include "core/sql/trees.h"

namespace dp::sql {
namespace {

constexpr std::size_t kFlat = 4;  // points that a leaf compares one by one

using Points = std::vector<std::pair<std::string, std::string>>;

std::string match_between(const std::string& column,
                          const Points& points,
                          std::size_t begin,
                          std::size_t end) {
  if (end - begin <= kFlat) {
    std::string leaf = "CASE " + column;
    for (std::size_t i = begin; i < end; ++i) {
      leaf += " WHEN " + points[i].first + " THEN " + points[i].second;
    }
    return leaf + " END";
  }
  const std::size_t middle = begin + (end - begin) / 2;
  return "CASE WHEN " + column + " < " + points[middle].first + " THEN " +
         match_between(column, points, begin, middle) + " ELSE " +
         match_between(column, points, middle, end) + " END";
}

}  // namespace

std::string looked_up(const std::string& column,
                      const std::vector<std::string>& points,
                      const std::function<std::string(std::size_t)>& at,
                      const std::function<std::string(std::size_t)>& below) {
  const std::function<std::string(std::size_t, std::size_t)> between = [&](std::size_t begin,
                                                                           std::size_t end) {
    if (begin == end) return below(begin);
    const std::size_t middle = begin + (end - begin) / 2;
    return "CASE WHEN " + column + " < " + points[middle] + " THEN " + between(begin, middle) +
           " WHEN " + column + " = " + points[middle] + " THEN " + at(middle) + " ELSE " +
           between(middle + 1, end) + " END";
  };
  return between(0, points.size());
}

std::string matched(const std::string& column, const Points& points) {
  return match_between(column, points, 0, points.size());
}

}  // namespace dp::sql
