#include "core/error.h"
#include "core/sql/dialect.h"

namespace dp::sql {
namespace {

constexpr std::size_t kLongestPostgresName = 63;

std::string postgres_bytes(const std::string& text) { return "(" + text + " COLLATE \"C\")"; }

// Writes E'' strings, where the meaning of a backslash does not depend on the session.
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

// Bytes are texts in the collation "C". Sums are of type numeric, which cannot overflow. Products
// of reals raise an error on underflow, and so do casts of decimals.
class Postgresql final : public Dialect {
 public:
  const char* name() const override { return "PostgreSQL"; }

  const std::vector<ColumnType>& types() const override {
    static const std::vector<ColumnType> types{{"boolean", "logical"},
                                               {"smallint", "whole"},
                                               {"integer", "whole"},
                                               {"bigint", "whole"},
                                               {"real", "real"},
                                               {"double precision", "real"},
                                               {"numeric", "decimal"},
                                               {"text", "text"},
                                               {"character varying", "text"},
                                               {"character", "text"},
                                               {"citext", "text"},
                                               {"uuid", "text"},
                                               {"date", "date"},
                                               {"timestamp without time zone", "moment"},
                                               {"timestamp with time zone", ""},
                                               {"time without time zone", ""},
                                               {"interval", ""},
                                               {"json", ""},
                                               {"bytea", ""},
                                               {"other", ""}};
    return types;
  }

  const char* conversion_place() const override { return "in a view or a new table: `%s`"; }

  std::string bytes_literal(std::string_view text) const override {
    return postgres_bytes(postgres_text(text));
  }

  // The cast undoes the special comparisons of citext and char(n).
  std::string bytes_of_text(const std::string& text) const override {
    return postgres_bytes(cast(text, "text"));
  }

  std::string without_leading_zeros(const std::string& text) const override {
    return "regexp_replace(" + bytes_of_text(text) + ", '^(-?)0+([0-9])', E'\\\\1\\\\2')";
  }

  std::string hashed(const std::string& bytes) const override {
    return postgres_bytes("encode(sha256(convert_to(" + bytes + ", 'UTF8')), 'hex')");
  }

  bool keeps_decimals() const override { return true; }

  std::string bytes_of_date(const std::string& days) const override {
    return bytes_of_digits("to_char(" + date_of(days) + ", 'YYYY-MM-DD')");
  }

  std::string whole_quotient(const std::string& a, const std::string& b) const override {
    return "(" + a + " / " + b + ")";
  }

  std::string bytes_out(const std::string& bytes) const override {
    return "'k' || encode(convert_to(" + bytes + ", 'UTF8'), 'hex')";
  }

 protected:
  std::string type_for(Declaration declaration) const override {
    return declaration == Declaration::real ? "double precision" : "text";
  }
  // The server would cut a longer name, possibly to the name of a different column.
  std::string quoted(std::string_view name) const override {
    if (name.size() > kLongestPostgresName) {
      throw Error(
          ErrorKind::source,
          "a name in PostgreSQL has at most 63 bytes; `" + std::string(name) + "` has more.");
    }
    return Dialect::quoted(name);
  }

  const char* text_type() const override { return "text"; }
  const char* real_type() const override { return "float8"; }
  std::string no_bytes() const override { return postgres_bytes(cast("NULL", "text")); }
  std::string bytes_of_digits(const std::string& text) const override {
    return postgres_bytes(text);
  }
};

}  // namespace

const DataSource& postgresql_source() {
  static const Postgresql source;
  return source;
}

}  // namespace dp::sql
