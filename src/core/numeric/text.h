// Numbers as text, in one spelling that no locale, platform or length changes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dp {

// The number that the whole of `text` spells, or nothing.
//
// Integers: an optional sign (`-` only for signed types) and decimal digits, within range.
// Floats: an optional sign, then decimal digits with an optional point and exponent ("1.", ".5",
// "1E+02"), or inf, infinity, nan in any case. Rounded to nearest, ties to even; too large is
// infinite. No white space, prefix or separator.
//
// T is any fundamental integer of 8 to 64 bits, float or double.
template <class T>
std::optional<T> parse_number(std::string_view text);

// The fewest digits that read back as the same number, in positional notation without an exponent:
// "1" for 1.0, "-0" for -0.0, "NaN", "inf", "-inf".
template <class T>
std::string format_number(T value);

}  // namespace dp
