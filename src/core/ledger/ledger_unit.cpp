#include "core/ledger/ledger_unit.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ledger/record.h"

namespace dp {
namespace {

constexpr const char* kRows = "rows";
constexpr const char* kPeople = "people";
constexpr const char* kAddRemove = "add_remove";
constexpr const char* kReplace = "replace";

[[noreturn]] void refuse_unit() {
  throw Error(ErrorKind::ledger, "the unit of the ledger is missing, or has another form.");
}

// Whether the member's text is `second`. It must be one of the two.
bool is_second(const Json& json, const char* member, const char* first, const char* second) {
  const Json* value = json.find(member);
  const auto* text = value == nullptr ? nullptr : value->as<std::string>();
  if (text == nullptr || (*text != first && *text != second)) refuse_unit();
  return *text == second;
}

std::uint32_t count_in(const Json& json) {
  const Json* value = json.find("count");
  const auto* count = value == nullptr ? nullptr : value->as<std::uint64_t>();
  if (count == nullptr || *count == 0 || *count > std::numeric_limits<std::int32_t>::max()) {
    refuse_unit();
  }
  return static_cast<std::uint32_t>(*count);
}

// Sorts the columns by their bytes, without repetition, so that a unit has one form.
std::vector<std::string> columns_in(const Json& json) {
  const Json* value = json.find("columns");
  const auto* elements = value == nullptr ? nullptr : value->as<Json::Array>();
  if (elements == nullptr) refuse_unit();
  std::vector<std::string> columns;
  for (const Json& element : *elements) {
    const auto* name = element.as<std::string>();
    if (name == nullptr || (!columns.empty() && *name <= columns.back())) refuse_unit();
    columns.push_back(*name);
  }
  return columns;
}

}  // namespace

Json json_of(const LedgerUnit& unit) {
  if (const auto* words = std::get_if<std::string>(&unit)) return *words;
  const auto& parts = *std::get_if<PrivacyUnit>(&unit);
  Json json;
  json.set("columns", Json::Array(parts.columns.begin(), parts.columns.end()));
  json.set("count", std::uint64_t{parts.count});
  json.set("relation", parts.relation == PrivacyUnit::Relation::replace ? kReplace : kAddRemove);
  json.set("what", parts.what == PrivacyUnit::What::people ? kPeople : kRows);
  return json;
}

const char* format_of(const LedgerUnit& unit) {
  return std::holds_alternative<PrivacyUnit>(unit) ? kFormatOfUnits : kFormatOfWords;
}

LedgerUnit parse_unit(const Json& json) {
  if (const auto* words = json.as<std::string>()) return *words;
  const auto* members = json.as<Json::Object>();
  if (members == nullptr || members->size() != 4) refuse_unit();
  PrivacyUnit unit;
  unit.columns = columns_in(json);
  unit.count = count_in(json);
  if (is_second(json, "relation", kAddRemove, kReplace)) {
    unit.relation = PrivacyUnit::Relation::replace;
  }
  if (is_second(json, "what", kRows, kPeople)) unit.what = PrivacyUnit::What::people;
  if ((unit.what == PrivacyUnit::What::people) == unit.columns.empty()) refuse_unit();
  return unit;
}

}  // namespace dp
