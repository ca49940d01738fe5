#include "core/sql/dialect.h"

#include <cstdio>

#include "core/error.h"
#include "core/expressions/calendar.h"
#include "core/numeric/utf8.h"

namespace dp::sql {
namespace {

constexpr std::size_t kLongestPostgresName = 63;

std::string hexadecimal(std::string_view bytes, const char* before) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += before;
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

std::string doubled(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

// Writes E'' strings, in which the meaning of a backslash does not depend on the session.
// Characters other than plain ASCII are written as bytes, so the connection's encoding does not
// matter.
std::string postgres_text(std::string_view text) {
  std::string literal = "E'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      literal.append(2, c);
    } else if (c >= ' ' && c <= '~') {
      literal += c;
    } else {
      literal += hexadecimal(std::string_view(&c, 1), "\\x");
    }
  }
  return literal + "'";
}

std::string cast(const std::string& what, const std::string& type) {
  return "CAST(" + what + " AS " + type + ")";
}

const char* text_type(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return "text";
    case Dialect::duckdb:
      return "VARCHAR";
    default:
      return "STRING";
  }
}

const char* real_type(Dialect dialect) {
  return dialect == Dialect::postgresql ? "float8" : "DOUBLE";
}

std::string text_of_whole(Dialect dialect, const std::string& whole) {
  return cast(whole, text_type(dialect));
}

// Converts digits in the engine's text type to bytes.
std::string bytes_of_digits(Dialect dialect, const std::string& text) {
  switch (dialect) {
    case Dialect::postgresql:
      return "(" + text + " COLLATE \"C\")";
    case Dialect::duckdb:
      return "encode(" + text + ")";
    default:
      return cast(text, "BINARY");
  }
}

}  // namespace

std::string quoted_name(Dialect dialect, std::string_view name) {
  const bool plain = !name.empty() && name.find('\0') == std::string_view::npos && is_utf8(name);
  if (!plain) {
    throw Error(ErrorKind::source,
                "a name in an engine must be a text of one character or more, without zero bytes.");
  }
  if (dialect == Dialect::postgresql && name.size() > kLongestPostgresName) {
    throw Error(ErrorKind::source,
                "a name in PostgreSQL has at most 63 bytes; `" + std::string(name) + "` has more.");
  }
  if (dialect != Dialect::spark) return doubled(name, '"');
  if (name.find("${") != std::string_view::npos) {
    throw Error(ErrorKind::source, "a name in Spark must not hold `${`, which Spark replaces.");
  }
  return doubled(name, '`');
}

std::string digits(std::int64_t value) { return std::to_string(value); }

std::string whole_literal(std::int64_t value) { return cast(digits(value), "BIGINT"); }

std::string real_literal(Dialect dialect, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  for (char& c : text) {
    if (c == ',') c = '.';  // of a locale
  }
  return cast("'" + std::string(text) + "'", real_type(dialect));
}

std::string bytes_literal(Dialect dialect, std::string_view text) {
  switch (dialect) {
    case Dialect::postgresql:
      return "(" + postgres_text(text) + " COLLATE \"C\")";
    case Dialect::duckdb:
      return cast("'" + hexadecimal(text, "\\x") + "'", "BLOB");
    default:
      return "X'" + hexadecimal(text, "") + "'";
  }
}

std::string no_value(Dialect dialect, Form form) {
  switch (form) {
    case Form::truth:
      return cast("NULL", "BOOLEAN");
    case Form::whole:
      return cast("NULL", "BIGINT");
    case Form::real:
      return cast("NULL", real_type(dialect));
    default:
      break;
  }
  if (dialect == Dialect::postgresql) return "(CAST(NULL AS text) COLLATE \"C\")";
  return cast("NULL", dialect == Dialect::duckdb ? "BLOB" : "BINARY");
}

std::string bytes_of_text(Dialect dialect, const std::string& text) {
  switch (dialect) {
    case Dialect::postgresql:
      // The cast undoes the special comparisons of citext and char(n).
      return "(" + cast(text, "text") + " COLLATE \"C\")";
    case Dialect::duckdb:
      return "CASE WHEN instr(" + text + ", chr(0)) = 0 THEN encode(" + text + ") END";
    default:
      return "CASE WHEN NOT contains(" + cast(text, "BINARY") + ", X'00') THEN " +
             cast(text, "BINARY") + " END";
  }
}

std::string is_valid_text(Dialect dialect, const std::string& text) {
  return dialect == Dialect::spark ? "is_valid_utf8(" + text + ")" : "TRUE";
}

// The pattern has no backslash, whose meaning depends on settings.
std::string without_leading_zeros(Dialect dialect, const std::string& text) {
  const auto replaced = [](const std::string& of, const char* groups) {
    return "regexp_replace(" + of + ", '^(-?)0+([0-9])', " + groups + ")";
  };
  switch (dialect) {
    case Dialect::postgresql:
      return replaced("(" + cast(text, "text") + " COLLATE \"C\")", "E'\\\\1\\\\2'");
    case Dialect::duckdb:
      return replaced(text, "chr(92) || '1' || chr(92) || '2'");
    default:
      return replaced(text, "'$1$2'");
  }
}

std::string bytes_of_whole(Dialect dialect, const std::string& whole) {
  return bytes_of_digits(dialect, text_of_whole(dialect, whole));
}

std::string joined(Dialect dialect, const std::vector<std::string>& parts) {
  const bool by_call = dialect == Dialect::spark;
  std::string text = by_call ? "concat(" : "(";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += by_call ? ", " : " || ";
    text += parts[i];
  }
  return text + ")";
}

std::string measured(Dialect dialect, const std::string& bytes) {
  const std::string length = bytes_of_whole(dialect, "octet_length(" + bytes + ")");
  return joined(dialect, {length, bytes_literal(dialect, ":"), bytes});
}

std::string hashed(Dialect dialect, const std::string& bytes) {
  switch (dialect) {
    case Dialect::postgresql:
      return "(encode(sha256(convert_to(" + bytes + ", 'UTF8')), 'hex') COLLATE \"C\")";
    case Dialect::duckdb:
      return "encode(sha256(" + bytes + "))";  // default_collation has no say over bytes
    default:
      return cast("sha2(" + bytes + ", 256)", "BINARY");
  }
}

// Spark can evaluate an expression despite its guarding condition; a value that does not fit is
// then missing.
std::string exact_whole(Dialect dialect, const std::string& real) {
  return (dialect == Dialect::spark ? "try_cast(" : "CAST(") + real + " AS BIGINT)";
}

std::string as_real(Dialect dialect, const std::string& whole) {
  return cast(whole, real_type(dialect));
}

std::string day_of_moment(const std::string& moment) { return cast(moment, "DATE"); }

std::string date_literal(std::int64_t days) {
  const query::CivilDate date = query::civil_date(days);
  char text[64];
  std::snprintf(text,
                sizeof text,
                "DATE '%04d-%02d-%02d'",
                static_cast<int>(date.year),
                static_cast<int>(date.month),
                static_cast<int>(date.day));
  return text;
}

std::string days_of(Dialect dialect, const std::string& date) {
  if (dialect == Dialect::spark) {
    return cast("datediff(" + date + ", DATE '1970-01-01')", "BIGINT");
  }
  return cast(date + " - DATE '1970-01-01'", "BIGINT");
}

std::string date_of(Dialect dialect, const std::string& days) {
  const std::string count = cast(days, "INT");
  if (dialect == Dialect::spark) return "date_add(DATE '1970-01-01', " + count + ")";
  return "(DATE '1970-01-01' + " + count + ")";
}

std::string bytes_of_date(Dialect dialect, const std::string& days) {
  const std::string date = date_of(dialect, days);
  if (dialect == Dialect::postgresql) {
    return bytes_of_digits(dialect, "to_char(" + date + ", 'YYYY-MM-DD')");
  }
  return bytes_of_digits(dialect, cast(date, text_type(dialect)));
}

std::string whole_quotient(Dialect dialect, const std::string& a, const std::string& b) {
  switch (dialect) {
    case Dialect::postgresql:
      return "(" + a + " / " + b + ")";
    case Dialect::duckdb:
      return "(" + a + " // " + b + ")";
    default:
      return "(" + a + " div " + b + ")";
  }
}

std::string whole_out(Dialect dialect, const std::string& whole) {
  return text_of_whole(dialect, whole);
}

std::string bytes_out(Dialect dialect, const std::string& bytes) {
  switch (dialect) {
    case Dialect::postgresql:
      return "'k' || encode(convert_to(" + bytes + ", 'UTF8'), 'hex')";
    default:
      return "concat('k', lower(hex(" + bytes + ")))";
  }
}

std::string sum_out(Dialect dialect, const std::string& whole, std::int64_t most) {
  if (dialect != Dialect::spark) {
    return whole_out(dialect, "COALESCE(SUM(" + whole + "), 0)");
  }
  if (most > std::int64_t{1} << 53) {
    throw Error(ErrorKind::unsupported,
                "sums in Spark are of whole numbers, or points of a lattice, within +-2^53.");
  }
  const auto half = [](const std::string& of) {
    return cast("COALESCE(SUM(" + of + "), 0)", "STRING");
  };
  return "concat(" + half("shiftright(" + whole + ", 26)") + ", ',', " +
         half(whole + " & 67108863") + ")";
}

}  // namespace dp::sql
