#include <cstring>
#include <initializer_list>
#include <map>

#include "core/sql/data_source.h"

namespace dp::sql {
namespace {

using D = Declaration;

// Numbers of days do not state their origin.
constexpr const char* kDaysOfR =
    "as.Date(as.numeric(x), origin = \"1970-01-01\") # Excel: \"1899-12-30\"";

// R code that converts a column to a type that the declaration accepts.
using Conversions = std::map<Declaration, const char*>;

struct ClassRow {
  ColumnType type;
  Conversions conversions;
};

Conversions each_of(std::initializer_list<D> declarations, const char* code) {
  Conversions conversions;
  for (const D declaration : declarations) conversions[declaration] = code;
  return conversions;
}

Conversions both(Conversions a, const Conversions& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Conversions of_durations(const char* number) {
  return both(each_of({D::whole, D::real, D::numbers}, number),
              both(each_of({D::labels, D::text, D::id}, "format(x)"), each_of({D::flag}, "x > 0")));
}

const std::vector<ClassRow>& classes_of_r() {
  static const Conversions of_numbers =
      both(each_of({D::labels, D::text}, "as.character(x)"),
           both(each_of({D::flag}, "x == 1"), each_of({D::date}, kDaysOfR)));
  static const Conversions of_texts =
      both(each_of({D::whole, D::real}, "as.numeric(x)"), each_of({D::flag}, "x == \"yes\""));
  static const Conversions of_factors =
      both(each_of({D::whole, D::real}, "as.numeric(as.character(x))"),
           each_of({D::flag}, "x == \"yes\""));
  static const Conversions of_dates =
      both(each_of({D::whole, D::real}, "as.numeric(x)"),
           both(each_of({D::labels, D::text}, "format(x)"),
                both(each_of({D::numbers}, "as.integer(format(x, \"%Y\"))"),
                     each_of({D::flag}, "x >= as.Date(\"2026-01-01\")"))));
  static const Conversions of_times =
      both(each_of({D::whole, D::real}, "as.numeric(x)"),
           both(each_of({D::date}, "dp_date(tz = \"UTC\")"),
                both(each_of({D::labels, D::text, D::id}, "format(x, tz = \"UTC\")"),
                     both(each_of({D::numbers}, "as.integer(format(x, \"%Y\", tz = \"UTC\"))"),
                          each_of({D::flag}, "x >= as.POSIXct(\"2026-01-01\", tz = \"UTC\")")))));
  const std::initializer_list<D> all = {
      D::flag, D::whole, D::real, D::labels, D::numbers, D::text, D::date, D::id};
  static const std::vector<ClassRow> rows{
      {{"logical", "logical"}, each_of({D::labels, D::text}, "as.character(x)")},
      {{"integer", "whole"}, of_numbers},
      {{"integer64", "whole"}, of_numbers},
      {{"numeric", "real"}, of_numbers},
      {{"character", "text"}, of_texts},
      {{"factor", "text"}, of_factors},
      {{"Date", "date"}, of_dates},
      {{"haven_labelled", "labelled"}, of_numbers},
      {{"haven_labelled text", "text"}, of_factors},
      {{"POSIXct", "time"}, of_times},
      {{"POSIXlt", ""}, each_of(all, "as.POSIXct(x)")},
      {{"difftime", ""}, of_durations("as.numeric(x, units = \"days\")")},
      {{"hms", ""}, of_durations("as.numeric(x, units = \"secs\")")},
      {{"AsIs", ""}, each_of(all, "structure(x, class = setdiff(class(x), \"AsIs\"))")},
      {{"matrix", ""}, each_of(all, "x[, 1]")},
      {{"data.frame", ""}, each_of(all, "x[[1]]")},
      {{"list", ""}, each_of(all, "unlist(x)")},
      {{"other", ""}, {}},
  };
  return rows;
}

class Frame final : public DataSource {
 public:
  const char* name() const override { return "data frame"; }

  const std::vector<ColumnType>& types() const override {
    static const std::vector<ColumnType> types = [] {
      std::vector<ColumnType> all;
      for (const ClassRow& row : classes_of_r()) all.push_back(row.type);
      return all;
    }();
    return types;
  }

  std::string conversion(const ColumnType& type, Declaration declaration) const override {
    for (const ClassRow& row : classes_of_r()) {
      if (std::strcmp(row.type.name, type.name) != 0) continue;
      const auto code = row.conversions.find(declaration);
      return code == row.conversions.end() ? "" : code->second;
    }
    return "";
  }
};

}  // namespace

const DataSource& frame_source() {
  static const Frame source;
  return source;
}

}  // namespace dp::sql
