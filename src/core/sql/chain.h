// A statement as a chain of named results, each made from the one before.
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
  explicit Chain(Dialect dialect) : dialect_(dialect) {}

  Dialect dialect() const { return dialect_; }
  const std::string& current() const { return current_; }

  // The first link: columns of a table in the engine.
  std::vector<SqlColumn> read(const std::string& table, const std::vector<SqlColumn>& expressions);

  // New columns beside all that there are. The `name` of what is passed is an expression.
  std::vector<SqlColumn> add(const std::vector<SqlColumn>& expressions);
  SqlColumn add(const std::string& expression, Form form);
  // The same, but of a column that is there itself.
  SqlColumn named(const SqlColumn& value);

  // Rows where the condition is true.
  void keep(const std::string& condition);

  // Only columns that are made here, of groups of rows: `keys` are names.
  std::vector<SqlColumn> group(const std::vector<SqlColumn>& keys,
                               const std::vector<SqlColumn>& expressions);

  // A literal table beside the chain; returns its name. Columns are a0, a1, ...
  std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t columns);

  // `joins` stands behind FROM <current> AS l.
  std::vector<SqlColumn> join(const std::string& joins, const std::vector<SqlColumn>& expressions);

  // "WITH ...", all links.
  std::string text() const;

 private:
  std::string fresh(const char* stem);
  void link(const std::string& body);
  std::string listed(const std::vector<SqlColumn>& expressions, std::vector<SqlColumn>& made);

  Dialect dialect_;
  std::string current_;
  std::vector<std::string> links_;
  std::size_t made_ = 0;
};

}  // namespace dp::sql
