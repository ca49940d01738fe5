// SQL that differs between engines: names, literals, and the few functions that statements use. An
// engine that counts is a class in engines/<name>.cpp that derives from Dialect.
//
// No expression can fail on any value of its arguments' types, and none depends on session
// settings. Text is compared as bytes, literals are exact, and whole numbers have 64 bits
// everywhere. Only lattices round. A function states its reason if it is not obvious. Tests
// compared all of it with the kernel's integers on random tables (queries_v2, 3.1-3.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sql/data_source.h"
#include "core/sql/text.h"

namespace dp::sql {

// The form of a column's values: a truth value, a 64-bit integer, a finite double, or the bytes of
// a text, which are compared as bytes. Each can be missing.
enum class Form : std::uint8_t { truth, whole, real, bytes };

class Dialect : public DataSource {
 public:
  const Dialect* dialect() const final { return this; }

  // Engines disagree on whether a text that is not a day raises an error.
  const char* rule(const std::string& kind, Declaration declaration) const override;
  std::string conversion(const ColumnType& type, Declaration declaration) const override;
  const char* conversion_place() const override;

  // Quotes a name. Throws source if it is not UTF-8, is empty, or holds a zero byte: no engine has
  // such names. Also throws if the engine would read a different name.
  std::string quoted_name(std::string_view name) const;

  // Literals. All are ASCII, and no setting changes their meaning. Reals have 17 digits.
  std::string real_literal(double value) const;                        // finite
  virtual std::string bytes_literal(std::string_view text) const = 0;  // of any bytes
  std::string no_value(Form form) const;

  // Converts the engine's text to bytes: for any type and collation, bytes are equal if and only if
  // the texts are identical. Missing for a text with a zero byte, which other sources reject.
  virtual std::string bytes_of_text(const std::string& text) const = 0;

  // Whether a text is UTF-8, if the engine can store invalid text.
  virtual std::string is_valid_text(const std::string& text) const;

  // Removes the zeros before the first other digit of a text: without_leading_zeros() of
  // query/text_values.h. A pattern must have no backslash, whose meaning depends on settings.
  virtual std::string without_leading_zeros(const std::string& text) const = 0;

  // Decimal digits of a whole number.
  std::string bytes_of_whole(const std::string& whole) const;

  // Concatenates bytes; missing if any part is missing.
  virtual std::string joined(const std::vector<std::string>& parts) const;

  // The number of bytes, a colon and the bytes: e() of ranks.h.
  std::string measured(const std::string& bytes) const;

  // SHA-256 in hexadecimal digits, which sort as the hash does.
  virtual std::string hashed(const std::string& bytes) const = 0;

  // Converts a whole double, of at most 2^53 in magnitude, to an integer.
  virtual std::string exact_whole(const std::string& real) const;
  std::string as_real(const std::string& whole) const;

  // Whether decimals are compared as decimals, because a cast to a double can fail. Otherwise the
  // cast loses nothing that a declaration needs.
  virtual bool keeps_decimals() const;

  // The function that divides reals, missing for a divisor of 0. Null if products or quotients of
  // reals can raise an error or depend on a setting: rows are then read into R.
  virtual const char* real_quotient() const;

  // Days since 1970-01-01.
  virtual std::string days_of(const std::string& date) const;
  virtual std::string date_of(const std::string& days) const;
  virtual std::string bytes_of_date(const std::string& days) const;  // 2026-11-22

  // Divides toward zero; the divisor must not be 0.
  virtual std::string whole_quotient(const std::string& a, const std::string& b) const = 0;

  // The number of links of a chain (chain.h) that the engine can plan with its default settings.
  virtual std::size_t most_links() const;

  // Results leave the engine as text, never empty and never missing, because drivers convert
  // integers to doubles and re-encode texts.
  std::string whole_out(const std::string& whole) const;
  virtual std::string bytes_out(const std::string& bytes) const;

  // Sums a column of magnitude at most `most`; 0 without rows. The sum must be exact and must not
  // overflow: a wider type than 64 bits, enough for 2^63 rows. An engine without such a type
  // returns two halves with a comma between (ingest.h). Throws unsupported if `most` is too large.
  virtual std::string sum_out(const std::string& whole, std::int64_t most) const;

  // The sum of a person's rows, in a type that cannot overflow; 0 without rows. `bounds` are the
  // bounds of the values, if known. Throws unsupported if the type is not wide enough for them.
  using WholeBounds = std::optional<std::pair<std::int64_t, std::int64_t>>;
  virtual std::string wide_sum(const std::string& whole, const WholeBounds& bounds) const;

 protected:
  // For messages: the type to cast a column to, and whether a type is of instants, which need a
  // time zone, with the code that converts the column `x` of instants to days.
  virtual std::string type_for(Declaration declaration) const = 0;  // reals and texts
  virtual bool is_instant(const std::string& type) const;
  virtual const char* day_of_instant() const;

  // Quotes a name that is plain UTF-8.
  virtual std::string quoted(std::string_view name) const;
  virtual const char* text_type() const = 0;
  virtual const char* real_type() const;
  virtual std::string no_bytes() const = 0;
  // Converts digits in the engine's text type to bytes.
  virtual std::string bytes_of_digits(const std::string& text) const = 0;
};

}  // namespace dp::sql
