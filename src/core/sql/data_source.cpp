#include "core/sql/data_source.h"

#include <array>
#include <iterator>
#include <map>

namespace dp::sql {
namespace {

constexpr std::size_t kDeclarations = std::size(kDeclarationNames);

// How a kind of column is read under each declaration: "" unchanged, "!" not at all, else the rule.
using KindRules = std::array<const char*, kDeclarations>;

constexpr const char* kTruth = "FALSE is 0 and TRUE is 1";
constexpr const char* kNearest = "rounds to the nearest whole number, ties to even";
constexpr const char* kWholeLevels = "a number that is no level is missing";
constexpr const char* kTextLevels = "a text that is no level is missing";
constexpr const char* kTextNumbers =
    "reads texts such as 1 and 01; one that is no level is missing";
constexpr const char* kIsoDates =
    "reads texts such as 2026-01-31, also before "
    "a time; all others are missing";
constexpr const char* kValueLabels = "value labels are levels, with `levels = \"public\"`";
constexpr const char* kDayInZone = "the day in the time zone `tz`, which you declare";
constexpr const char* kDayOfMoment = "the day that the date-time says";

const std::map<std::string, KindRules>& rules_of_kinds() {
  static const std::map<std::string, KindRules> rules{
      //              flag  int        num  labels        numbers       text              date  id
      {"logical", {"", kTruth, kTruth, "!", kTruth, "!", "!", ""}},
      {"whole", {"!", "", "", "!", kWholeLevels, "!", "!", ""}},
      {"real", {"!", kNearest, "", "!", kWholeLevels, "!", "!", ""}},
      {"decimal", {"!", kNearest, "", "!", kWholeLevels, "!", "!", "!"}},
      {"text", {"!", "!", "!", kTextLevels, kTextNumbers, "", kIsoDates, ""}},
      {"date", {"!", "!", "!", "!", "!", "!", "", ""}},
      {"labelled", {"!", kNearest, "", kValueLabels, kWholeLevels, "!", "!", ""}},
      {"time", {"!", "!", "!", "!", "!", "!", kDayInZone, "!"}},
      {"moment", {"!", "!", "!", "!", "!", "!", kDayOfMoment, "!"}},
      {"", {"!", "!", "!", "!", "!", "!", "!", "!"}},
  };
  return rules;
}

std::string without_parentheses(const std::string& type) {
  const std::size_t open = type.find('(');
  const std::size_t close = type.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return type;
  return type.substr(0, open) + type.substr(close + 1);
}

}  // namespace

const Dialect* DataSource::dialect() const { return nullptr; }

std::string DataSource::type_name(const std::string& type) const {
  return without_parentheses(type);
}

const char* DataSource::rule(const std::string& kind, Declaration declaration) const {
  return rules_of_kinds().at(kind)[static_cast<std::size_t>(declaration)];
}

const char* DataSource::conversion_place() const { return nullptr; }

const char* DataSource::day_of_seconds() const { return nullptr; }

}  // namespace dp::sql
