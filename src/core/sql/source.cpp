#include "core/sql/source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/expressions/calendar.h"
#include "core/expressions/promote.h"
#include "core/numeric/lattice.h"
#include "core/numeric/text.h"
#include "core/query/cell_classes.h"
#include "core/query/coerce.h"
#include "core/sql/expression.h"
#include "core/sql/trees.h"

namespace dp::sql {
namespace {

using query::Field;
using query::FieldType;
using Kind = EngineColumn::Kind;

[[noreturn]] void refuse_engine_column(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::source, "column `" + name + "` " + what + ".");
}

query::QueryColumn::Kind memory_kind(Kind kind) {
  using Memory = query::QueryColumn::Kind;
  switch (kind) {
    case Kind::logical:
      return Memory::logical;
    case Kind::whole:
      return Memory::int64;
    case Kind::text:
      return Memory::text;
    case Kind::date:
    case Kind::moment:
      return Memory::date32;
    default:
      return Memory::real;
  }
}

template <class T>
T clamped(T value, T lower, T upper) {
  return std::min(std::max(value, lower), upper);
}

std::string of_truth(const std::string& x, const std::string& yes, const std::string& no) {
  return "CASE WHEN " + x + " THEN " + yes + " WHEN NOT " + x + " THEN " + no + " END";
}

// Writes one column.
class Declared {
 public:
  Declared(const Dialect& dialect, const Field& field, const EngineColumn& column)
      : dialect_(dialect), field_(field), kind_(column.kind), x_(dialect.quoted_name(column.name)) {
    if (kind_ == Kind::decimal && !dialect.keeps_decimals()) kind_ = Kind::real;
    if (kind_ == Kind::real) x_ = dialect.as_real(x_);
    if (kind_ == Kind::moment) {
      kind_ = Kind::date;
      x_ = day_of_moment(x_);
    }
    if (!field.na.empty() || !field.na_texts.empty()) x_ = without_codes();
  }

  std::string text() const {
    const std::string read = declared();
    if (!field_.fill) return read;
    return "COALESCE(" + read + ", " + filling(*field_.fill) + ")";
  }

  // Class of each cell: query::CellClass, as CellClasses assigns it to cells in memory. The field
  // has no value if a cell does not fit.
  std::string cell_class() const {
    switch (field_.type) {
      case FieldType::integer:
        return field_.wholes ? class_by_bounds() : class_by_value(CellClass::fits);
      case FieldType::real:
        return field_.reals ? class_by_bounds() : class_by_value(CellClass::fits);
      case FieldType::date:
        return class_of_date();
      case FieldType::levels:
        if (kind_ == Kind::text) return class_of_text(class_if_there(level(), CellClass::unknown));
        return class_if_there(level(), class_by_value(CellClass::unknown));
      case FieldType::text:
        return class_of_text(class_literal(CellClass::fits));
      default:
        return class_by_value(CellClass::fits);
    }
  }

 private:
  using CellClass = query::CellClass;

  static std::string class_literal(CellClass cell) {
    return whole_literal(static_cast<std::int64_t>(cell));
  }

  static std::string class_if_there(const std::string& read, const std::string& otherwise) {
    return "CASE WHEN (" + read + ") IS NOT NULL THEN " + class_literal(CellClass::fits) +
           " ELSE " + otherwise + " END";
  }
  static std::string class_if_there(const std::string& read, CellClass otherwise) {
    return class_if_there(read, class_literal(otherwise));
  }

  // Uses `there` for cells with a value; NaN and the least 64-bit integer count as missing.
  std::string class_by_value(CellClass there) const {
    std::string has_value = x_ + " IS NOT NULL";
    if (kind_ == Kind::whole) {
      has_value = x_ + " >= " + digits(-std::numeric_limits<std::int64_t>::max());
    }
    if (kind_ == Kind::real || kind_ == Kind::decimal) has_value = x_ + " <= 0 OR -" + x_ + " <= 0";
    return "CASE WHEN " + has_value + " THEN " + class_literal(there) + " ELSE " +
           class_literal(CellClass::missing) + " END";
  }

  std::string class_of_text(const std::string& of_text) const {
    const std::string bytes = dialect_.bytes_of_text(x_);
    return "CASE WHEN " + x_ + " IS NULL THEN " + class_literal(CellClass::missing) + " WHEN (" +
           bytes + ") IS NOT NULL AND " + dialect_.is_valid_text(x_) + " THEN " + of_text +
           " ELSE " + class_literal(CellClass::undecodable) + " END";
  }

  std::string class_of_date() const {
    std::string beyond = class_literal(CellClass::undecodable);
    if (field_.wholes) {
      const auto [lower, upper] = *field_.wholes;
      beyond = "CASE WHEN " + x_ + " < " + date_literal(query::kFirstDay) + " OR " + x_ + " > " +
               date_literal(query::kLastDay) + " THEN " + beyond + " WHEN " + x_ + " < " +
               date_literal(clamped(lower, query::kFirstDay, query::kLastDay)) + " THEN " +
               class_literal(CellClass::below) + " ELSE " + class_literal(CellClass::above) +
               " END";
    }
    return "CASE WHEN " + x_ + " IS NULL THEN " + class_literal(CellClass::missing) + " ELSE " +
           class_if_there(date(), beyond) + " END";
  }

  // A cell is not a key if it is beyond a bound, missing, or NaN.
  std::string class_by_bounds() const {
    const bool real = field_.type == FieldType::real;
    const auto [lower, upper] = real ? *field_.reals
                                     : std::pair{static_cast<double>(field_.wholes->first),
                                                 static_cast<double>(field_.wholes->second)};
    if (kind_ == Kind::logical) {
      const auto class_of = [lower = lower, upper = upper](double value) {
        return class_literal(value < lower   ? CellClass::below
                             : value > upper ? CellClass::above
                                             : CellClass::fits);
      };
      return "CASE WHEN " + x_ + " IS NULL THEN " + class_literal(CellClass::missing) + " ELSE " +
             of_truth(x_, class_of(1), class_of(0)) + " END";
    }
    const auto end = [&](double at) {
      return kind_ == Kind::decimal ? numeric(at) : dialect_.real_literal(at);
    };
    const std::string compared = kind_ == Kind::whole ? dialect_.as_real(x_) : x_;
    const std::string beyond = "CASE WHEN " + compared + " <= " + end(lower) + " THEN " +
                               class_literal(CellClass::below) + " WHEN -" + compared + " <= -" +
                               end(upper) + " THEN " + class_literal(CellClass::above) + " ELSE " +
                               class_literal(CellClass::missing) + " END";
    const std::string classed = class_if_there(declared(), beyond);
    if (kind_ != Kind::whole) return classed;
    return "CASE WHEN " + x_ + " < " + digits(-std::numeric_limits<std::int64_t>::max()) +
           " THEN " + class_literal(CellClass::missing) + " ELSE " + classed + " END";
  }

  // The engine's value, or missing if it is a declared missing code.
  std::string without_codes() const {
    std::string codes;
    const auto add = [&](const std::string& code) { codes += (codes.empty() ? "" : ", ") + code; };
    if (kind_ == Kind::text) {
      for (const std::string& code : field_.na_texts) {
        if (query::is_plain_text(code)) add(dialect_.bytes_literal(code));
      }
    } else if (kind_ != Kind::logical) {
      for (const double code : field_.na) {
        if (kind_ == Kind::date) {
          add(date_literal(static_cast<std::int64_t>(code)));
        } else if (kind_ == Kind::real) {
          add(dialect_.real_literal(code));
        } else if (kind_ == Kind::decimal || std::trunc(code) == code) {
          add(numeric(code));
        }
      }
    }
    if (codes.empty()) return x_;
    const std::string compared = kind_ == Kind::text ? dialect_.bytes_of_text(x_) : x_;
    return "(CASE WHEN (" + compared + ") IN (" + codes + ") THEN NULL ELSE " + x_ + " END)";
  }

  std::string filling(double fill) const {
    const auto whole = static_cast<std::int64_t>(fill);
    if (field_.type == FieldType::real) return dialect_.real_literal(fill);
    if (field_.type == FieldType::logical) return whole != 0 ? "TRUE" : "FALSE";
    return whole_literal(whole);
  }

  std::string declared() const {
    switch (field_.type) {
      case FieldType::logical:
        return x_;
      case FieldType::integer:
        return whole();
      case FieldType::real:
        return real();
      case FieldType::text:
        return dialect_.bytes_of_text(x_);
      case FieldType::levels:
        return level();
      default:
        return date();
    }
  }

  // Branches of CASE that clamp a number. The first one, strictly inside the bounds and with the
  // condition `also`, matches almost all rows, and engines evaluate no further branch for them.
  std::string held(const std::string& lower,
                   const std::string& upper,
                   const std::string& least,
                   const std::string& most,
                   const std::string& inside,
                   const std::string& also = "") const {
    return "WHEN " + x_ + " > " + lower + " AND " + x_ + " < " + upper + also + " THEN " + inside +
           " WHEN " + x_ + " <= " + lower + " THEN " + least + " WHEN -" + x_ + " <= -" + upper +
           " THEN " + most + " END";
  }

  // Like held(), but values beyond the ends are missing. A number that rounds to an end is within
  // half a unit of it, and ties go to the even number.
  std::string held_as_key(std::int64_t lower,
                          std::int64_t upper,
                          const std::string& inside,
                          const std::string& also) const {
    const double half = field_.rounds ? 0.5 : 0;
    const auto end = [&](double at) { return dialect_.real_literal(at); };
    const auto within = [&](const char* with, const char* without, std::int64_t bound) {
      return half == 0 || bound % 2 == 0 ? with : without;
    };
    const auto lowest = static_cast<double>(lower);
    const auto highest = static_cast<double>(upper);
    return "WHEN " + x_ + " > " + end(lowest) + " AND " + x_ + " < " + end(highest) + also +
           " THEN " + inside + " WHEN " + x_ + within(" >= ", " > ", lower) + end(lowest - half) +
           " AND " + x_ + " <= " + end(lowest) + " THEN " + whole_literal(lower) + " WHEN " + x_ +
           " >= " + end(highest) + " AND " + x_ + within(" <= ", " < ", upper) +
           end(highest + half) + " THEN " + whole_literal(upper) + " END";
  }

  bool is_key() const { return field_.beyond == Field::Beyond::missing; }

  // Converts a decimal to the double that it would be in memory. PostgreSQL can cast any decimal
  // that neither underflows nor is beyond all bounds; values beyond the bounds are missing as keys.
  std::string key_of_decimal() const {
    return "(CASE WHEN " + x_ + " > -3e-324 AND " + x_ + " < 3e-324 THEN " +
           dialect_.real_literal(0) + " WHEN " + x_ + " > -1e300 AND " + x_ + " < 1e300 THEN " +
           dialect_.as_real(x_) + " END)";
  }

  // Bound to compare a numeric with: the decimal digits that round to the double.
  static std::string numeric(double bound) { return "(" + format_number(bound) + ")"; }

  std::string whole() const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (kind_ != Kind::whole && !field_.wholes) refuse_engine_column(field_.name, "has no bounds");
    const auto [lower, upper] = field_.wholes.value_or(std::pair{-kMost, kMost});
    const std::string least = whole_literal(lower);
    const std::string most = whole_literal(upper);
    if (kind_ == Kind::logical) {
      const auto number = [&, lower = lower, upper = upper](std::int64_t value) {
        const std::int64_t held = clamped(value, lower, upper);
        return is_key() && held != value ? dialect_.no_value(Form::whole) : whole_literal(held);
      };
      return of_truth(x_, number(1), number(0));
    }
    if (kind_ == Kind::whole && is_key()) {
      return "CASE WHEN " + x_ + " >= " + digits(lower) + " AND " + x_ + " <= " + digits(upper) +
             " THEN CAST(" + x_ + " AS BIGINT) END";
    }
    if (kind_ == Kind::whole) {
      // The least 64-bit integer is a missing value, as in memory.
      return "CASE WHEN " + x_ + " >= " + digits(lower) + " AND " + x_ + " <= " + digits(upper) +
             " THEN CAST(" + x_ + " AS BIGINT) WHEN " + x_ + " > " + digits(upper) + " THEN " +
             most + " WHEN " + x_ + " >= " + digits(-kMost) + " THEN " + least + " END";
    }
    if (kind_ == Kind::decimal && is_key()) {
      return Declared(dialect_, field_, key_of_decimal()).whole();
    }
    // Adding 1.5 * 2^52 rounds numbers within 2^51 to nearest, ties to even. PostgreSQL raises an
    // error if a decimal underflows, so decimals next to 0 become 0 before the cast.
    const std::string shift = dialect_.real_literal(kLatticeShift);
    const bool decimal = kind_ == Kind::decimal;
    const std::string real = decimal ? dialect_.as_real(x_) : x_;
    const std::string rounded = "(" + real + " + " + shift + ") - " + shift;
    std::string inside = dialect_.exact_whole(rounded);
    std::string also;
    if (decimal && field_.rounds) {
      inside = "CASE WHEN " + x_ + " >= -0.5 AND " + x_ + " <= 0.5 THEN " + whole_literal(0) +
               " ELSE " + inside + " END";
    } else if (decimal) {
      inside = "CAST(" + x_ + " AS BIGINT)";
      also = " AND " + x_ + " = trunc(" + x_ + ")";
    } else if (!field_.rounds) {
      also = " AND " + rounded + " = " + x_;  // a whole number is not changed by rounding to one
    }
    if (is_key()) return "CASE " + held_as_key(lower, upper, inside, also);
    const auto number = [&](std::int64_t end) {
      return decimal ? "(" + digits(end) + ")" : dialect_.real_literal(static_cast<double>(end));
    };
    return "CASE " + held(number(lower), number(upper), least, most, inside, also);
  }

  std::string real() const {
    if (!field_.reals) refuse_engine_column(field_.name, "has no bounds");
    const auto [lower, upper] = *field_.reals;
    const std::string least = dialect_.real_literal(lower);
    const std::string most = dialect_.real_literal(upper);
    if (kind_ == Kind::logical) {
      const auto number = [&, lower = lower, upper = upper](double value) {
        const double held = clamped(value, lower, upper);
        return is_key() && held != value ? dialect_.no_value(Form::real)
                                         : dialect_.real_literal(held);
      };
      return of_truth(x_, number(1), number(0));
    }
    if (is_key()) return real_key(lower, upper);
    if (kind_ == Kind::decimal) {
      // Numbers that would round to 0 are not cast, because PostgreSQL raises an error on
      // underflow.
      return "CASE WHEN " + x_ + " > -3e-324 AND " + x_ + " < 3e-324 THEN " +
             dialect_.real_literal(clamped<double>(0, lower, upper)) + " " +
             held(numeric(lower), numeric(upper), least, most, dialect_.as_real(x_));
    }
    if (kind_ == Kind::whole) {
      const Declared same(dialect_, field_, dialect_.as_real(x_));
      return "CASE WHEN " + x_ + " < " + digits(-std::numeric_limits<std::int64_t>::max()) +
             " THEN " + dialect_.no_value(Form::real) + " " +
             same.held(least, most, least, most, same.x_);
    }
    return "CASE " + held(least, most, least, most, x_);
  }

  std::string real_key(double lower, double upper) const {
    if (kind_ == Kind::decimal) {
      return Declared(dialect_, field_, key_of_decimal()).real_key(lower, upper);
    }
    std::string real = x_;
    std::string before = "CASE";
    if (kind_ == Kind::whole) {
      real = dialect_.as_real(x_);
      before += " WHEN " + x_ + " < " + digits(-std::numeric_limits<std::int64_t>::max()) +
                " THEN " + dialect_.no_value(Form::real);
    }
    return before + " WHEN " + real + " >= " + dialect_.real_literal(lower) + " AND " + real +
           " <= " + dialect_.real_literal(upper) + " THEN " + real + " END";
  }

  // Labels that are not valid text match no level.
  std::string level() const {
    std::vector<std::pair<std::string, std::string>> points;
    const auto place = [](std::size_t i) { return whole_literal(static_cast<std::int64_t>(i)); };
    if (kind_ == Kind::text) {
      std::vector<std::pair<std::string, std::size_t>> labels;
      for (std::size_t i = 0; i < field_.levels.size(); ++i) {
        if (query::is_plain_text(field_.levels[i])) labels.emplace_back(field_.levels[i], i);
      }
      std::sort(labels.begin(), labels.end());
      for (const auto& [label, i] : labels) {
        points.emplace_back(dialect_.bytes_literal(label), place(i));
      }
      if (points.empty()) return dialect_.no_value(Form::whole);
      const std::string k =
          dialect_.bytes_of_text(field_.parses ? dialect_.without_leading_zeros(x_) : x_);
      return matched(k.front() == '(' ? k : "(" + k + ")", points);
    }
    std::vector<std::pair<std::int64_t, std::size_t>> wholes;
    for (std::size_t i = 0; i < field_.levels.size(); ++i) {
      wholes.emplace_back(query::whole_level(field_.levels[i]), i);
      constexpr std::int64_t kExact = std::int64_t{1} << 53;
      const bool exact = wholes.back().first >= -kExact && wholes.back().first <= kExact;
      if (!exact) refuse_engine_column(field_.name, "has levels beyond 2^53");
    }
    std::sort(wholes.begin(), wholes.end());
    if (kind_ == Kind::logical) return level_of_truth(wholes);
    for (const auto& [whole, i] : wholes) {
      points.emplace_back(kind_ == Kind::real ? dialect_.real_literal(static_cast<double>(whole))
                                              : "(" + digits(whole) + ")",
                          place(i));
    }
    return matched(x_, points);
  }

  std::string level_of_truth(
      const std::vector<std::pair<std::int64_t, std::size_t>>& wholes) const {
    const auto of = [&](std::int64_t whole) {
      for (const auto& [level, i] : wholes) {
        if (level == whole) return whole_literal(static_cast<std::int64_t>(i));
      }
      return dialect_.no_value(Form::whole);
    };
    return of_truth(x_, of(1), of(0));
  }

  std::string date() const {
    const auto [lower, upper] =
        field_.wholes.value_or(std::pair{query::kFirstDay, query::kLastDay});
    const auto [first, last] = std::pair{clamped(lower, query::kFirstDay, query::kLastDay),
                                         clamped(upper, query::kFirstDay, query::kLastDay)};
    if (is_key()) {
      return "CASE WHEN " + x_ + " >= " + date_literal(first) + " AND " + x_ +
             " <= " + date_literal(last) + " THEN " + dialect_.days_of(x_) + " END";
    }
    return "CASE WHEN " + x_ + " < " + date_literal(query::kFirstDay) + " OR " + x_ + " > " +
           date_literal(query::kLastDay) + " THEN " + dialect_.no_value(Form::whole) + " WHEN " +
           x_ + " <= " + date_literal(first) + " THEN " + whole_literal(lower) + " WHEN " + x_ +
           " >= " + date_literal(last) + " THEN " + whole_literal(upper) + " WHEN " + x_ + " < " +
           date_literal(last) + " THEN " + dialect_.days_of(x_) + " END";
  }

  Declared(const Dialect& dialect, const Field& field, std::string x)
      : dialect_(dialect), field_(field), kind_(Kind::real), x_(std::move(x)) {}

  const Dialect& dialect_;
  const Field& field_;
  Kind kind_;
  std::string x_;
};

}  // namespace

std::string quoted_path(const Dialect& dialect, const EngineTable& table) {
  std::string path;
  for (const std::string& part : table.path) {
    path += (path.empty() ? "" : ".") + dialect.quoted_name(part);
  }
  if (path.empty()) throw Error(ErrorKind::source, "a table in an engine must have a name.");
  return path;
}

query::QueryRows without_rows(const EngineTable& table) {
  static constexpr double kNothing = 0;
  std::vector<query::QueryColumn> columns;
  for (const EngineColumn& column : table.columns) {
    query::QueryColumn memory;
    memory.name = column.name;
    memory.kind = memory_kind(column.kind);
    memory.cells = &kNothing;
    columns.push_back(std::move(memory));
  }
  return query::QueryRows(0, std::move(columns));
}

SqlColumn declared_value(const Dialect& dialect, const Field& field, const EngineColumn& column) {
  const Field& declared = field.classes_of ? *field.classes_of : field;
  if (declared.type == FieldType::date && column.kind == Kind::text) {
    refuse_engine_column(column.name, "holds text, but was declared as dates");
  }
  if (field.classes_of) {
    const Field key = query::as_key(*field.classes_of);
    return {Declared(dialect, key, column).cell_class(), Form::whole};
  }
  return {Declared(dialect, field, column).text(), form_of(field)};
}

std::optional<SqlColumn> bare_number(const Dialect& dialect,
                                     const Field& field,
                                     const EngineColumn& column) {
  const bool bare = !field.fill && field.na.empty() && !field.classes_of;
  if (!bare || field.beyond == Field::Beyond::missing) return std::nullopt;
  const bool decimal = column.kind == Kind::decimal && !dialect.keeps_decimals();
  const std::string x = dialect.quoted_name(column.name);
  if (field.type == FieldType::real && field.reals && (column.kind == Kind::real || decimal)) {
    return SqlColumn{dialect.as_real(x), Form::real};
  }
  if (field.type == FieldType::integer && column.kind == Kind::whole) {
    return SqlColumn{"CAST(" + x + " AS BIGINT)", Form::whole};
  }
  return std::nullopt;
}

SqlColumn id_value(const Dialect& dialect, const EngineColumn& column) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::string x = dialect.quoted_name(column.name);
  switch (column.kind) {
    case Kind::text:
      return {dialect.bytes_of_text(x), Form::bytes};
    case Kind::whole:
      return {"CASE WHEN " + x + " >= " + digits(-kMost) + " THEN CAST(" + x + " AS BIGINT) END",
              Form::whole};
    case Kind::logical:
      return {of_truth(x, whole_literal(1), whole_literal(0)), Form::whole};
    case Kind::date:
      return {"CASE WHEN " + x + " >= " + date_literal(query::kFirstDay) + " AND " + x +
                  " <= " + date_literal(query::kLastDay) + " THEN " + dialect.days_of(x) + " END",
              Form::whole};
    case Kind::moment:
      throw Error(ErrorKind::unsupported,
                  "column `" + column.name + "` holds date-times, which are no ids.");
    default:
      throw Error(
          ErrorKind::unsupported,
          "column `" + column.name + "` holds reals, which an engine does not compare as ids.");
  }
}

}  // namespace dp::sql
