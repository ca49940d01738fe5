#include "core/sql/chain.h"

#include <algorithm>

namespace dp::sql {

std::string Chain::fresh(const char* stem) { return stem + std::to_string(made_++); }

void Chain::link(const std::string& body) {
  current_ = fresh("dp_q");
  links_.push_back(current_ + " AS (" + body + ")");
}

std::string Chain::listed(const std::vector<SqlColumn>& expressions, std::vector<SqlColumn>& made) {
  std::string list;
  for (const SqlColumn& each : expressions) {
    made.push_back({fresh("c"), each.form});
    list += (list.empty() ? "" : ", ") + each.name + " AS " + made.back().name;
  }
  return list;
}

// The number of links that must hold waiting columns before `expression` can be computed. A text
// that merely looks like a name delays the expression and changes nothing else.
std::size_t Chain::depth_of(std::string_view expression) const {
  constexpr std::string_view kDigits = "0123456789";
  std::size_t depth = 0;
  for (std::size_t i = expression.find('c'); i != std::string_view::npos;) {
    const std::size_t end =
        std::min(expression.find_first_not_of(kDigits, i + 1), expression.size());
    const auto waiting = depth_.find(std::string(expression.substr(i, end - i)));
    if (waiting != depth_.end()) depth = std::max(depth, waiting->second);
    i = expression.find('c', end);
  }
  return depth;
}

const std::string& Chain::current() {
  const std::vector<std::string> lists = std::move(waiting_);
  waiting_.clear();
  depth_.clear();
  for (const std::string& list : lists) {
    link("SELECT " + current_ + ".*, " + list + " FROM " + current_);
  }
  return current_;
}

std::vector<SqlColumn> Chain::read(const std::string& table,
                                   const std::vector<SqlColumn>& expressions) {
  std::vector<SqlColumn> made;
  const std::string list = listed(expressions, made);
  link("SELECT " + (list.empty() ? "1 AS c" : list) + " FROM " + table);
  return made;
}

std::vector<SqlColumn> Chain::add(const std::vector<SqlColumn>& expressions) {
  std::vector<SqlColumn> made;
  for (const SqlColumn& each : expressions) {
    const std::size_t depth = depth_of(each.name);
    if (depth == waiting_.size()) waiting_.emplace_back();
    std::string& list = waiting_[depth];
    list += (list.empty() ? "" : ", ") + listed({each}, made);
    depth_[made.back().name] = depth + 1;
  }
  return made;
}

SqlColumn Chain::add(const std::string& expression, Form form) {
  return add({SqlColumn{expression, form}})[0];
}

SqlColumn Chain::named(const SqlColumn& value) {
  const bool is_name = value.name.size() > 1 && value.name[0] == 'c' &&
                       value.name.find_first_not_of("0123456789", 1) == std::string::npos;
  return is_name ? value : add(value.name, value.form);
}

// A missing condition counts as false, stated explicitly because engines differ on bare conditions.
void Chain::keep(const std::string& condition) {
  const std::string rows = current();
  link("SELECT " + rows + ".* FROM " + rows + " WHERE CASE WHEN " + condition +
       " THEN TRUE ELSE FALSE END");
}

std::vector<SqlColumn> Chain::group(const std::vector<SqlColumn>& keys,
                                    const std::vector<SqlColumn>& expressions) {
  std::vector<SqlColumn> all = keys;
  all.insert(all.end(), expressions.begin(), expressions.end());
  std::vector<SqlColumn> made;
  const std::string list = listed(all, made);
  std::string by;
  for (const SqlColumn& key : keys) by += (by.empty() ? " GROUP BY " : ", ") + key.name;
  link("SELECT " + list + " FROM " + current() + by);
  return made;
}

std::string Chain::table(const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  const std::string name = fresh("dp_p");
  std::string link = name + "(";
  for (std::size_t c = 0; c < columns; ++c) link += (c == 0 ? "a" : ", a") + std::to_string(c);
  link += ") AS (VALUES ";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    link += r == 0 ? "(" : ", (";
    for (std::size_t c = 0; c < columns; ++c) link += (c == 0 ? "" : ", ") + rows[r][c];
    link += ")";
  }
  links_.push_back(link + ")");
  return name;
}

std::vector<SqlColumn> Chain::join(const std::string& joins,
                                   const std::vector<SqlColumn>& expressions) {
  std::vector<SqlColumn> made;
  const std::string list = listed(expressions, made);
  link("SELECT l.*" + (list.empty() ? "" : ", " + list) + " FROM " + current() + " AS l " + joins);
  return made;
}

std::string Chain::text() {
  current();
  std::string text = "WITH ";
  for (std::size_t i = 0; i < links_.size(); ++i) text += (i == 0 ? "" : ",\n") + links_[i];
  return text;
}

}  // namespace dp::sql
