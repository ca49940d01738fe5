// A statement as a chain of named results, each computed from the previous one.
//
// New columns wait until a link must follow them. Then columns that do not use each other share a
// link: an engine plans a statement in time, or by a stack, that grows with its links.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sql/dialect.h"

namespace dp::sql {

struct SqlColumn {
  std::string name;
  Form form;
};

class Chain {
 public:
  explicit Chain(const Dialect& dialect) : dialect_(dialect) {}

  const Dialect& dialect() const { return dialect_; }
  // The name of the last link, which has all columns that were added.
  const std::string& current();
  std::size_t links() const { return links_.size(); }

  // Adds the first link: columns of a table in the engine.
  std::vector<SqlColumn> read(const std::string& table, const std::vector<SqlColumn>& expressions);

  // Adds new columns beside the existing ones. The `name` of each argument is an SQL expression.
  std::vector<SqlColumn> add(const std::vector<SqlColumn>& expressions);
  SqlColumn add(const std::string& expression, Form form);
  // Like add(), but returns a column that already exists unchanged.
  SqlColumn named(const SqlColumn& value);

  // Keeps rows if the condition is true.
  void keep(const std::string& condition);

  // Groups rows; the result has only the columns made here. `keys` are names.
  std::vector<SqlColumn> group(const std::vector<SqlColumn>& keys,
                               const std::vector<SqlColumn>& expressions);

  // Adds a literal table beside the chain and returns its name. Columns are a0, a1, ...
  std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t columns);

  // `joins` is the SQL after FROM <current> AS l.
  std::vector<SqlColumn> join(const std::string& joins, const std::vector<SqlColumn>& expressions);

  // "WITH ...", all links.
  std::string text();

 private:
  std::string fresh(const char* stem);
  void link(const std::string& body);
  std::string listed(const std::vector<SqlColumn>& expressions, std::vector<SqlColumn>& made);
  std::size_t depth_of(std::string_view expression) const;

  const Dialect& dialect_;
  std::string current_;
  std::vector<std::string> links_;
  std::vector<std::string> waiting_;          // lists of columns; each uses earlier ones only
  std::map<std::string, std::size_t> depth_;  // of a waiting column: 1 + its index in waiting_
  std::size_t made_ = 0;
};

}  // namespace dp::sql
