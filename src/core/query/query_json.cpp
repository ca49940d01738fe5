#include "core/query/query_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/numeric/text.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/statement.h"

namespace dp::query {
namespace {

// The kinds of values that a key can have.
enum class Slot {
  text,
  name,
  names,
  texts,
  flag,
  count,   // a whole number from 0 to 2^31 - 1
  real,    // read as a real number, however it is spelled
  number,  // whole without a point
  reals,
  amount,  // a decimal in text
  text_or_real,
  texts_or_reals,
  digest,
  expression,
  expressions,
  table,
  keys,
  source,
  loss,
  query,
  steps,
  unit_values,
  aggregates,
  outputs,
  columns,
  unit,
  members
};

struct JsonKey {
  const char* name;
  Slot slot;
  bool needed;
};
using JsonShape = std::vector<JsonKey>;
using JsonShapes = std::map<std::string, JsonShape>;

constexpr bool kNeeded = true;
constexpr bool kOptional = false;

// In the order of R's verbs.

const JsonShapes& step_shapes() {
  static const JsonShapes all{
      {"filter", {{"step", Slot::text, kNeeded}, {"predicate", Slot::expression, kNeeded}}},
      {"mutate",
       {{"step", Slot::text, kNeeded},
        {"name", Slot::name, kNeeded},
        {"value", Slot::expression, kNeeded}}},
      {"select",
       {{"step", Slot::text, kNeeded},
        {"columns", Slot::names, kNeeded},
        {"names", Slot::names, kNeeded}}},
      {"join",
       {{"step", Slot::text, kNeeded},
        {"how", Slot::text, kNeeded},
        {"private", Slot::names, kNeeded},
        {"public", Slot::names, kNeeded},
        {"table", Slot::table, kNeeded}}},
      {"per_unit",
       {{"step", Slot::text, kNeeded},
        {"by", Slot::names, kNeeded},
        {"values", Slot::unit_values, kNeeded}}},
      {"truncate",
       {{"step", Slot::text, kNeeded},
        {"by", Slot::names, kNeeded},
        {"rows", Slot::count, kOptional},
        {"groups", Slot::count, kOptional},
        {"rows_per_group", Slot::count, kOptional},
        {"keep", Slot::text, kNeeded},
        {"order", Slot::expression, kOptional}}},
      {"margin",
       {{"step", Slot::text, kNeeded},
        {"by", Slot::names, kNeeded},
        {"keys", Slot::flag, kNeeded},
        {"lengths", Slot::flag, kNeeded},
        {"max_groups", Slot::count, kOptional},
        {"max_rows", Slot::count, kOptional}}}};
  return all;
}
template <class... Kinds>
constexpr std::size_t kinds_of(const OneOf<Kinds...>* /*step*/) {
  return sizeof...(Kinds);
}
static_assert(kinds_of(static_cast<const Step*>(nullptr)) == 7, "every step has a shape in JSON");

const JsonShapes& aggregate_shapes() {
  static const JsonShape kAll{{"name", Slot::name, kNeeded},
                              {"fun", Slot::text, kNeeded},
                              {"of", Slot::expression, kNeeded},
                              {"times", Slot::expression, kOptional},
                              {"cells", Slot::expressions, kOptional},
                              {"predictors", Slot::expressions, kNeeded},
                              {"errors", Slot::text, kNeeded},
                              {"bounds", Slot::reals, kOptional},
                              {"weight", Slot::real, kOptional},
                              {"scale", Slot::number, kOptional},
                              {"accuracy", Slot::number, kOptional},
                              {"probabilities", Slot::reals, kNeeded},
                              {"grid", Slot::reals, kOptional},
                              {"method", Slot::text, kOptional},
                              {"weights", Slot::expression, kOptional},
                              {"up_to", Slot::count, kNeeded}};
  static const JsonShapes kShapes = [] {
    static const std::vector<std::string> kShared{"name", "fun", "weight", "method"};
    const auto is_shared = [](const char* name) {
      return std::find(kShared.begin(), kShared.end(), name) != kShared.end();
    };
    JsonShapes shapes;
    for (const AggregateRow& row : aggregate_rows()) {
      JsonShape& shape = shapes[Aggregate::kKindNames[static_cast<std::size_t>(row.kind)]];
      for (JsonKey key : kAll) {
        if (!is_shared(key.name) && !has_key(row, key.name)) continue;
        const bool is_of = std::string(key.name) == "of";
        if (is_of && row.kind == Aggregate::Kind::moment) key.needed = kOptional;
        shape.push_back(key);
      }
    }
    return shapes;
  }();
  return kShapes;
}

const JsonShape& shape_at(Slot slot) {
  static const std::map<Slot, JsonShape> all{
      {Slot::query,
       {{"rules", Slot::real, kOptional},
        {"source", Slot::source, kOptional},
        {"steps", Slot::steps, kNeeded},
        {"by", Slot::names, kNeeded},
        {"keys", Slot::keys, kNeeded},
        {"aggregates", Slot::aggregates, kNeeded},
        {"outputs", Slot::outputs, kNeeded}}},
      {Slot::source, {{"columns", Slot::columns, kNeeded}, {"unit", Slot::unit, kNeeded}}},
      {Slot::unit,
       {{"kind", Slot::text, kNeeded},
        {"id", Slot::names, kNeeded},
        {"count", Slot::count, kNeeded},
        {"shards", Slot::count, kOptional}}},
      {Slot::columns,
       {{"name", Slot::name, kNeeded},
        {"type", Slot::text, kNeeded},
        {"lower", Slot::real, kOptional},
        {"upper", Slot::real, kOptional},
        {"levels", Slot::texts, kOptional},
        {"whole", Slot::flag, kOptional},
        {"missing", Slot::text_or_real, kOptional},
        {"na", Slot::texts_or_reals, kOptional},
        {"encoding", Slot::text, kOptional},
        {"tz", Slot::text, kOptional},
        {"codes", Slot::reals, kOptional},
        {"classes", Slot::name, kOptional}}},
      {Slot::keys,
       {{"kind", Slot::text, kNeeded},
        {"table", Slot::table, kOptional},
        {"weight", Slot::real, kOptional},
        {"suppress", Slot::count, kOptional}}},
      {Slot::unit_values,
       {{"name", Slot::name, kNeeded},
        {"fun", Slot::text, kNeeded},
        {"of", Slot::expression, kOptional}}},
      {Slot::members,
       {{"name", Slot::name, kNeeded},
        {"weight", Slot::real, kOptional},
        {"declaration", Slot::digest, kOptional},
        {"query", Slot::query, kNeeded},
        {"loss", Slot::loss, kOptional},
        {"alpha", Slot::amount, kOptional}}},
      {Slot::outputs, {{"name", Slot::name, kNeeded}, {"value", Slot::expression, kNeeded}}},
      {Slot::loss,
       {{"epsilon", Slot::amount, kOptional},
        {"rho", Slot::amount, kOptional},
        {"delta", Slot::amount, kNeeded}}}};
  return all.at(slot);
}

// Without `version`, which is not part of the form.
const JsonShape& root_shape(bool is_batch) {
  static const JsonShape query{{"declaration", Slot::digest, kOptional},
                               {"query", Slot::query, kNeeded},
                               {"loss", Slot::loss, kOptional},
                               {"alpha", Slot::amount, kOptional}};
  static const JsonShape batch{{"accountant", Slot::text, kNeeded},
                               {"members", Slot::members, kNeeded},
                               {"loss", Slot::loss, kOptional},
                               {"alpha", Slot::amount, kOptional}};
  return is_batch ? batch : query;
}

constexpr const char* kMembers = "members";

constexpr double kVersion = 1;

[[noreturn]] void refuse_part(const std::string& sentence) {
  throw Error(ErrorKind::failed_cast, sentence);
}

[[noreturn]] void refuse_key(const char* key) {
  refuse_part(std::string("`") + key + "` is not what it must be.");
}

bool is_operator(const std::string& op) { return is_operator_of(op, Language::queries); }

// Whole numbers that R's integers hold.
std::optional<std::int32_t> whole_in_r(double number) {
  if (number != std::floor(number) ||
      std::fabs(number) > std::numeric_limits<std::int32_t>::max()) {
    return {};
  }
  return static_cast<std::int32_t>(number);
}

const char kInfiniteText[] = "Inf";
const char kMinusInfiniteText[] = "-Inf";

// Reading
// ------------------------------------------------------------------------------------------

class QueryReader {
 public:
  explicit QueryReader(const QueryJsonLimits& limits) : limits_(limits) {}

  Form root(const JsonNode& node) {
    const auto* object = node.as<JsonNode::Object>();
    if (object == nullptr) refuse_part("the text must be a JSON object.");
    JsonNode::Object rest;
    bool has_version = false;
    for (const JsonField& field : *object) {
      if (field.key != "version") {
        rest.push_back(field);
        continue;
      }
      const auto* version = field.value.as<JsonNode::Number>();
      has_version = version != nullptr && version->is_whole && version->value == kVersion;
    }
    if (!has_version) refuse_part("`version` must be 1.");
    return fields_in(rest, root_shape(find(rest, kMembers) != nullptr));
  }

 private:
  static const JsonNode* find(const JsonNode::Object& object, const char* key) {
    for (const JsonField& field : object) {
      if (field.key == key) return &field.value;
    }
    return nullptr;
  }

  Form fields_in(const JsonNode::Object& object, const JsonShape& shape) {
    Form::Fields fields;
    for (const JsonKey& key : shape) {
      const JsonNode* value = find(object, key.name);
      if (value != nullptr) fields.push_back({key.name, read(*value, key)});
      if (value == nullptr && key.needed) {
        refuse_part(std::string("`") + key.name + "` is missing.");
      }
    }
    if (fields.size() != object.size()) refuse_part("an object has a key that it must not have.");
    return fields;
  }

  Form fields_in(const JsonNode& node, const JsonShape& shape, const char* key) {
    const auto* object = node.as<JsonNode::Object>();
    if (object == nullptr) refuse_key(key);
    return fields_in(*object, shape);
  }

  const JsonNode::Array& array_in(const JsonNode& node, const char* key, std::size_t most) {
    const auto* array = node.as<JsonNode::Array>();
    if (array == nullptr) refuse_key(key);
    if (array->size() > most) {
      refuse_part(std::string("`") + key + "` must have at most " + std::to_string(most) +
                  " elements.");
    }
    return *array;
  }

  const std::string& text_in(const JsonNode& node, const char* key) {
    const auto* text = node.as<std::string>();
    if (text == nullptr) refuse_key(key);
    return *text;
  }

  const std::string& name_in(const JsonNode& node, const char* key) {
    const std::string& name = text_in(node, key);
    if (name.size() > limits_.name_bytes) {
      refuse_part("a name must have at most " + std::to_string(limits_.name_bytes) + " bytes.");
    }
    return name;
  }

  double real_in(const JsonNode& node, const char* key) {
    const auto* number = node.as<JsonNode::Number>();
    if (number == nullptr) refuse_key(key);
    return number->value;
  }

  // The shape of an object, chosen by the text at its key `tag`.
  const JsonShape& tagged(const JsonNode& node, const char* tag, const JsonShapes& shapes) {
    const auto* object = node.as<JsonNode::Object>();
    const JsonNode* value = object == nullptr ? nullptr : find(*object, tag);
    if (value == nullptr) refuse_key(tag);
    const auto shape = shapes.find(text_in(*value, tag));
    if (shape == shapes.end()) refuse_part(std::string("there is no such `") + tag + "`.");
    return shape->second;
  }

  template <class Read>
  Form list_in(const JsonNode& node, const char* key, std::size_t most, Read read_one) {
    Form::List list;
    for (const JsonNode& each : array_in(node, key, most)) list.push_back(read_one(each));
    return list;
  }

  Form texts_in(const JsonNode& node, const char* key, std::size_t most) {
    Form::Texts texts;
    for (const JsonNode& each : array_in(node, key, most)) texts.push_back(text_in(each, key));
    return texts;
  }

  Form names_in(const JsonNode& node, const char* key) {
    Form::Texts texts;
    for (const JsonNode& each : array_in(node, key, limits_.parts)) {
      texts.push_back(name_in(each, key));
    }
    return texts;
  }

  Form reals_in(const JsonNode& node, const char* key, std::size_t most) {
    Form::Reals reals;
    for (const JsonNode& each : array_in(node, key, most)) reals.push_back(real_in(each, key));
    return reals;
  }

  Form number_of(const JsonNode::Number& number) {
    const auto whole = number.is_whole ? whole_in_r(number.value) : std::nullopt;
    if (whole) return Form::Wholes{whole};
    return Form::Reals{number.value};
  }

  // Accepts only the fewest digits, so that nothing is rounded.
  Form amount_in(const JsonNode& node, const char* key) {
    const std::string& text = text_in(node, key);
    const auto number = text.size() <= 400 ? parse_number<double>(text) : std::nullopt;
    if (!number || !std::isfinite(*number) || *number < 0 || format_number(*number) != text) {
      refuse_key(key);
    }
    return Form::Reals{*number};
  }

  Form digest_in(const JsonNode& node, const char* key) {
    const std::string& text = text_in(node, key);
    if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
      refuse_key(key);
    }
    return Form::Texts{text};
  }

  Form count_in(const JsonNode& node, const char* key) {
    const auto* number = node.as<JsonNode::Number>();
    const auto whole = number != nullptr && number->is_whole ? whole_in_r(number->value)
                                                             : std::optional<std::int32_t>();
    if (!whole || *whole < 0) refuse_key(key);
    return Form::Wholes{whole};
  }

  Form flag_in(const JsonNode& node, const char* key) {
    const auto* flag = node.as<bool>();
    if (flag == nullptr) refuse_key(key);
    return Form::Flags{*flag};
  }

  Form read(const JsonNode& node, const JsonKey& key) {
    switch (key.slot) {
      case Slot::text:
        return Form::Texts{text_in(node, key.name)};
      case Slot::name:
        return Form::Texts{name_in(node, key.name)};
      case Slot::names:
        return names_in(node, key.name);
      case Slot::texts:
        return texts_in(node, key.name, limits::kCells);
      case Slot::flag:
        return flag_in(node, key.name);
      case Slot::count:
        return count_in(node, key.name);
      case Slot::real:
        return Form::Reals{real_in(node, key.name)};
      case Slot::number:
        real_in(node, key.name);
        return number_of(*node.as<JsonNode::Number>());
      case Slot::reals:
        return reals_in(node, key.name, limits_.numbers);
      case Slot::amount:
        return amount_in(node, key.name);
      case Slot::text_or_real:
        if (node.as<std::string>() != nullptr) return Form::Texts{*node.as<std::string>()};
        return Form::Reals{real_in(node, key.name)};
      case Slot::texts_or_reals: {
        const auto& array = array_in(node, key.name, limits::kCells);
        const bool of_texts = !array.empty() && array.front().as<std::string>() != nullptr;
        if (of_texts) return texts_in(node, key.name, limits::kCells);
        return reals_in(node, key.name, limits::kCells);
      }
      case Slot::digest:
        return digest_in(node, key.name);
      case Slot::expression:
        return expression_in(node);
      case Slot::expressions:
        return list_in(node, key.name, limits_.parts, [&](const JsonNode& each) {
          return expression_in(each);
        });
      case Slot::table:
        return table_in(node);
      case Slot::keys:
      case Slot::source:
      case Slot::query:
      case Slot::unit:
      case Slot::loss:
        return fields_in(node, shape_at(key.slot), key.name);
      case Slot::steps:
        return list_in(node, key.name, limits_.steps, [&](const JsonNode& each) {
          return fields_in(each, tagged(each, "step", step_shapes()), key.name);
        });
      case Slot::aggregates:
        return list_in(node, key.name, limits_.aggregates, [&](const JsonNode& each) {
          return fields_in(each, tagged(each, "fun", aggregate_shapes()), key.name);
        });
      case Slot::unit_values:
      case Slot::outputs:
      case Slot::members:
        return list_in(node, key.name, limits_.aggregates, [&](const JsonNode& each) {
          return fields_in(each, shape_at(key.slot), key.name);
        });
      case Slot::columns:
        return list_in(node, key.name, limits_.parts, [&](const JsonNode& each) {
          return fields_in(each, shape_at(key.slot), key.name);
        });
    }
    refuse_key(key.name);
  }

  // The recursion is bounded by the depth of the text.
  Form expression_in(const JsonNode& node) {
    const auto* object = node.as<JsonNode::Object>();
    const JsonNode* tag = object == nullptr ? nullptr : find(*object, "op");
    if (tag == nullptr) refuse_key("op");
    const std::string& op = text_in(*tag, "op");
    static const JsonShape kColumn{{"op", Slot::text, kNeeded}, {"name", Slot::name, kNeeded}};
    if (op == "column") return fields_in(*object, kColumn);
    if (op == "literal") return literal_in(*object);
    if (!is_operator(op)) refuse_part("there is no such `op`.");
    const JsonNode* args = find(*object, "args");
    if (args == nullptr || object->size() != 2) refuse_key("args");
    Form::List list;
    for (const JsonNode& each : array_in(*args, "args", limits_.parts)) {
      list.push_back(expression_in(each));
    }
    return Form::Fields{{"op", Form::Texts{op}}, {"args", std::move(list)}};
  }

  Form literal_in(const JsonNode::Object& object) {
    if (++literals_ > limits_.literals) {
      refuse_part("a query must have at most " + std::to_string(limits_.literals) + " literals.");
    }
    const JsonNode* value = find(object, "value");
    const JsonNode* type = find(object, "type");
    if (value == nullptr || object.size() != (type == nullptr ? 2U : 3U)) refuse_key("value");
    const std::string kind = type == nullptr ? "" : text_in(*type, "type");
    Form::Fields fields{{"op", Form::Texts{"literal"}}, {"value", cell_in(*value, kind)}};
    if (kind == "date") fields.push_back({"type", Form::Texts{kind}});
    return fields;
  }

  // The type is explicit if the value does not determine it.
  Form cell_in(const JsonNode& value, const std::string& type) {
    if (type == "date") {
      return value.is_null() ? Form::Reals{std::nullopt} : Form::Reals{real_in(value, "value")};
    }
    if (value.is_null()) {
      if (type.empty()) return Form::Flags{std::nullopt};
      if (type == "integer") return Form::Wholes{std::nullopt};
      if (type == "real") return Form::Reals{std::nullopt};
      if (type == "text") return Form::Texts{std::nullopt};
      refuse_key("type");
    }
    if (type == "real") return Form::Reals{infinity_in(value)};
    if (!type.empty()) refuse_key("type");
    if (const auto* flag = value.as<bool>()) return Form::Flags{*flag};
    if (const auto* text = value.as<std::string>()) return Form::Texts{*text};
    const auto* number = value.as<JsonNode::Number>();
    if (number == nullptr) refuse_key("value");
    return number_of(*number);
  }

  static double infinity_in(const JsonNode& node) {
    const auto* text = node.as<std::string>();
    if (text != nullptr && *text == kInfiniteText) return std::numeric_limits<double>::infinity();
    if (text == nullptr || *text != kMinusInfiniteText) refuse_key("value");
    return -std::numeric_limits<double>::infinity();
  }

  Form table_in(const JsonNode& node) {
    const auto* object = node.as<JsonNode::Object>();
    const JsonNode* columns = object == nullptr ? nullptr : find(*object, "columns");
    if (columns == nullptr || object->size() != 1) refuse_key("table");
    Form list = list_in(
        *columns, "columns", limits_.parts, [&](const JsonNode& each) { return column_in(each); });
    return Form::Fields{{"columns", std::move(list)}};
  }

  Form column_in(const JsonNode& node) {
    const auto* object = node.as<JsonNode::Object>();
    const JsonNode* name = object == nullptr ? nullptr : find(*object, "name");
    const JsonNode* type = object == nullptr ? nullptr : find(*object, "type");
    const JsonNode* storage = object == nullptr ? nullptr : find(*object, "storage");
    const JsonNode* values = object == nullptr ? nullptr : find(*object, "values");
    if (name == nullptr || type == nullptr || values == nullptr ||
        object->size() != (storage == nullptr ? 3U : 4U)) {
      refuse_key("columns");
    }
    const std::string& kind = text_in(*type, "type");
    if (storage != nullptr && (kind != "integer" || text_in(*storage, "storage") != "real")) {
      refuse_key("storage");
    }
    return Form::Fields{{"name", Form::Texts{name_in(*name, "name")}},
                        {"type", Form::Texts{kind}},
                        {"values", values_in(*values, storage == nullptr ? kind : "real")}};
  }

  Form values_in(const JsonNode& node, const std::string& type) {
    const auto& array = array_in(node, "values", limits_.rows);
    const auto filled = [&](auto cells, auto read_one) -> Form {
      for (const JsonNode& each : array) {
        cells.emplace_back();
        if (!each.is_null()) cells.back() = read_one(each);
      }
      return cells;
    };
    if (type == "logical") {
      return filled(Form::Flags(), [&](const JsonNode& each) {
        if (each.as<bool>() == nullptr) refuse_key("values");
        return *each.as<bool>();
      });
    }
    if (type == "text") {
      return filled(Form::Texts(), [&](const JsonNode& each) { return text_in(each, "values"); });
    }
    if (type == "integer") {
      return filled(Form::Wholes(), [&](const JsonNode& each) {
        const auto* number = each.as<JsonNode::Number>();
        const auto whole = number != nullptr && number->is_whole ? whole_in_r(number->value)
                                                                 : std::optional<std::int32_t>();
        if (!whole) refuse_key("values");
        return *whole;
      });
    }
    if (type == "real" || type == "date") {
      return filled(Form::Reals(), [&](const JsonNode& each) {
        return each.as<std::string>() != nullptr ? infinity_in(each) : real_in(each, "values");
      });
    }
    refuse_key("type");
  }

  const QueryJsonLimits& limits_;
  std::size_t literals_ = 0;
};

// Writing
// ------------------------------------------------------------------------------------------

class QueryWriter {
 public:
  std::string root(const Form& form) {
    out_ = "{\"version\":1";
    const Form::Fields& fields = fields_of(form, "a query");
    write_fields(fields, root_shape(find(fields, kMembers) != nullptr), false);
    out_ += '}';
    return std::move(out_);
  }

 private:
  [[noreturn]] static void refuse_form(const char* key) {
    refuse_part(std::string("`") + key + "` has no form in JSON.");
  }

  static const Form::Fields& fields_of(const Form& form, const char* key) {
    const auto* fields = form.as<Form::Fields>();
    if (fields == nullptr) refuse_form(key);
    return *fields;
  }

  static const Form* find(const Form::Fields& fields, const char* name) {
    for (const FormField& field : fields) {
      if (field.name == name) return &field.value;
    }
    return nullptr;
  }

  // The only cell of a vector of this type.
  template <class Cells>
  static const typename Cells::value_type& one(const Form& form, const char* key) {
    const auto* cells = form.as<Cells>();
    if (cells == nullptr || cells->size() != 1) refuse_form(key);
    return cells->front();
  }

  static const std::string& text_of(const Form& form, const char* key) {
    const auto& text = one<Form::Texts>(form, key);
    if (!text) refuse_form(key);
    return *text;
  }

  template <class List, class Write>
  void write_array(const List& list, Write write_one) {
    out_ += '[';
    bool first = true;
    for (const auto& each : list) {
      if (!first) out_ += ',';
      first = false;
      write_one(each);
    }
    out_ += ']';
  }

  void write_key(const char* name, bool first) {
    out_ += first ? "\"" : ",\"";
    out_ += name;
    out_ += "\":";
  }

  // Writes in the order of the shape; the fields must have the same order.
  void write_fields(const Form::Fields& fields, const JsonShape& shape, bool first) {
    std::size_t written = 0;
    for (const JsonKey& key : shape) {
      if (written < fields.size() && fields[written].name == key.name) {
        write_key(key.name, first && written == 0);
        write(fields[written].value, key);
        ++written;
      } else if (key.needed) {
        refuse_form(key.name);
      }
    }
    if (written != fields.size()) refuse_form(fields[written].name.c_str());
  }

  void write_object(const Form& form, const JsonShape& shape, const char* key) {
    out_ += '{';
    write_fields(fields_of(form, key), shape, true);
    out_ += '}';
  }

  void write_tagged(const Form& form, const char* tag, const JsonShapes& shapes) {
    const Form* value = find(fields_of(form, tag), tag);
    if (value == nullptr) refuse_form(tag);
    const auto shape = shapes.find(text_of(*value, tag));
    if (shape == shapes.end()) refuse_form(tag);
    write_object(form, shape->second, tag);
  }

  void write_text(const std::string& text) { append_json_text(out_, text); }

  void write_real(const std::optional<double>& number, const char* key) {
    if (!number || !std::isfinite(*number)) refuse_form(key);
    out_ += format_number(*number);
  }

  void write_reals(const Form& form, const char* key) {
    const auto* cells = form.as<Form::Reals>();
    if (cells == nullptr) refuse_form(key);
    write_array(*cells, [&](const auto& cell) { write_real(cell, key); });
  }

  void write_texts(const Form& form, const char* key) {
    const auto* cells = form.as<Form::Texts>();
    if (cells == nullptr) refuse_form(key);
    write_array(*cells, [&](const auto& cell) {
      if (!cell) refuse_form(key);
      write_text(*cell);
    });
  }

  void write_pointed(double number) {
    const std::string text = format_number(number);
    out_ += text;
    if (text.find('.') == std::string::npos) out_ += ".0";
  }

  void write_number(const Form& form, const char* key) {
    if (form.as<Form::Wholes>() != nullptr) {
      const auto& whole = one<Form::Wholes>(form, key);
      if (!whole) refuse_form(key);
      out_ += std::to_string(*whole);
    } else {
      const auto& number = one<Form::Reals>(form, key);
      if (!number || !std::isfinite(*number)) refuse_form(key);
      write_pointed(*number);
    }
  }

  void write_count(const Form& form, const char* key) {
    const auto& whole = one<Form::Wholes>(form, key);
    if (!whole || *whole < 0) refuse_form(key);
    out_ += std::to_string(*whole);
  }

  void write_amount(const Form& form, const char* key) {
    const auto& number = one<Form::Reals>(form, key);
    if (!number || !std::isfinite(*number) || *number < 0) refuse_form(key);
    write_text(format_number(*number));
  }

  void write_flag(const Form& form, const char* key) {
    const auto& flag = one<Form::Flags>(form, key);
    if (!flag) refuse_form(key);
    out_ += *flag ? "true" : "false";
  }

  template <class Write>
  void write_list(const Form& form, const char* key, Write write_one) {
    const auto* list = form.as<Form::List>();
    if (list == nullptr) refuse_form(key);
    write_array(*list, write_one);
  }

  void write(const Form& form, const JsonKey& key) {
    switch (key.slot) {
      case Slot::text:
      case Slot::name:
      case Slot::digest:
        return write_text(text_of(form, key.name));
      case Slot::names:
      case Slot::texts:
        return write_texts(form, key.name);
      case Slot::flag:
        return write_flag(form, key.name);
      case Slot::count:
        return write_count(form, key.name);
      case Slot::real:
        return write_real(one<Form::Reals>(form, key.name), key.name);
      case Slot::number:
        return write_number(form, key.name);
      case Slot::reals:
        return write_reals(form, key.name);
      case Slot::amount:
        return write_amount(form, key.name);
      case Slot::text_or_real:
        if (form.as<Form::Texts>() != nullptr) return write_text(text_of(form, key.name));
        return write_real(one<Form::Reals>(form, key.name), key.name);
      case Slot::texts_or_reals:
        if (form.as<Form::Texts>() != nullptr) return write_texts(form, key.name);
        return write_reals(form, key.name);
      case Slot::expression:
        return write_expression(form, 0);
      case Slot::expressions:
        return write_list(form, key.name, [&](const Form& each) { write_expression(each, 0); });
      case Slot::table:
        return write_table(form);
      case Slot::keys:
      case Slot::source:
      case Slot::query:
      case Slot::unit:
      case Slot::loss:
        return write_object(form, shape_at(key.slot), key.name);
      case Slot::steps:
        return write_list(
            form, key.name, [&](const Form& each) { write_tagged(each, "step", step_shapes()); });
      case Slot::aggregates:
        return write_list(form, key.name, [&](const Form& each) {
          write_tagged(each, "fun", aggregate_shapes());
        });
      case Slot::unit_values:
      case Slot::outputs:
      case Slot::columns:
      case Slot::members:
        return write_list(form, key.name, [&](const Form& each) {
          write_object(each, shape_at(key.slot), key.name);
        });
    }
  }

  void write_expression(const Form& form, std::size_t depth) {
    if (depth > limits::kNestedCalls) refuse_nesting();
    const Form::Fields& fields = fields_of(form, "op");
    const Form* tag = find(fields, "op");
    if (tag == nullptr || &fields.front().value != tag) refuse_form("op");
    const std::string& op = text_of(*tag, "op");
    out_ += "{\"op\":";
    write_text(op);
    if (op == "column") {
      write_fields({fields.begin() + 1, fields.end()}, {{"name", Slot::name, kNeeded}}, false);
    } else if (op == "literal") {
      write_literal(fields);
    } else {
      if (!is_operator(op) || fields.size() != 2 || fields[1].name != "args") refuse_form("args");
      out_ += ",\"args\":";
      write_list(
          fields[1].value, "args", [&](const Form& each) { write_expression(each, depth + 1); });
    }
    out_ += '}';
  }

  void write_literal(const Form::Fields& fields) {
    const bool is_date = fields.size() == 3 && fields[2].name == "type" &&
                         text_of(fields[2].value, "type") == "date";
    if ((fields.size() != 2 && !is_date) || fields[1].name != "value") refuse_form("literal");
    out_ += ",\"value\":";
    const char* const type = write_cell(fields[1].value, is_date);
    if (*type == '\0') return;
    out_ += ",\"type\":";
    write_text(type);
  }

  // The type that the value does not determine; empty if there is none.
  const char* write_cell(const Form& form, bool is_date) {
    if (is_date) {
      write_or_null(one<Form::Reals>(form, "value"),
                    [&](double days) { write_real(days, "value"); });
      return "date";
    }
    if (form.as<Form::Flags>() != nullptr) {
      write_or_null(one<Form::Flags>(form, "value"),
                    [&](bool flag) { out_ += flag ? "true" : "false"; });
      return "";
    }
    if (form.as<Form::Texts>() != nullptr) {
      const auto& text = one<Form::Texts>(form, "value");
      write_or_null(text, [&](const std::string& held) { write_text(held); });
      return text ? "" : "text";
    }
    if (form.as<Form::Wholes>() != nullptr) {
      const auto& whole = one<Form::Wholes>(form, "value");
      write_or_null(whole, [&](std::int32_t held) { out_ += std::to_string(held); });
      return whole ? "" : "integer";
    }
    const auto& number = one<Form::Reals>(form, "value");
    if (number && std::isfinite(*number)) {
      write_pointed(*number);
      return "";
    }
    write_or_null(number, [&](double held) { write_infinity(held, "value"); });
    return "real";
  }

  void write_infinity(double number, const char* key) {
    if (!std::isinf(number)) refuse_form(key);
    write_text(number > 0 ? kInfiniteText : kMinusInfiniteText);
  }

  template <class Cell, class Write>
  void write_or_null(const std::optional<Cell>& cell, Write write_held) {
    if (cell) {
      write_held(*cell);
    } else {
      out_ += "null";
    }
  }

  void write_table(const Form& form) {
    const Form::Fields& fields = fields_of(form, "table");
    if (fields.size() != 1 || fields[0].name != "columns") refuse_form("table");
    out_ += "{\"columns\":";
    write_list(fields[0].value, "columns", [&](const Form& column) { write_column(column); });
    out_ += '}';
  }

  void write_column(const Form& form) {
    const Form::Fields& fields = fields_of(form, "columns");
    if (fields.size() != 3 || fields[0].name != "name" || fields[1].name != "type" ||
        fields[2].name != "values") {
      refuse_form("columns");
    }
    const std::string& type = text_of(fields[1].value, "type");
    const Form& values = fields[2].value;
    const bool in_reals = values.as<Form::Reals>() != nullptr;
    out_ += "{\"name\":";
    write_text(text_of(fields[0].value, "name"));
    out_ += ",\"type\":";
    write_text(type);
    if (type == "integer" && in_reals) out_ += ",\"storage\":\"real\"";
    out_ += ",\"values\":";
    const auto all = [&](const auto* cells, auto write_held) {
      write_array(*cells, [&](const auto& cell) { write_or_null(cell, write_held); });
    };
    if (type == "logical" && values.as<Form::Flags>() != nullptr) {
      all(values.as<Form::Flags>(), [&](bool flag) { out_ += flag ? "true" : "false"; });
    } else if (type == "text" && values.as<Form::Texts>() != nullptr) {
      all(values.as<Form::Texts>(), [&](const std::string& text) { write_text(text); });
    } else if (type == "integer" && values.as<Form::Wholes>() != nullptr) {
      all(values.as<Form::Wholes>(), [&](std::int32_t whole) { out_ += std::to_string(whole); });
    } else if ((type == "integer" || type == "real" || type == "date") && in_reals) {
      all(values.as<Form::Reals>(), [&](double number) {
        if (std::isfinite(number)) {
          out_ += format_number(number);
        } else {
          write_infinity(number, "values");
        }
      });
    } else {
      refuse_form("values");
    }
    out_ += '}';
  }

  std::string out_;
};

const Form* field_in(const Form::Fields& fields, const char* name) {
  for (const FormField& field : fields) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

void check_source(const Form::Fields& fields) {
  const Form* query = field_in(fields, "query");
  const bool has_source = field_in(*query->as<Form::Fields>(), "source") != nullptr;
  if (has_source == (field_in(fields, "declaration") != nullptr)) {
    refuse_part("the text must have either `declaration` or the `source` of the query.");
  }
}

void check_loss(const Form::Fields& fields) {
  const Form* loss = field_in(fields, "loss");
  if ((loss == nullptr) != (field_in(fields, "alpha") == nullptr)) {
    refuse_part("the text must have both `loss` and `alpha`, or neither.");
  }
  if (loss == nullptr) return;
  const auto& amounts = *loss->as<Form::Fields>();
  if ((field_in(amounts, "epsilon") == nullptr) == (field_in(amounts, "rho") == nullptr)) {
    refuse_part("`loss` must have either `epsilon` or `rho`.");
  }
}

// Checks members written for releases, or for a table, whose weights share a later loss.
void check_members(const Form::List& members, bool has_loss) {
  if (members.empty()) refuse_part("`members` must have a query.");
  std::set<std::string> names;
  for (const Form& member : members) {
    const auto& fields = *member.as<Form::Fields>();
    const std::string& name = *field_in(fields, "name")->as<Form::Texts>()->front();
    if (name.empty() || !names.insert(name).second) {
      refuse_part("members need names, each another one.");
    }
    check_source(fields);
    check_loss(fields);
    if ((field_in(fields, "loss") != nullptr) != has_loss ||
        (field_in(fields, "weight") != nullptr) == has_loss) {
      refuse_part("members must have losses if the batch has one, and weights if it has none.");
    }
  }
}

// Checks the root of a parsed text, or of a form to write.
void check_root(const Form& form) {
  const auto& fields = *form.as<Form::Fields>();
  check_loss(fields);
  const Form* members = field_in(fields, kMembers);
  if (members == nullptr) {
    check_source(fields);
  } else {
    check_members(*members->as<Form::List>(), field_in(fields, "loss") != nullptr);
  }
}

std::vector<std::string> words_of(const JsonShapes& shapes) {
  std::vector<std::string> words;
  for (const auto& shape : shapes) words.push_back(shape.first);
  return words;
}

}  // namespace

std::string query_to_json(const Form& form) {
  std::string text = QueryWriter().root(form);
  check_root(form);
  return text;
}

Form query_from_json(std::string_view text, const QueryJsonLimits& limits) {
  const JsonNode node = parse_json_text(text, {limits.bytes, limits.depth, limits.parts});
  Form form = QueryReader(limits).root(node);
  check_root(form);
  return form;
}

std::vector<std::string> json_steps() { return words_of(step_shapes()); }

std::vector<std::string> json_aggregates() { return words_of(aggregate_shapes()); }

}  // namespace dp::query
