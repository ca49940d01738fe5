#include "core/sql/data_source.h"

namespace dp::sql {
namespace {

// R reads the rows (engine-sqlite.R).
class Sqlite final : public DataSource {
 public:
  const char* name() const override { return "SQLite"; }

  const std::vector<ColumnType>& types() const override {
    // SQLite has a type for each cell; columns use the affinity of their declared type.
    static const std::vector<ColumnType> types{{"integer", "whole"},
                                               {"real", "real"},
                                               {"text", "text"},
                                               {"numeric", "any"},
                                               {"blob", "any"},
                                               {"other", "any"}};
    return types;
  }

  // SQLite's own rules (its documentation, "Datatypes", 3.1), in their order.
  std::string type_name(const std::string& type) const override {
    const auto has = [&](const char* part) { return type.find(part) != std::string::npos; };
    if (has("int")) return "integer";
    if (has("char") || has("clob") || has("text")) return "text";
    if (has("blob") || type.empty()) return "blob";
    if (has("real") || has("floa") || has("doub")) return "real";
    return "numeric";
  }

  // The affinity determines the possible cells; most cells of a different type would be missing.
  const char* rule(const std::string& kind, Declaration declaration) const override {
    if (kind == "any") return "cells of another type are missing";
    if (kind == "whole" && declaration == Declaration::flag) {
      return "0 is FALSE; other whole numbers are TRUE";
    }
    if (kind != "text" && declaration == Declaration::date) {
      return "numbers are days since 1970-01-01";
    }
    return DataSource::rule(kind, declaration);
  }

  std::string conversion(const ColumnType&, Declaration declaration) const override {
    switch (declaration) {
      case Declaration::flag:
        return "x = 'yes'";
      case Declaration::whole:
      case Declaration::numbers:
        return "CAST(x AS INTEGER)";
      case Declaration::real:
        return "CAST(x AS REAL)";
      case Declaration::date:
        return "date(x)";
      default:
        return "CAST(x AS TEXT)";
    }
  }

  const char* conversion_place() const override {
    return "in a new table: `CREATE TABLE ... AS %s`";
  }

  const char* day_of_seconds() const override { return "date(x, 'unixepoch')"; }
};

}  // namespace

const DataSource& sqlite_source() {
  static const Sqlite source;
  return source;
}

}  // namespace dp::sql
