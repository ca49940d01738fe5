// SQL that differs between engines: names, literals, and the few functions that statements use.
//
// No expression can fail on any value of its arguments' types, and none depends on session
// settings. Text is compared as bytes, literals are exact, and whole numbers have 64 bits
// everywhere. Only lattices round. A function states its reason if it is not obvious. Tests
// compared all of it with the kernel's integers on random tables (queries_v2, 3.1-3.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dp::sql {

enum class Dialect : std::uint8_t { postgresql, duckdb, spark };
// In the order of the dialects.
constexpr const char* kDialectNames[] = {"postgresql", "duckdb", "spark"};

// The form of a column's values: a truth value, a 64-bit integer, a finite double, or the bytes of
// a text, which are compared as bytes. Each can be missing.
enum class Form : std::uint8_t { truth, whole, real, bytes };

// Quotes a name. Throws source if it is not UTF-8, is empty, or holds a zero byte: no engine has
// such names. In PostgreSQL also for names of more than 63 bytes, which it would cut, possibly to
// the name of a different column. In Spark also for `${`, which it would substitute inside quotes.
std::string quoted_name(Dialect dialect, std::string_view name);

// Literals. All are ASCII, and no setting changes their meaning. Reals have 17 digits.
std::string digits(std::int64_t value);                             // to compare with
std::string whole_literal(std::int64_t value);                      // as a value, in 64 bits
std::string real_literal(Dialect dialect, double value);            // finite
std::string bytes_literal(Dialect dialect, std::string_view text);  // of any bytes
std::string no_value(Dialect dialect, Form form);

// Converts the engine's text to bytes: for any type and collation, bytes are equal if and only if
// the texts are identical. DuckDB and Spark keep zero bytes, which are not valid in other sources.
std::string bytes_of_text(Dialect dialect, const std::string& text);

// Whether a text is UTF-8: only Spark stores invalid text.
std::string is_valid_text(Dialect dialect, const std::string& text);

// Removes the zeros before the first other digit of a text: without_leading_zeros() of
// query/text_values.h.
std::string without_leading_zeros(Dialect dialect, const std::string& text);

// Decimal digits of a whole number.
std::string bytes_of_whole(Dialect dialect, const std::string& whole);

// Concatenates bytes; missing if any part is missing.
std::string joined(Dialect dialect, const std::vector<std::string>& parts);

// The number of bytes, a colon and the bytes: e() of ranks.h.
std::string measured(Dialect dialect, const std::string& bytes);

// SHA-256 in hexadecimal digits, which sort as the hash does.
std::string hashed(Dialect dialect, const std::string& bytes);

// Converts a whole double, of at most 2^53 in magnitude, to an integer.
std::string exact_whole(Dialect dialect, const std::string& real);
std::string as_real(Dialect dialect, const std::string& whole);

// The date of a date-time without a zone, in the engine's type. This cast cannot fail.
std::string day_of_moment(const std::string& moment);

// Dates from year 1 to 9999, and days since 1970-01-01.
std::string date_literal(std::int64_t days);
std::string days_of(Dialect dialect, const std::string& date);
std::string date_of(Dialect dialect, const std::string& days);
std::string bytes_of_date(Dialect dialect, const std::string& days);  // 2026-11-22

// Divides toward zero; the divisor must not be 0.
std::string whole_quotient(Dialect dialect, const std::string& a, const std::string& b);

// Results leave the engine as text, never empty and never missing, because drivers convert integers
// to doubles and re-encode texts.
std::string whole_out(Dialect dialect, const std::string& whole);
std::string bytes_out(Dialect dialect, const std::string& bytes);

// Sums a column of magnitude at most `most`; 0 without rows. The sum is exact and cannot overflow.
// PostgreSQL adds in numeric, and DuckDB in 128 bits, enough for 2^63 rows. Spark adds two halves
// in 64 bits each, with low halves of 26 bits, enough for 2^36 rows if most <= 2^53. Throws
// unsupported for larger values in Spark.
std::string sum_out(Dialect dialect, const std::string& whole, std::int64_t most);

}  // namespace dp::sql
