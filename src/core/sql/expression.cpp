#include "core/sql/expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/expressions/calendar.h"
#include "core/expressions/rounding.h"
#include "core/expressions/row_batch.h"
#include "core/numeric/lattice.h"
#include "core/query/coerce.h"
#include "core/sql/trees.h"

namespace dp::sql {
namespace {

using query::Bound;
using query::Field;
using query::FieldType;
using query::Operator;

[[noreturn]] void refuse_in_engine(const std::string& what) {
  throw Error(ErrorKind::unsupported, what + " cannot be computed in the engine itself.");
}

bool is_untyped_literal(const Bound& bound) {
  return bound.op == Operator::literal && bound.wholes.empty() && bound.reals.empty();
}

class ExpressionWriter {
 public:
  ExpressionWriter(const Columns& columns, const query::TextPool& texts, Chain& chain)
      : columns_(columns), texts_(texts), chain_(chain), dialect_(chain.dialect()) {}

  // A truth value in arithmetic is 0 or 1.
  std::string value(const Bound& bound) {
    const std::string text = written(bound);
    if (natural_form(bound) != Form::truth || form_of(bound.type) != Form::whole) return text;
    return "CASE " + text + " WHEN TRUE THEN " + whole_literal(1) + " WHEN FALSE THEN " +
           whole_literal(0) + " END";
  }

 private:
  // The SQL form, which can differ from the type: logicals become integers without an operator.
  Form natural_form(const Bound& bound) const {
    switch (bound.op) {
      case Operator::column:
        return columns_[bound.column]->form;
      case Operator::literal:
        return is_untyped_literal(bound) ? Form::truth : form_of(bound.type);
      case Operator::coalesce:
      case Operator::least:
      case Operator::most:
        return form_of(bound.args[0]->type);
      case Operator::if_else:
      case Operator::case_when:
        return form_of(bound.args.back()->type);
      case Operator::equal:
      case Operator::unequal:
      case Operator::less:
      case Operator::less_equal:
      case Operator::both:
      case Operator::either:
      case Operator::negation:
      case Operator::is_missing:
      case Operator::is_in:
        return Form::truth;
      default:
        return form_of(bound.type);
    }
  }

  std::string arg(const Bound& bound, std::size_t i) { return value(*bound.args[i]); }

  // Name of a column that holds the argument.
  std::string named_arg(const Bound& bound, std::size_t i) {
    const Bound& of = *bound.args[i];
    const bool is_name = of.op == Operator::column && columns_[of.column]->form == form_of(of.type);
    if (is_name) return columns_[of.column]->name;
    return chain_.add(value(of), form_of(of.type)).name;
  }

  std::string between_args(const Bound& bound, const char* op) {
    const std::string a = arg(bound, 0);
    return "(" + a + " " + op + " " + arg(bound, 1) + ")";
  }

  std::string literal(const Bound& bound) const {
    if (is_untyped_literal(bound)) return dialect_.no_value(Form::truth);
    return literal_value(dialect_,
                         bound.type,
                         bound.wholes.empty() ? query::kNone : bound.wholes[0],
                         bound.reals.empty() ? query::kNoReal : bound.reals[0],
                         texts_);
  }

  std::string written(const Bound& bound) {
    switch (bound.op) {
      case Operator::column:
        return columns_[bound.column]->name;
      case Operator::literal:
        return literal(bound);
      case Operator::to_real:
        return dialect_.as_real(arg(bound, 0));
      case Operator::lookup:
        return found_in_table(bound);
      case Operator::cut:
        return cell_of_cut(bound);
      case Operator::year:
        return part_of_date(bound, "YEAR");
      case Operator::month:
        return part_of_date(bound, "MONTH");
      case Operator::day:
        return part_of_date(bound, "DAY");
      case Operator::day_of_year:
        return part_of_date(bound, "DOY");
      case Operator::day_of_week:
        return day_of_week(named_arg(bound, 0), bound.wholes[0]);
      case Operator::first_day:
        return first_day(named_arg(bound, 0), {bound.wholes[0], bound.wholes[1]});
      case Operator::coalesce:
      case Operator::if_else:
      case Operator::case_when:
      case Operator::least:
      case Operator::most:
        return chosen(bound);
      case Operator::none_if:
        return value_unless_equal(bound);
      case Operator::rounded:
        return rounded(bound);
      case Operator::on_lattice:
        refuse_in_engine(name_of_function(*bound.args[0]));
      case Operator::magnitude: {
        const std::string x = named_arg(bound, 0);
        return "CASE WHEN " + x + " < 0 THEN -" + x + " ELSE " + x + " END";
      }
      default:
        return natural_form(bound) == Form::truth ? condition(bound) : computed(bound);
    }
  }

  std::string condition(const Bound& bound) {
    switch (bound.op) {
      case Operator::equal:
        return between_args(bound, "=");
      case Operator::unequal:
        return between_args(bound, "<>");
      case Operator::less:
        return between_args(bound, "<");
      case Operator::less_equal:
        return between_args(bound, "<=");
      case Operator::both:
        return between_args(bound, "AND");
      case Operator::either:
        return between_args(bound, "OR");
      case Operator::negation:
        return "(NOT " + arg(bound, 0) + ")";
      case Operator::is_missing:
        return "(" + arg(bound, 0) + " IS NULL)";
      case Operator::is_in:
        return membership(bound);
      default:
        refuse_in_engine("a condition");
    }
  }

  std::string membership(const Bound& bound) {
    std::vector<std::string> values;
    const Field& type = bound.args[0]->type;
    for (const std::int64_t whole : bound.wholes) {
      if (type.type == FieldType::text && !query::is_plain_text(texts_.text(whole))) continue;
      values.push_back(literal_value(dialect_, type, whole, 0, texts_));
    }
    for (const double real : bound.reals) {
      values.push_back(literal_value(dialect_, type, 0, real, texts_));
    }
    const std::string of = arg(bound, 0);
    if (values.empty()) return bound.takes_missing ? "(" + of + " IS NULL)" : "FALSE";
    std::sort(values.begin(), values.end());
    std::string list;
    for (const std::string& each : values) list += (list.empty() ? "" : ", ") + each;
    return "COALESCE(" + of + " IN (" + list + "), " + (bound.takes_missing ? "TRUE" : "FALSE") +
           ")";
  }

  std::string chosen(const Bound& bound) {
    if (bound.op == Operator::coalesce) {
      std::string list;
      for (std::size_t i = 0; i < bound.args.size(); ++i)
        list += (i > 0 ? ", " : "") + arg(bound, i);
      return "COALESCE(" + list + ")";
    }
    if (bound.op == Operator::if_else) {
      const std::string when = arg(bound, 0);
      const std::string then = arg(bound, 1);
      const std::string otherwise = arg(bound, 2);
      const std::string missing = bound.args.size() == 4 ? " ELSE " + arg(bound, 3) : "";
      return "CASE " + when + " WHEN TRUE THEN " + then + " WHEN FALSE THEN " + otherwise +
             missing + " END";
    }
    if (bound.op == Operator::case_when) {
      const std::size_t conditions = bound.args.size() / 2;
      std::string text = "CASE";
      for (std::size_t i = 0; i < conditions; ++i) {
        const std::string when = arg(bound, i);
        text += " WHEN " + when + " THEN " + arg(bound, conditions + i);
      }
      return text + " ELSE " + arg(bound, 2 * conditions) + " END";
    }
    // Compares two arguments; missing if one is.
    const char* const op = bound.op == Operator::least ? " < " : " > ";
    std::string best = named_arg(bound, 0);
    for (std::size_t i = 1; i < bound.args.size(); ++i) {
      const std::string other = named_arg(bound, i);
      best = "CASE WHEN " + other + op + best + " THEN " + other + " WHEN " + other +
             " IS NOT NULL THEN " + best + " END";
      best = chain_.add(best, form_of(bound.args[0]->type)).name;
    }
    return best;
  }

  std::string value_unless_equal(const Bound& bound) {
    const std::string first = arg(bound, 0);
    const std::string second = arg(bound, 1);
    if (bound.args.size() == 2) return "NULLIF(" + first + ", " + second + ")";
    return "CASE WHEN " + second + " = " + arg(bound, 2) + " THEN " +
           dialect_.no_value(form_of(bound.type)) + " ELSE " + first + " END";
  }

  // Rounds as rounding.h does.
  std::string rounded(const Bound& bound) {
    const std::int64_t digits = bound.wholes[1];
    const bool is_real = in_reals(bound.args[0]->type);
    if (is_real && digits != 0) refuse_in_engine("`round()` of reals to other than 0 digits");
    const std::string x = named_arg(bound, 0);
    if (!is_real) return rounded_to_step(x, -digits);
    switch (static_cast<query::Rounding>(bound.wholes[0])) {
      case query::Rounding::down:
        return dialect_.exact_whole("floor(" + x + ")");
      case query::Rounding::up:
        return dialect_.exact_whole("ceil(" + x + ")");
      case query::Rounding::to_zero:
        return "CASE WHEN " + x + " < " + dialect_.real_literal(0) + " THEN " +
               dialect_.exact_whole("ceil(" + x + ")") + " ELSE " +
               dialect_.exact_whole("floor(" + x + ")") + " END";
      default:
        break;
    }
    const std::string shift = dialect_.real_literal(kLatticeShift);
    return dialect_.exact_whole("((" + x + " + " + shift + ") - " + shift + ")");
  }

  std::string rounded_to_step(const std::string& x, std::int64_t zeros) {
    std::int64_t step = 1;
    for (std::int64_t i = 0; i < zeros; ++i) step *= 10;
    const std::string by = whole_literal(step);
    const std::string two = whole_literal(2);
    const std::string rest =
        chain_.add("(((" + x + " % " + by + ") + " + by + ") % " + by + ")", Form::whole).name;
    const std::string below = chain_.add("(" + x + " - " + rest + ")", Form::whole).name;
    const std::string odd = "(" + dialect_.whole_quotient(below, by) + " % " + two + ") <> 0";
    return "CASE WHEN " + two + " * " + rest + " > " + by + " OR (" + two + " * " + rest + " = " +
           by + " AND " + odd + ") THEN " + below + " + " + by + " ELSE " + below + " END";
  }

  static std::string name_of_function(const Bound& bound) {
    switch (bound.op) {
      case Operator::root:
        return "`sqrt()`";
      case Operator::exponential:
        return "`exp()`";
      case Operator::logarithm_of_one_more:
        return "`log1p()`";
      default:
        return "`log()`";
    }
  }

  static bool is_counted_off(const std::vector<std::int64_t>& wholes) {
    for (std::size_t i = 0; i < wholes.size(); ++i) {
      if (wholes[i] != static_cast<std::int64_t>(i)) return false;
    }
    return true;
  }

  // A level is kept as its index.
  std::string found_in_table(const Bound& bound) {
    const bool is_index = bound.type.type == FieldType::integer && is_counted_off(bound.wholes);
    if (is_index) return named_arg(bound, 0);
    std::vector<std::pair<std::string, std::string>> points;
    for (std::size_t i = 0; i < bound.wholes.size(); ++i) {
      points.emplace_back(digits(static_cast<std::int64_t>(i)),
                          literal_value(dialect_, bound.type, bound.wholes[i], 0, texts_));
    }
    if (points.empty()) return dialect_.no_value(form_of(bound.type));
    return matched(named_arg(bound, 0), points);
  }

  // From the break below, without it, to the one above.
  std::string cell_of_cut(const Bound& bound) {
    std::vector<std::string> breaks;
    for (const double at : bound.reals) breaks.push_back(dialect_.real_literal(at));
    const std::string none = dialect_.no_value(Form::whole);
    const auto cell = [&](std::size_t i) {
      const bool inside = i > 0 && i < breaks.size();
      return inside ? whole_literal(static_cast<std::int64_t>(i - 1)) : none;
    };
    return looked_up(named_arg(bound, 0), breaks, cell, cell);
  }

  std::string part_of_date(const Bound& bound, const char* part) {
    return part_of_day(arg(bound, 0), part);
  }

  std::string part_of_day(const std::string& day, const char* part) const {
    return "CAST(EXTRACT(" + std::string(part) + " FROM " + dialect_.date_of(day) + ") AS BIGINT)";
  }

  // As in calendar.h.
  std::string day_of_week(const std::string& day, std::int64_t week_start) const {
    constexpr std::int64_t kWeeks = 7 * 200000;
    return "((" + day + " + " + whole_literal(4 - week_start + kWeeks) + ") % " + whole_literal(7) +
           " + " + whole_literal(1) + ")";
  }

  std::string first_day(const std::string& day, const query::Period& period) {
    if (period.months == 0) {
      const std::string first =
          "(" + day + " - " + day_of_week(day, period.week_start) + " + " + whole_literal(1) + ")";
      return "CASE WHEN " + first + " >= " + digits(query::kFirstDay) + " THEN " + first + " END";
    }
    if (period.months == 1) return first_of_month(day);
    // From the middle of a month, 30 days a month lead to the right one.
    const std::string passed = "((" + part_of_day(day, "MONTH") + " - " + whole_literal(1) +
                               ") % " + whole_literal(period.months) + ")";
    const std::string in_month = first_of_month(day) + " + " + whole_literal(14) + " - " +
                                 whole_literal(30) + " * " + passed;
    return first_of_month(chain_.add(in_month, Form::whole).name);
  }

  std::string first_of_month(const std::string& day) const {
    return "(" + day + " - " + part_of_day(day, "DAY") + " + " + whole_literal(1) + ")";
  }

  std::string computed(const Bound& bound) {
    switch (bound.op) {
      case Operator::minus:
        return "(-" + arg(bound, 0) + ")";
      case Operator::add:
        return between_args(bound, "+");
      case Operator::subtract:
        return between_args(bound, "-");
      case Operator::multiply:
        return in_reals(bound.type) ? real_product(bound) : between_args(bound, "*");
      case Operator::divide:
        return real_quotient(bound);
      case Operator::floor_divide:
      case Operator::modulo:
        return floored(bound);
      default:
        refuse_in_engine("a function of reals");
    }
  }

  // Engines divide towards zero, R downwards.
  std::string floored(const Bound& bound) {
    const std::int64_t divisor = bound.args[1]->wholes.at(0);
    const std::string a = named_arg(bound, 0);
    const std::string b = whole_literal(divisor);
    const std::string rest = "(" + a + " % " + b + ")";
    const std::string is_off = "CASE WHEN " + rest + (divisor > 0 ? " < 0" : " > 0");
    const std::string zero = " ELSE " + whole_literal(0) + " END";
    if (bound.op == Operator::modulo)
      return "(" + rest + " + " + is_off + " THEN " + b + zero + ")";
    return "(" + dialect_.whole_quotient(a, b) + " - " + is_off + " THEN " + whole_literal(1) +
           zero + ")";
  }

  std::string real_product(const Bound& bound) {
    if (dialect_.real_quotient() == nullptr) refuse_in_engine("a product of reals");
    return between_args(bound, "*");
  }

  std::string real_quotient(const Bound& bound) {
    const char* const divide = dialect_.real_quotient();
    if (divide == nullptr) refuse_in_engine("a quotient of reals");
    const std::string a = arg(bound, 0);
    const std::string q =
        chain_.add(std::string(divide) + "(" + a + ", " + arg(bound, 1) + ")", Form::real).name;
    const std::string most = dialect_.real_literal(std::numeric_limits<double>::max());
    return "CASE WHEN " + q + " <= " + most + " AND -" + q + " <= " + most + " THEN " + q + " END";
  }

  const Columns& columns_;
  const query::TextPool& texts_;
  Chain& chain_;
  const Dialect& dialect_;
};

}  // namespace

Form form_of(const Field& field) {
  switch (field.type) {
    case FieldType::logical:
      return Form::truth;
    case FieldType::real:
      return Form::real;
    case FieldType::text:
      return Form::bytes;
    default:
      return Form::whole;
  }
}

SqlColumn written_value(const Bound& expression,
                        const Columns& columns,
                        const query::TextPool& texts,
                        Chain& chain) {
  const std::string text = ExpressionWriter(columns, texts, chain).value(expression);
  return {text, form_of(expression.type)};
}

std::string literal_value(const Dialect& dialect,
                          const Field& type,
                          std::int64_t whole,
                          double real,
                          const query::TextPool& texts) {
  const Form form = form_of(type);
  if (form == Form::real) {
    return real == real ? dialect.real_literal(real) : dialect.no_value(form);
  }
  if (whole == query::kNone) return dialect.no_value(form);
  if (form == Form::truth) return whole != 0 ? "TRUE" : "FALSE";
  if (form == Form::bytes) {
    if (!query::is_plain_text(texts.text(whole))) refuse_in_engine("text that is no UTF-8");
    return dialect.bytes_literal(texts.text(whole));
  }
  const bool date = type.type == FieldType::date;
  if (date && (whole < query::kFirstDay || whole > query::kLastDay)) {
    refuse_in_engine("a date beyond the years 1 to 9999");
  }
  return whole_literal(whole);
}

bool stays_whole(const query::Quantiser& quantiser) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return quantiser.exponent == 0 && std::fabs(quantiser.lower) <= kExact &&
         std::fabs(quantiser.upper) <= kExact;
}

namespace {

std::string quantised_whole(const std::string& x,
                            const query::Quantiser& quantiser,
                            const std::string& minus_offset,
                            const std::string& fill) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::string lower = digits(static_cast<std::int64_t>(std::ceil(quantiser.lower)));
  const std::string upper = digits(static_cast<std::int64_t>(std::floor(quantiser.upper)));
  return "CASE WHEN " + x + " > " + lower + " AND " + x + " < " + upper + " THEN " + x +
         minus_offset + " WHEN " + x + " >= " + upper + " THEN " + whole_literal(quantiser.most) +
         " WHEN " + x + " >= " + digits(-kMost) + " THEN " + whole_literal(quantiser.least) +
         " ELSE " + fill + " END";
}

}  // namespace

std::string quantised_value(const Dialect& dialect,
                            const SqlColumn& x,
                            const query::Quantiser& quantiser) {
  const auto z = [](std::int64_t point) { return whole_literal(point); };
  const std::string fill = quantiser.fill ? z(*quantiser.fill) : dialect.no_value(Form::whole);
  const std::string minus_offset = quantiser.offset == 0 ? "" : " - " + z(quantiser.offset);
  if (x.form == Form::whole && stays_whole(quantiser)) {
    return quantised_whole(x.name, quantiser, minus_offset, fill);
  }
  const std::string real = x.form == Form::real ? x.name : dialect.as_real(x.name);
  const auto number = [&](double value) { return dialect.real_literal(value); };
  const std::string lower = number(quantiser.lower);
  const std::string shift = number(kLatticeShift);
  const std::string index = "(" + real + " * " + number(Lattice{quantiser.exponent}.reciprocal()) +
                            " + " + shift + ") - " + shift;
  std::string text = "CASE";
  if (quantiser.exponent > 0) {
    const double half_step = std::ldexp(1.0, quantiser.exponent - 1);
    const auto zero = std::min(std::max(-quantiser.offset, quantiser.least), quantiser.most);
    text += " WHEN " + real + " >= " + number(-half_step) + " AND " + real +
            " <= " + number(half_step) + " THEN " + z(zero);
  }
  return text + " WHEN " + real + " > " + lower + " AND " + real + " < " + number(quantiser.upper) +
         " THEN " + dialect.exact_whole(index) + minus_offset + " WHEN " + real + " <= " + lower +
         " THEN " + z(quantiser.least) + " WHEN -" + real + " <= " + number(-quantiser.upper) +
         " THEN " + z(quantiser.most) + " ELSE " + fill + " END";
}

}  // namespace dp::sql
