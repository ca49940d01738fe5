#include "core/sql/engines/registry.h"

#include "core/error.h"

namespace dp::sql {

const DataSource& frame_source();
const DataSource& arrow_source();
const DataSource& sqlite_source();
const DataSource& duckdb_source();
const DataSource& postgresql_source();
const DataSource& spark_source();

const std::vector<const DataSource*>& data_sources() {
  static const std::vector<const DataSource*> rows{
      &frame_source(),
      &arrow_source(),
      &sqlite_source(),
      &duckdb_source(),
      &postgresql_source(),
      &spark_source(),
  };
  return rows;
}

const DataSource& source_named(const std::string& name) {
  for (const DataSource* source : data_sources()) {
    if (name == source->name()) return *source;
  }
  throw Error(ErrorKind::failed_cast, "`" + name + "` is not a source of data.");
}

std::vector<const Dialect*> dialects() {
  std::vector<const Dialect*> all;
  for (const DataSource* source : data_sources()) {
    if (source->dialect() != nullptr) all.push_back(source->dialect());
  }
  return all;
}

const Dialect& dialect_named(const std::string& name) {
  const Dialect* dialect = source_named(name).dialect();
  if (dialect != nullptr) return *dialect;
  throw Error(ErrorKind::failed_cast, "`" + name + "` is not an engine that counts.");
}

}  // namespace dp::sql
