#include "core/sql/chain.h"

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

std::vector<SqlColumn> Chain::read(const std::string& table,
                                   const std::vector<SqlColumn>& expressions) {
  std::vector<SqlColumn> made;
  const std::string list = listed(expressions, made);
  link("SELECT " + (list.empty() ? "1 AS c" : list) + " FROM " + table);
  return made;
}

std::vector<SqlColumn> Chain::add(const std::vector<SqlColumn>& expressions) {
  if (expressions.empty()) return {};
  std::vector<SqlColumn> made;
  const std::string list = listed(expressions, made);
  link("SELECT " + current_ + ".*, " + list + " FROM " + current_);
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
  link("SELECT " + current_ + ".* FROM " + current_ + " WHERE CASE WHEN " + condition +
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
  link("SELECT " + list + " FROM " + current_ + by);
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
  link("SELECT l.*" + (list.empty() ? "" : ", " + list) + " FROM " + current_ + " AS l " + joins);
  return made;
}

std::string Chain::text() const {
  std::string text = "WITH ";
  for (std::size_t i = 0; i < links_.size(); ++i) text += (i == 0 ? "" : ",\n") + links_[i];
  return text;
}

}  // namespace dp::sql
