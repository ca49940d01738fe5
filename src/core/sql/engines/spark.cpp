#include "core/error.h"
#include "core/sql/dialect.h"

namespace dp::sql {
namespace {

// Spark keeps invalid text and zero bytes, and evaluates expressions despite their guarding
// condition. A product of bounded numbers is a number.
class Spark final : public Dialect {
 public:
  const char* name() const override { return "Spark"; }

  const std::vector<ColumnType>& types() const override {
    static const std::vector<ColumnType> types{{"boolean", "logical"},
                                               {"tinyint", "whole"},
                                               {"smallint", "whole"},
                                               {"int", "whole"},
                                               {"bigint", "whole"},
                                               {"float", "real"},
                                               {"double", "real"},
                                               {"decimal", "decimal"},
                                               {"string", "text"},
                                               {"varchar", "text"},
                                               {"date", "date"},
                                               {"char", ""},
                                               {"timestamp", ""},
                                               {"timestamp_ntz", "moment"},
                                               {"binary", ""},
                                               {"other", ""}};
    return types;
  }

  std::string type_name(const std::string& type) const override {
    const std::string name = DataSource::type_name(type);
    return name.rfind("string collate ", 0) == 0 ? "string" : name;
  }

  const char* rule(const std::string& kind, Declaration declaration) const override {
    if (kind == "real" && declaration == Declaration::id) return "!";
    return Dialect::rule(kind, declaration);
  }

  const char* conversion_place() const override {
    return "in a new table: `CREATE TABLE ... USING parquet AS %s`";
  }

  std::string bytes_literal(std::string_view text) const override {
    return "X'" + hexadecimal(text, "") + "'";
  }

  std::string bytes_of_text(const std::string& text) const override {
    const std::string bytes = cast(text, "BINARY");
    return "CASE WHEN NOT contains(" + bytes + ", X'00') THEN " + bytes + " END";
  }

  std::string is_valid_text(const std::string& text) const override {
    return "is_valid_utf8(" + text + ")";
  }

  std::string without_leading_zeros(const std::string& text) const override {
    return "regexp_replace(" + text + ", '^(-?)0+([0-9])', '$1$2')";
  }

  std::string joined(const std::vector<std::string>& parts) const override {
    std::string text = "concat(";
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? ", " : "") + parts[i];
    return text + ")";
  }

  std::string hashed(const std::string& bytes) const override {
    return cast("sha2(" + bytes + ", 256)", "BINARY");
  }

  // A value that does not fit is missing.
  std::string exact_whole(const std::string& real) const override {
    return "try_cast(" + real + " AS BIGINT)";
  }

  const char* real_quotient() const override { return "try_divide"; }

  // Spark's analyser takes two rounds for each link, and by default at most 100.
  std::size_t most_links() const override { return 45; }

  std::string days_of(const std::string& date) const override {
    return cast("datediff(" + date + ", DATE '1970-01-01')", "BIGINT");
  }

  std::string date_of(const std::string& days) const override {
    return "date_add(DATE '1970-01-01', " + cast(days, "INT") + ")";
  }

  std::string whole_quotient(const std::string& a, const std::string& b) const override {
    return "(" + a + " div " + b + ")";
  }

  // Adds two halves in 64 bits each, with low halves of 26 bits, enough for 2^36 rows.
  std::string sum_out(const std::string& whole, std::int64_t most) const override {
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

  std::string wide_sum(const std::string& whole, const WholeBounds& bounds) const override {
    constexpr std::int64_t kMost = std::int64_t{1} << 59;
    if (!bounds || bounds->first < -kMost || bounds->second > kMost) {
      throw Error(ErrorKind::unsupported,
                  "`sum` of each person in Spark is of numbers within 2^59.");
    }
    return Dialect::wide_sum(cast(whole, "DECIMAL(18,0)"), bounds);
  }

 protected:
  std::string type_for(Declaration declaration) const override {
    return declaration == Declaration::real ? "double" : "string";
  }
  bool is_instant(const std::string& type) const override { return type == "timestamp"; }
  const char* day_of_instant() const override { return "CAST(convert_timezone('UTC', x) AS date)"; }

  // Spark replaces `${` even inside quotes.
  std::string quoted(std::string_view name) const override {
    if (name.find("${") != std::string_view::npos) {
      throw Error(ErrorKind::source, "a name in Spark must not hold `${`, which Spark replaces.");
    }
    return doubled(name, '`');
  }

  const char* text_type() const override { return "STRING"; }
  std::string no_bytes() const override { return cast("NULL", "BINARY"); }
  std::string bytes_of_digits(const std::string& text) const override {
    return cast(text, "BINARY");
  }
};

}  // namespace

const DataSource& spark_source() {
  static const Spark source;
  return source;
}

}  // namespace dp::sql
