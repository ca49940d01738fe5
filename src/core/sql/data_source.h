// Where rows of private tables are: data frames, Arrow data, and engines. A data source is a class
// in engines/<name>.cpp. It states which types of columns it has, and how each declaration reads
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dp::sql {

class Dialect;

// `labels` are levels that are texts, `numbers` levels that are whole numbers.
enum class Declaration : std::uint8_t { flag, whole, real, labels, numbers, text, date, id };
constexpr const char* kDeclarationNames[] = {"dp_flag()",
                                             "dp_int()",
                                             "dp_num()",
                                             "dp_levels(\"a\")",
                                             "dp_levels(1)",
                                             "dp_text()",
                                             "dp_date()",
                                             "dp_unit(id = )"};

// A class of R, or a type of Arrow or of the engine, and the kind that the kernel reads; empty if
// it cannot. Types are in lower case, without the parts in parentheses. The last one is "other".
struct ColumnType {
  const char* name;
  const char* kind;
};

class DataSource {
 public:
  DataSource() = default;
  DataSource(const DataSource&) = delete;
  DataSource& operator=(const DataSource&) = delete;
  virtual ~DataSource() = default;

  // As messages, receipts and R name it.
  virtual const char* name() const = 0;

  // The SQL of an engine that counts; null if R must read the rows.
  virtual const Dialect* dialect() const;

  virtual const std::vector<ColumnType>& types() const = 0;

  // The name in types() of a type as the engine reports it, in lower case.
  virtual std::string type_name(const std::string& type) const;

  // How a kind of column is read under a declaration: "" unchanged, "!" not at all, else the rule.
  virtual const char* rule(const std::string& kind, Declaration declaration) const;

  // Code that converts the column `x` of a type to one that the declaration reads; "" if none.
  virtual std::string conversion(const ColumnType& type, Declaration declaration) const = 0;

  // Where the conversion can run, with "%s" for a SELECT statement. Null outside of engines.
  virtual const char* conversion_place() const;

  // Code that converts seconds since 1970 to days, if numbers are days in a source without
  // date-times. Null otherwise.
  virtual const char* day_of_seconds() const;
};

}  // namespace dp::sql
