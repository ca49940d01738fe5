#include <cstdlib>

#include "core/sql/dialect.h"

namespace dp::sql {
namespace {

// Bytes are blobs, whatever the setting default_collation is. Sums have 128 bits. Products of reals
// follow a setting.
class Duckdb final : public Dialect {
 public:
  const char* name() const override { return "DuckDB"; }

  const std::vector<ColumnType>& types() const override {
    static const std::vector<ColumnType> types{{"boolean", "logical"},
                                               {"tinyint", "whole"},
                                               {"smallint", "whole"},
                                               {"integer", "whole"},
                                               {"bigint", "whole"},
                                               {"utinyint", "whole"},
                                               {"usmallint", "whole"},
                                               {"uinteger", "whole"},
                                               {"float", "real"},
                                               {"double", "real"},
                                               {"decimal", "decimal"},
                                               {"varchar", "text"},
                                               {"date", "date"},
                                               {"hugeint", ""},
                                               {"ubigint", ""},
                                               {"timestamp", "moment"},
                                               {"timestamp_s", "moment"},
                                               {"timestamp_ms", "moment"},
                                               {"timestamp_ns", "moment"},
                                               {"timestamp with time zone", ""},
                                               {"time", ""},
                                               {"interval", ""},
                                               {"enum", ""},
                                               {"blob", ""},
                                               {"other", ""}};
    return types;
  }

  // For more than 15 digits, a cast of a decimal to a double can be off by the last bit.
  std::string type_name(const std::string& type) const override {
    const std::string name = DataSource::type_name(type);
    if (name != "decimal") return name;
    const std::size_t open = type.find('(');
    const bool is_long = open == std::string::npos || std::atoi(type.c_str() + open + 1) > 15;
    return is_long ? "other" : name;
  }

  const char* rule(const std::string& kind, Declaration declaration) const override {
    if (kind == "decimal" && declaration == Declaration::id) return "rows are read into R";
    return Dialect::rule(kind, declaration);
  }

  std::string bytes_literal(std::string_view text) const override {
    return cast("'" + hexadecimal(text, "\\x") + "'", "BLOB");
  }

  std::string bytes_of_text(const std::string& text) const override {
    return "CASE WHEN instr(" + text + ", chr(0)) = 0 THEN encode(" + text + ") END";
  }

  std::string without_leading_zeros(const std::string& text) const override {
    return "regexp_replace(" + text + ", '^(-?)0+([0-9])', chr(92) || '1' || chr(92) || '2')";
  }

  std::string hashed(const std::string& bytes) const override {
    return "encode(sha256(" + bytes + "))";
  }

  std::string whole_quotient(const std::string& a, const std::string& b) const override {
    return "(" + a + " // " + b + ")";
  }

 protected:
  std::string type_for(Declaration declaration) const override {
    return declaration == Declaration::real ? "double" : "varchar";
  }
  const char* text_type() const override { return "VARCHAR"; }
  std::string no_bytes() const override { return cast("NULL", "BLOB"); }
  std::string bytes_of_digits(const std::string& text) const override {
    return "encode(" + text + ")";
  }
};

}  // namespace

const DataSource& duckdb_source() {
  static const Duckdb source;
  return source;
}

}  // namespace dp::sql
