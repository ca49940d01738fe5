#include "core/sql/dialect.h"

#include <cstdio>
#include <limits>

#include "core/error.h"
#include "core/numeric/utf8.h"

namespace dp::sql {

const char* Dialect::rule(const std::string& kind, Declaration declaration) const {
  if (kind == "text" && declaration == Declaration::date) return "!";
  return DataSource::rule(kind, declaration);
}

std::string Dialect::conversion(const ColumnType& type, Declaration declaration) const {
  if (declaration == Declaration::date && is_instant(type.name)) return day_of_instant();
  switch (declaration) {
    case Declaration::flag:
      return cast("x", "boolean");
    case Declaration::whole:
    case Declaration::numbers:
      return cast("x", "bigint");
    case Declaration::date:
      return cast("x", "date");
    default:
      return cast("x", type_for(declaration));
  }
}

const char* Dialect::conversion_place() const { return "in a new table: `CREATE TABLE ... AS %s`"; }

bool Dialect::is_instant(const std::string& type) const {
  return type.find("with time zone") != std::string::npos;
}

const char* Dialect::day_of_instant() const { return "CAST(x AT TIME ZONE 'UTC' AS date)"; }

std::string Dialect::quoted_name(std::string_view name) const {
  const bool plain = !name.empty() && name.find('\0') == std::string_view::npos && is_utf8(name);
  if (!plain) {
    throw Error(ErrorKind::source,
                "a name in an engine must be a text of one character or more, without zero bytes.");
  }
  return quoted(name);
}

std::string Dialect::quoted(std::string_view name) const { return doubled(name, '"'); }

const char* Dialect::real_type() const { return "DOUBLE"; }

std::string Dialect::real_literal(double value) const {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  for (char& c : text) {
    if (c == ',') c = '.';  // of a locale
  }
  return cast("'" + std::string(text) + "'", real_type());
}

std::string Dialect::no_value(Form form) const {
  switch (form) {
    case Form::truth:
      return cast("NULL", "BOOLEAN");
    case Form::whole:
      return cast("NULL", "BIGINT");
    case Form::real:
      return cast("NULL", real_type());
    default:
      return no_bytes();
  }
}

std::string Dialect::is_valid_text(const std::string&) const { return "TRUE"; }

std::string Dialect::bytes_of_whole(const std::string& whole) const {
  return bytes_of_digits(cast(whole, text_type()));
}

std::string Dialect::joined(const std::vector<std::string>& parts) const {
  std::string text = "(";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? " || " : "") + parts[i];
  return text + ")";
}

std::string Dialect::measured(const std::string& bytes) const {
  const std::string length = bytes_of_whole("octet_length(" + bytes + ")");
  return joined({length, bytes_literal(":"), bytes});
}

std::string Dialect::exact_whole(const std::string& real) const { return cast(real, "BIGINT"); }

std::string Dialect::as_real(const std::string& whole) const { return cast(whole, real_type()); }

bool Dialect::keeps_decimals() const { return false; }

const char* Dialect::real_quotient() const { return nullptr; }

std::size_t Dialect::most_links() const { return std::numeric_limits<std::size_t>::max(); }

std::string Dialect::days_of(const std::string& date) const {
  return cast(date + " - DATE '1970-01-01'", "BIGINT");
}

std::string Dialect::date_of(const std::string& days) const {
  return "(DATE '1970-01-01' + " + cast(days, "INT") + ")";
}

std::string Dialect::bytes_of_date(const std::string& days) const {
  return bytes_of_digits(cast(date_of(days), text_type()));
}

std::string Dialect::whole_out(const std::string& whole) const { return cast(whole, text_type()); }

std::string Dialect::bytes_out(const std::string& bytes) const {
  return "concat('k', lower(hex(" + bytes + ")))";
}

std::string Dialect::sum_out(const std::string& whole, std::int64_t) const {
  return whole_out("COALESCE(SUM(" + whole + "), 0)");
}

std::string Dialect::wide_sum(const std::string& whole, const WholeBounds&) const {
  return "COALESCE(SUM(" + whole + "), 0)";
}

}  // namespace dp::sql
