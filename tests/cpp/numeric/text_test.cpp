#include "core/numeric/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/numeric/decimal.h"
#include "core/numeric/limits.h"
#include "numeric/oracle.h"
#include "support/tier.h"

namespace dp::text_test {
namespace {

using oracle::Words;

TEST(ParseInteger, TakesAnOptionalSignAndDigitsOnly) {
  EXPECT_EQ(23, parse_number<std::int32_t>("23"));
  EXPECT_EQ(23, parse_number<std::int32_t>("+23"));
  EXPECT_EQ(-23, parse_number<std::int32_t>("-23"));
  EXPECT_EQ(7, parse_number<std::int32_t>("007"));
  EXPECT_EQ(2U, parse_number<std::uint8_t>("+2"));
  for (const char* bad : {"",
                          "+",
                          "-",
                          "+-1",
                          "-+1",
                          "--1",
                          " 1",
                          "1 ",
                          "1.",
                          "1.0",
                          "1e3",
                          "0x1",
                          "1_0",
                          "1,000",
                          "abc",
                          "inf",
                          "\xD9\xA1"}) {
    EXPECT_EQ(std::nullopt, parse_number<std::int32_t>(bad)) << bad;
  }
  EXPECT_EQ(std::nullopt, parse_number<std::uint32_t>("-1"));
  EXPECT_EQ(std::nullopt, parse_number<std::uint32_t>("-0"));
  EXPECT_EQ(std::nullopt, parse_number<std::int32_t>(std::string_view("1\0", 2)));
}

TEST(ParseInteger, RangesEndWhereTheTypeEnds) {
  EXPECT_EQ(127, parse_number<std::int8_t>("127"));
  EXPECT_EQ(std::nullopt, parse_number<std::int8_t>("128"));
  EXPECT_EQ(-128, parse_number<std::int8_t>("-128"));
  EXPECT_EQ(std::nullopt, parse_number<std::uint8_t>("256"));
  EXPECT_EQ(kMax<std::uint64_t>, parse_number<std::uint64_t>("18446744073709551615"));
  EXPECT_EQ(std::nullopt, parse_number<std::uint64_t>("18446744073709551616"));
  EXPECT_EQ(kMin<std::int64_t>, parse_number<std::int64_t>("-9223372036854775808"));
}

TEST(ParseFloat, TakesPointsExponentsAndTheSpecialWords) {
  for (const char* hundred : {"100",
                              "1e+2",
                              "1.e+02",
                              "1.0E+00002",
                              "01.E+02",
                              "+100.",
                              "1E02",
                              "10000e-2",
                              "0000000000000000000000100",
                              "1e000000000000000000000000000002"}) {
    EXPECT_EQ(100, parse_number<double>(hundred)) << hundred;
    EXPECT_EQ(100.0F, parse_number<float>(hundred)) << hundred;
  }
  EXPECT_EQ(1, parse_number<double>("1."));
  EXPECT_EQ(0.5, parse_number<double>(".5"));
  EXPECT_EQ(-0.5, parse_number<double>("-.5"));
  EXPECT_TRUE(std::signbit(*parse_number<double>("-0")));
  for (const char* infinite :
       {"inf", "INF", "Infinity", "+inFinity", "1e309", "1e99999999999999999999"}) {
    EXPECT_EQ(HUGE_VAL, parse_number<double>(infinite)) << infinite;
    EXPECT_EQ(HUGE_VALF, parse_number<float>(infinite)) << infinite;
  }
  EXPECT_EQ(-HUGE_VAL, parse_number<double>("-inf"));
  EXPECT_EQ(HUGE_VALF, parse_number<float>("1e39"));
  for (const char* zero :
       {"0", "0.0", "1e-400", "0e999999999999999999", "1e-99999999999999999999"}) {
    EXPECT_EQ(0, parse_number<double>(zero)) << zero;
  }
  EXPECT_TRUE(std::isnan(*parse_number<double>("nan")));
  EXPECT_TRUE(std::isnan(*parse_number<double>("-NaN")));
}

// The fast path handles plain literals. An exponent selects the general path.
TEST(ParseFloat, PlainLiteralsReadAsThoseWithAnExponent) {
  for (const std::string digits : {"0",
                                   "7",
                                   "00120",
                                   "9007199254740992",
                                   "9007199254740993",
                                   "16777217",
                                   "123456789012345678",
                                   "1234567890123456789"}) {
    for (std::size_t point = 0; point <= digits.size(); ++point) {
      const std::string text = digits.substr(0, point) + "." + digits.substr(point);
      for (const std::string& plain : {digits, text, "-" + text, "+" + text}) {
        EXPECT_EQ(parse_number<double>(plain), parse_number<double>(plain + "e0")) << plain;
        EXPECT_EQ(parse_number<float>(plain), parse_number<float>(plain + "e0")) << plain;
      }
    }
  }
}

// Number that the C++ library reads at the start of `text`, and the number of characters it uses.
std::pair<double, std::ptrdiff_t> read_by_library(const std::string& text) {
  double value = 0;
#ifdef __cpp_lib_to_chars
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {0, 0};
#else
  char* stopped = nullptr;
  value = std::strtod(text.c_str(), &stopped);
#endif
  return {value, stopped - text.data()};
}

// Every text of up to six of these characters, and longer texts around the lengths that are read in
// one piece. The reference is the C++ library, which has no such shortcut.
TEST(ParseFloat, PlainNumbersAreReadAsAllOthersAre) {
  const auto expect_read = [](const std::string& text) {
    const auto [expected, length] = read_by_library(text);
    const bool valid = length > 0 && static_cast<std::size_t>(length) == text.size();
    const std::optional<double> found = parse_number<double>(text);
    EXPECT_EQ(found.has_value(), valid) << text;
    if (found && valid) {
      EXPECT_EQ(*found, expected) << text;
    }
    EXPECT_EQ(parse_number<double>("-" + text).value_or(-1), valid ? -expected : -1) << text;
  };
  const std::string characters = "019./:";
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size() && texts[i].size() < 6; ++i) {
    for (const char c : characters) texts.push_back(texts[i] + c);
  }
  for (std::size_t i = 1; i < texts.size(); ++i) expect_read(texts[i]);
  for (std::size_t size = 1; size <= 20; ++size) {
    const std::string digits = std::string("98765432109876543210").substr(0, size);
    expect_read(digits);
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'.', '/', ':', '\xb0', '\x2f'}) {
        std::string text = digits;
        text[at] = c;
        expect_read(text);
        if (at > 0) {
          text[0] = '.';
          expect_read(text);
        }
      }
    }
  }
}

TEST(ParseFloat, RefusesEverythingElse) {
  for (const char* bad : {"",
                          ".",
                          "+",
                          "-",
                          "+-1",
                          "e5",
                          ".e5",
                          "1e",
                          "1e+",
                          "1e+-2",
                          " 1",
                          "1 ",
                          "\t1",
                          "1\n",
                          "0x1p3",
                          "0x10",
                          "1,5",
                          "1_000",
                          "abc",
                          "nan(1)",
                          "infin",
                          "1.2.3",
                          "1d5",
                          "1f",
                          "NA",
                          "--1",
                          "1e1.5",
                          "\xC2\xA0"
                          "1"}) {
    EXPECT_EQ(std::nullopt, parse_number<double>(bad)) << bad;
    EXPECT_EQ(std::nullopt, parse_number<float>(bad)) << bad;
  }
  EXPECT_EQ(std::nullopt, parse_number<double>(std::string_view("1\0", 2)));
}

// A decimal of up to 25 digits, near the range of doubles or of ordinary size.
std::string any_decimal(Words& words) {
  std::string text;
  const int digits = words.between(1, 25);
  const int point = words.between(0, digits);
  for (int i = 0; i < digits; ++i) {
    if (i == point) text += '.';
    text += static_cast<char>('0' + words.below(10));
  }
  if (words.below(2) == 0) text += "e" + std::to_string(words.between(-30, 30));
  if (text.find('e') == std::string::npos && words.below(4) == 0) {
    text += "E" + std::to_string(words.between(-360, 320));
  }
  return text;
}

// A decimal so close to the midpoint of two neighbours of F that twice F's digits do not decide.
template <class F>
std::string near_halfway(Words& words) {
  const auto x =
      static_cast<F>(std::ldexp(static_cast<F>(words.next() >> 40), words.between(-30, 10)));
  oracle::Mpfr halfway(static_cast<double>(x), 256),
      next(static_cast<double>(std::nextafter(x, F{HUGE_VALF})), 256);
  mpfr_add(halfway.get(), halfway.get(), next.get(), MPFR_RNDN);
  mpfr_div_2ui(halfway.get(), halfway.get(), 1, MPFR_RNDN);
  mpfr_nextabove(halfway.get());
  char text[128];
  mpfr_snprintf(text, sizeof(text), "%.90Re", halfway.get());
  return text;
}

template <class F>
int wrong_parses(std::optional<F> (*parse)(std::string_view), int count) {
  Words words(73);
  oracle::Mpfr exact(4096);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = i % 4 == 0 ? near_halfway<F>(words) : any_decimal(words);
    mpfr_set_str(exact.get(), text.c_str(), 10, MPFR_RNDN);
    wrong += parse(text) != exact.to<F>(MPFR_RNDN);
  }
  return wrong;
}

TEST(ParseFloat, AgreesWithMpfrToTheLastBit) {
  EXPECT_EQ(0, wrong_parses<double>(parse_number<double>, 100000));
  EXPECT_EQ(0, wrong_parses<float>(parse_number<float>, 100000));
}

TEST(ParseFloatMutants, RoundingTwiceIsRejected) {
  const auto through_double = [](std::string_view text) -> std::optional<float> {
    return static_cast<float>(*parse_number<double>(text));
  };
  EXPECT_GT(wrong_parses<float>(through_double, 100000), 0);
}

// Midpoints of doubles have up to 767 digits. One more unit anywhere decides.
TEST(ParseFloat, HalfwayCasesAreDecidedByTheLastDigit) {
  const std::string half = "9007199254740993";  // between 2^53 and 2^53 + 2
  EXPECT_EQ(0x1p53, parse_number<double>(half));
  EXPECT_EQ(0x1p53 + 2, parse_number<double>(half + "." + std::string(900, '0') + "1"));
  EXPECT_EQ(0x1p53, nearest_to_decimal<double>(half + std::string(900, '0'), -900));
  EXPECT_EQ(0x1p53 + 2, nearest_to_decimal<double>(half + std::string(900, '0') + "1", -901));
  EXPECT_EQ(5e-324, parse_number<double>("2.4703282292062328e-324"));
  EXPECT_EQ(0, parse_number<double>("2.4703282292062327e-324"));
}

template <class F>
void check_text_of(F x) {
  const std::string text = format_number(x);
  ASSERT_EQ(x, parse_number<F>(text)) << text;
  ASSERT_EQ(std::string::npos, text.find_first_of("eE")) << text;
  // Compares the platform's digits with ours in exact arithmetic: two methods, one shortest
  // decimal.
  const F positive = std::fabs(x);
  if (positive == 0) return;
  const Decimal shortest = shortest_decimal(positive);
  std::string digits = text.substr(text.front() == '-');
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  digits.erase(0, digits.find_first_not_of('0'));
  digits.erase(digits.find_last_not_of('0') + 1);
  ASSERT_EQ(shortest.digits, digits) << text;
  ASSERT_EQ(positive, nearest_to_decimal<F>(shortest.digits, shortest.exponent)) << text;
}

TEST(FormatFloat, TheShortestDigitsReadBackInBothFormats) {
  Words words(79);
  for (const double x : oracle::edges<double>()) check_text_of(x);
  for (const float x : oracle::edges<float>()) check_text_of(x);
  for (int exponent = -1074; exponent < 1024; ++exponent) check_text_of(std::ldexp(1.0, exponent));
  for (int exponent = -149; exponent < 128; ++exponent) check_text_of(std::ldexp(1.0F, exponent));
  for (int i = 0; i < test::in_tier(1300, 4000); ++i) {
    check_text_of(oracle::any_finite<double>(words));
    check_text_of(oracle::any_finite<float>(words));
  }
}

TEST(FormatFloat, IsPositionalWithoutAnExponent) {
  EXPECT_EQ("1", format_number(1.0));
  EXPECT_EQ("-0", format_number(-0.0));
  EXPECT_EQ("0", format_number(0.0));
  EXPECT_EQ("0.1", format_number(0.1));
  EXPECT_EQ("0.1", format_number(0.1F));
  EXPECT_EQ("-2.5", format_number(-2.5));
  EXPECT_EQ("100000000000000000000000", format_number(1e23));
  EXPECT_EQ("16777216", format_number(16777216.0F));
  EXPECT_EQ("0.0000001", format_number(1e-7));
  EXPECT_EQ("0." + std::string(323, '0') + "5", format_number(5e-324));
  EXPECT_EQ("NaN", format_number(-std::nan("")));
  EXPECT_EQ("inf", format_number(HUGE_VAL));
  EXPECT_EQ("-inf", format_number(-HUGE_VALF));
}

TEST(FormatInteger, IsDecimal) {
  EXPECT_EQ("-128", format_number(std::int8_t{-128}));
  EXPECT_EQ("65", format_number(std::uint8_t{65}));
  EXPECT_EQ("18446744073709551615", format_number(kMax<std::uint64_t>));
  EXPECT_EQ("-9223372036854775808", format_number(kMin<std::int64_t>));
}

// A locale with a decimal comma, if the system has one, changes nothing.
TEST(Text, NoLocaleIsConsulted) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    EXPECT_EQ(1.5, parse_number<double>("1.5")) << name;
    EXPECT_EQ(0.1234567890123456789, parse_number<double>("0.1234567890123456789")) << name;
    EXPECT_EQ("1.5", format_number(1.5)) << name;
    EXPECT_EQ("1234567", format_number(1234567)) << name;
  }
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace dp::text_test
