// The words in which engines differ: names, literals, and the few functions that statements use.
//
// No piece can fail on any value of its arguments' types, and none reads a setting of the session:
// text is compared as bytes, literals are exact, and whole numbers have 64 bits wherever they
// stand. Of rounding, there is only that of the lattice. Each function says why where it is not
// plain; all of it was compared with the kernel's integers on random tables (queries_v2, 3.1-3.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dp::sql {

enum class Dialect : std::uint8_t { postgresql, duckdb, spark };
// In the order of the dialects.
constexpr const char* kDialectNames[] = {"postgresql", "duckdb", "spark"};

// What a column of a statement holds: a truth value, a 64-bit integer, a finite double, or bytes of
// a text, which are compared as such. Each may be missing.
enum class Form : std::uint8_t { truth, whole, real, bytes };

// A name in quotes. Throws source for what is no UTF-8, is empty, or holds a zero byte: no engine
// has such names; for one of more than 63 bytes in PostgreSQL, which would cut it to that of
// another column; and in Spark for `${`, which it would replace within the quotes.
std::string quoted_name(Dialect dialect, std::string_view name);

// Literals. Every one is in ASCII and needs no setting to be read as it was written. Reals have 17
// digits.
std::string digits(std::int64_t value);                             // to compare with
std::string whole_literal(std::int64_t value);                      // as a value, in 64 bits
std::string real_literal(Dialect dialect, double value);            // finite
std::string bytes_literal(Dialect dialect, std::string_view text);  // of any bytes
std::string no_value(Dialect dialect, Form form);

// The engine's own text as bytes: whatever its type and collation are, equal bytes and no others
// are equal. DuckDB and Spark keep zero bytes, which are no value elsewhere.
std::string bytes_of_text(Dialect dialect, const std::string& text);

// Whether a text is UTF-8: only Spark keeps others.
std::string is_valid_text(Dialect dialect, const std::string& text);

// The engine's text without the zeros before its first other digit: without_leading_zeros() of
// query/text_values.h.
std::string without_leading_zeros(Dialect dialect, const std::string& text);

// A whole number's decimal digits.
std::string bytes_of_whole(Dialect dialect, const std::string& whole);

// Bytes one after the other; of no part if any is missing.
std::string joined(Dialect dialect, const std::vector<std::string>& parts);

// The number of bytes, a colon and the bytes: e() of ranks.h.
std::string measured(Dialect dialect, const std::string& bytes);

// SHA-256 in hexadecimal digits, which sort as the hash does.
std::string hashed(Dialect dialect, const std::string& bytes);

// A double that is whole, of at most 2^53 in magnitude, as an integer.
std::string exact_whole(Dialect dialect, const std::string& real);
std::string as_real(Dialect dialect, const std::string& whole);

// The date of a date-time without a zone, in the engine's type. No such cast can fail.
std::string day_of_moment(const std::string& moment);

// Dates from year 1 to 9999, and days since 1970-01-01.
std::string date_literal(std::int64_t days);
std::string days_of(Dialect dialect, const std::string& date);
std::string date_of(Dialect dialect, const std::string& days);
std::string bytes_of_date(Dialect dialect, const std::string& days);  // 2026-11-22

// Towards zero, of a divisor that is not 0.
std::string whole_quotient(Dialect dialect, const std::string& a, const std::string& b);

// What leaves the engine is text, never empty and never missing: drivers make doubles of integers
// and re-encode texts.
std::string whole_out(Dialect dialect, const std::string& whole);
std::string bytes_out(Dialect dialect, const std::string& bytes);

// The sum of a column of at most `most` in magnitude, or 0. Exact and unable to overflow:
// PostgreSQL adds up in numeric, DuckDB in 128 bits, which 2^63 rows do not fill; Spark's 64 bits
// take two halves, low ones of 26 bits, which 2^36 rows do not fill if most <= 2^53. Throws
// unsupported for more in Spark.
std::string sum_out(Dialect dialect, const std::string& whole, std::int64_t most);

}  // namespace dp::sql
