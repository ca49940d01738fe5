// A statement as a chain of named results, each computed from the previous one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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
  const std::string& current() const { return current_; }

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
  std::string text() const;

 private:
  std::string fresh(const char* stem);
  void link(const std::string& body);
  std::string listed(const std::vector<SqlColumn>& expressions, std::vector<SqlColumn>& made);

  const Dialect& dialect_;
  std::string current_;
  std::vector<std::string> links_;
  std::size_t made_ = 0;
};

}  // namespace dp::sql
