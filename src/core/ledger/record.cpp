#include "core/ledger/record.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/error.h"

namespace dp {
namespace {

enum class FieldForm { number, text, description, object, text_or_object, digest, id, time };

struct FieldRule {
  const char* name;
  FieldForm form;
  bool is_optional = false;
};

struct KindRule {
  const char* kind;
  std::vector<FieldRule> fields;
};

constexpr FieldForm kNumber = FieldForm::number;
constexpr FieldForm kText = FieldForm::text;
constexpr FieldForm kLoss = FieldForm::object;
constexpr FieldForm kDigest = FieldForm::digest;

const std::vector<FieldRule>& common_fields() {
  static const std::vector<FieldRule> fields = {{"hash", kDigest},
                                                {"kind", kText},
                                                {"prev", kDigest},
                                                {"seq", kNumber},
                                                {"signature", kText, true},
                                                {"time", FieldForm::time}};
  return fields;
}

const std::vector<KindRule>& kind_rules() {
  static const std::vector<KindRule> rules = {
      {"open",
       {{"format", kText},
        {"id", FieldForm::id},
        {"dataset", kText},
        {"unit", FieldForm::text_or_object},
        {"measure", kText},
        {"total", kLoss},
        {"package", kText},
        {"key", kText}}},
      {"version", {{"label", kText}, {"promise", kText, true}}},
      {"charge",
       {{"plan", kDigest},
        {"version", kText},
        {"loss", kLoss},
        {"spent", kLoss},
        {"who", kText},
        {"package", kText},
        {"promise", kText, true},
        {"what", FieldForm::description, true},
        {"table", kText, true},
        {"claim", kDigest, true}}},
      {"rerun", {{"charge", kNumber}, {"run", kNumber}}},
      {"mark", {{"charge", kNumber}, {"run", kNumber}}},
      {"fail", {{"charge", kNumber}, {"run", kNumber}}},
      {"release", {{"charge", kNumber}, {"release", kDigest}}},
      {"allocate", {{"child", FieldForm::id}, {"loss", kLoss}, {"spent", kLoss}}},
      {"return", {{"child", FieldForm::id}, {"head", kText}, {"loss", kLoss}, {"spent", kLoss}}},
      {"raise", {{"total", kLoss}}},
      {"move", {{"to", kText}}},
      {"arrive", {{"at", kText}}},
      {"leave", {{"at", kText}}},
      {"restore", {{"head", kText}, {"loss", kLoss}, {"spent", kLoss}}},
      {"repair", {{"bytes", kNumber}, {"sha256", kDigest}}},
  };
  return rules;
}

bool is_day(int year, int month, int day) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1) return false;
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return day <= kDays[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size()) return false;
  const bool has_digits =
      std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
        return form == '0' ? c >= '0' && c <= '9' : c == form;
      });
  if (!has_digits) return false;
  const auto pair = [&](std::size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  return is_day(pair(0) * 100 + pair(2), pair(5), pair(8)) && pair(11) < 24 && pair(14) < 60 &&
         pair(17) < 60;
}

bool has_form(const Json& value, FieldForm form) {
  if (form == FieldForm::number) return value.as<std::uint64_t>() != nullptr;
  const bool is_object = value.as<Json::Object>() != nullptr;
  if (form == FieldForm::object || (form == FieldForm::text_or_object && is_object)) {
    return is_object;
  }
  const auto* text = value.as<std::string>();
  const bool is_any_text = form == FieldForm::text || form == FieldForm::text_or_object;
  if (text == nullptr || is_any_text) return text != nullptr;
  if (form == FieldForm::time) return is_time(*text);
  if (form == FieldForm::description) return !text->empty() && description_of(*text) == *text;
  return is_hexadecimal(*text, form == FieldForm::digest ? 64 : 32);
}

// The number of `fields` in the record.
std::size_t check_fields(const Json& record, const std::vector<FieldRule>& fields) {
  std::size_t present = 0;
  for (const FieldRule& field : fields) {
    const Json* value = record.find(field.name);
    if (value == nullptr && field.is_optional) continue;
    if (value == nullptr || !has_form(*value, field.form)) {
      throw Error(ErrorKind::ledger,
                  std::string("the field `") + field.name + "` is missing, or has another form.");
    }
    ++present;
  }
  return present;
}

const KindRule& rule_of(const Json& record) {
  const auto& rules = kind_rules();
  const std::string& kind = *record.find("kind")->as<std::string>();
  const auto rule = std::find_if(
      rules.begin(), rules.end(), [&](const KindRule& one) { return kind == one.kind; });
  if (rule == rules.end()) throw Error(ErrorKind::ledger, "a record of an unknown kind.");
  return *rule;
}

}  // namespace

LedgerRecord::LedgerRecord(std::uint64_t seq,
                           const char* kind,
                           std::string prev,
                           std::int64_t time) {
  json_.set("seq", seq).set("kind", kind).set("prev", std::move(prev)).set("time", utc_text(time));
}

LedgerRecord LedgerRecord::parse(std::string_view line) {
  Json json = parse_json(line, kMostLineBytes);
  const std::size_t common = check_fields(json, common_fields());
  const std::size_t own = check_fields(json, rule_of(json).fields);
  if (json.as<Json::Object>()->size() != common + own) {
    throw Error(ErrorKind::ledger, "a record has a field that its kind has not.");
  }
  return LedgerRecord(std::move(json));
}

std::string utc_text(std::int64_t seconds) {
  constexpr std::int64_t kDay = 86400;
  constexpr std::int64_t kFirst = -62167219200;  // the year 0
  constexpr std::int64_t kLast = 253402300799;   // the end of 9999
  seconds = std::clamp(seconds, kFirst, kLast) - kFirst;
  // Days since 1 March of the year 0, after Howard Hinnant's "chrono-Compatible Low-Level Date
  // Algorithms"; an era of 400 years is added, so that all are positive.
  const std::int64_t days = seconds / kDay - 60 + 146097;
  const std::int64_t day_of_era = days % 146097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = year_of_era + (days / 146097 - 1) * 400 + (month <= 2 ? 1 : 0);
  const std::int64_t second = seconds % kDay;
  char text[48];
  std::snprintf(text,
                sizeof text,
                "%04d-%02d-%02dT%02d:%02d:%02dZ",
                static_cast<int>(year),
                static_cast<int>(month),
                static_cast<int>(day),
                static_cast<int>(second / 3600),
                static_cast<int>(second / 60 % 60),
                static_cast<int>(second % 60));
  return text;
}

std::string description_of(const std::string& text) {
  constexpr std::string_view kCut = "...";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  if (out.size() <= kMostDescriptionBytes) return out;
  std::size_t end = kMostDescriptionBytes - kCut.size();
  const auto is_within = [&](std::size_t at) { return (out[at] & 0xc0) == 0x80; };
  while (end > 0 && is_within(end)) --end;  // not in the midst of a character
  out.resize(end);
  out += kCut;
  return out;
}

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace dp
