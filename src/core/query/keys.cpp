#include "core/query/keys.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/numeric/int128.h"
#include "core/query/columns.h"
#include "core/query/lowered.h"
#include "core/query/public_table.h"
#include "core/query/schema.h"

namespace dp::query {
namespace {

bool is_less(const KeyPart& a, const KeyPart& b) {
  return std::tie(a.missing, a.is_text, a.whole, a.text) <
         std::tie(b.missing, b.is_text, b.whole, b.text);
}

// Whether the key has a missing part.
bool has_missing(const Key& key) {
  return std::any_of(key.begin(), key.end(), [](const KeyPart& part) { return part.missing; });
}

bool is_enumerable(const Field& field) { return places_in(field).has_value(); }

std::vector<Key> combinations(const std::vector<Field>& fields) {
  uint128_t count = 1;
  for (const Field& field : fields) {
    count *= std::max<uint128_t>(number_of_values(field), 1);
    if (count > kMostDeclaredKeys) {
      throw Error(ErrorKind::keys,
                  "the declared values of the groups have more than a million combinations. List "
                  "the groups with `dp_keys(<data frame>)`.");
    }
  }
  std::vector<Key> keys = {{}};
  for (const Field& field : fields) {
    const std::vector<std::int64_t> places = values_of(field);
    std::vector<Key> longer;
    for (const Key& key : keys) {
      for (const std::int64_t whole : places) {
        longer.push_back(key);
        longer.back().push_back({false, false, whole, ""});
      }
    }
    keys = std::move(longer);
  }
  return keys;
}

[[noreturn]] void refuse_value(const Field& field) {
  throw Error(
      ErrorKind::domain,
      "the table of keys has a value of `" + field.name +
          "` that its declaration or `filter()` excludes. Remove the value, or declare it.");
}

[[noreturn]] void refuse_no_groups(const std::vector<Field>& fields) {
  const auto without = std::find_if(
      fields.begin(), fields.end(), [](const Field& field) { return values_of(field).empty(); });
  throw Error(ErrorKind::keys,
              "`filter()` keeps only rows whose `" + without->name +
                  "` is missing. Declare `missing = NA` to make a group of them.");
}

std::int64_t whole_of(const Literal& literal, const Field& field) {
  const std::optional<std::int64_t> whole = whole_in(literal);
  if (!whole) refuse_value(field);
  return *whole;
}

std::string level_text(const Literal& literal, const Field& field) {
  if (const auto* text = std::get_if<std::string>(&literal.value)) return *text;
  if (const auto* flag = std::get_if<bool>(&literal.value)) {
    if (!field.missing_key) refuse_value(field);
    return *flag ? "TRUE" : "FALSE";  // a group of logicals (lowered.h)
  }
  return std::to_string(whole_of(literal, field));
}

// The key of a row without a value, if it belongs to a group; else a missing part.
KeyPart key_of_missing(const Field& field) {
  if (!field.missing_key) return {true, false, 0, ""};
  if (field.type == FieldType::text) return {false, true, 0, kMissingLevel};
  return {false, false, *field.missing_key, ""};
}

KeyPart part_of(const Literal& literal, const Field& field) {
  KeyPart part;
  if (is_missing_literal(literal)) {
    part = key_of_missing(field);
  } else if (field.type == FieldType::text) {
    const auto* text = std::get_if<std::string>(&literal.value);
    if (text == nullptr) refuse_value(field);
    part.is_text = true;
    part.text = *text;
  } else if (field.type == FieldType::levels) {
    const auto& levels = field.levels;
    const auto found = std::find(levels.begin(), levels.end(), level_text(literal, field));
    if (found == levels.end()) refuse_value(field);
    part.whole = found - levels.begin();
  } else {
    part.whole = whole_of(literal, field);
  }
  const bool is_beyond = !is_missing_literal(literal) && field.type != FieldType::text &&
                         field.missing_key && part.whole == *field.missing_key;
  const bool is_place = part.missing || part.is_text || can_have(field, part.whole);
  if (is_beyond || !is_place) refuse_value(field);
  return part;
}

const std::vector<Literal>& column_of(const PublicTable& table, const Field& field) {
  const auto found = std::find_if(table.fields.begin(), table.fields.end(), [&](const Field& f) {
    return f.name == field.name;
  });
  if (found == table.fields.end()) {
    throw Error(ErrorKind::domain,
                "the table of keys has no column `" + field.name + "`. Add it to the data frame.");
  }
  return table.columns[static_cast<std::size_t>(found - table.fields.begin())];
}

std::vector<Key> keys_in_table(const PublicTable& table, const std::vector<Field>& fields) {
  std::vector<const std::vector<Literal>*> columns;
  for (const Field& field : fields) columns.push_back(&column_of(table, field));
  if (columns.front()->empty()) {
    throw Error(ErrorKind::keys, "the table of keys has no rows. Give it a row for each group.");
  }
  std::vector<Key> keys;
  std::set<Key, KeyLess> seen;
  for (std::size_t row = 0; row < columns.front()->size(); ++row) {
    Key key;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      key.push_back(part_of((*columns[i])[row], fields[i]));
    }
    if (seen.insert(key).second) keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<Field> key_fields(const Statement& statement, const std::vector<Field>& fields) {
  std::vector<Field> of_keys;
  for (const std::string& name : statement.by) {
    const Field& field = fields[place_of(name, fields)];
    if (!is_key(field)) {
      throw Error(ErrorKind::unsupported,
                  "`" + name + "` cannot form groups, because it holds " + kind_of(field) +
                      ". Make intervals with `cut()`, or whole numbers with `floor()`.");
    }
    of_keys.push_back(field);
  }
  return of_keys;
}

}  // namespace

bool KeyLess::operator()(const Key& a, const Key& b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), is_less);
}

QueryKeys keys_of(const Statement& statement,
                  const std::vector<Field>& fields,
                  const Contributions& known) {
  QueryKeys keys;
  keys.fields = key_fields(statement, fields);
  if (statement.by.empty()) {
    keys.universe = {{}};
    return keys;
  }
  switch (statement.keys.kind) {
    case Keys::Kind::threshold:
      keys.source = KeySource::threshold;
      return keys;
    case Keys::Kind::select:
      keys.source = KeySource::selection;
      return keys;
    case Keys::Kind::table:
      keys.universe = keys_in_table(statement.keys.table, keys.fields);
      return keys;
    case Keys::Kind::declared:
      break;
  }
  const auto unknown = std::find_if_not(keys.fields.begin(), keys.fields.end(), is_enumerable);
  if (unknown == keys.fields.end()) {
    keys.universe = combinations(keys.fields);
    if (keys.universe.empty()) refuse_no_groups(keys.fields);
  } else if (known.has_public_keys({statement.by.begin(), statement.by.end()})) {
    keys.source = KeySource::promised;
  } else {
    throw Error(ErrorKind::keys, "The values of `" + unknown->name + "` are not public.");
  }
  return keys;
}

std::vector<MissingKeys> missing_keys_of(const Statement& statement,
                                         const std::vector<Field>& fields) {
  std::vector<MissingKeys> found;
  for (const Field& field : key_fields(statement, fields)) {
    const bool has_key =
        field.missing_key && (field.type == FieldType::text || can_have(field, *field.missing_key));
    bool is_group = has_key;
    if (statement.keys.kind == Keys::Kind::table) {
      const std::vector<Literal>& column = column_of(statement.keys.table, field);
      is_group = (has_key || field.may_be_missing) &&
                 std::any_of(column.begin(), column.end(), is_missing_literal);
    }
    found.push_back({(has_key || field.may_be_missing) && !is_group, is_group});
  }
  return found;
}

namespace {

Groups groups_in(const QueryKeys& keys, const ExactAggregates& tallied) {
  std::map<Key, std::size_t, KeyLess> places;
  for (std::size_t i = 0; i < tallied.keys.size(); ++i) places.emplace(tallied.keys[i], i);
  Groups groups;
  if (keys.source == KeySource::universe) {
    for (const Key& key : keys.universe) {
      const auto found = places.find(key);
      groups.keys.push_back(key);
      groups.places.push_back(found == places.end() ? kNoGroup : found->second);
    }
    return groups;
  }
  for (const auto& [key, place] : places) {
    if (has_missing(key)) continue;
    groups.keys.push_back(key);
    groups.places.push_back(place);
  }
  return groups;
}

}  // namespace

Groups candidate_groups(const QueryKeys& keys, const ExactAggregates& tallied) {
  Groups groups = groups_in(keys, tallied);
  for (std::size_t k = 0; k < keys.fields.size(); ++k) {
    if (!keys.fields[k].missing_key) continue;
    const KeyPart missing = key_of_missing(keys.fields[k]);
    for (Key& key : groups.keys) {
      if (!is_less(key[k], missing) && !is_less(missing, key[k])) key[k] = {true, false, 0, ""};
    }
  }
  return groups;
}

}  // namespace dp::query
