#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/expressions/operators.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"

namespace dp::query {
namespace {

using TextFunction = std::function<std::string(const std::string&)>;

// Groups levels by the function's result, which can be equal for several levels.
BoundPtr of_levels(const Operands& of, const TextFunction& f) {
  const BoundPtr& x = of.args[0];
  if (is_untyped(x)) return x;
  if (x->op == Operator::literal && x->type.type == FieldType::text) {
    Literal changed;
    changed.value = f(std::string(of.texts.text(x->wholes[0])));
    return bind_literal(changed, of.texts);
  }
  if (x->type.type != FieldType::levels) refuse_operand(of.op, "declared levels", x->type);
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::lookup;
  bound->type = field_of(FieldType::levels, x->type.may_be_missing);
  std::map<std::string, std::int64_t> places;
  for (const std::string& level : x->type.levels) {
    const auto [place, is_new] = places.emplace(f(level), bound->type.levels.size());
    if (is_new) bound->type.levels.push_back(place->first);
    bound->wholes.push_back(place->second);
  }
  bound->type.wholes = {0, static_cast<std::int64_t>(bound->type.levels.size()) - 1};
  bound->args = {x};
  return bound;
}

// Changes the case of ASCII letters; all other bytes stay.
char upper_letter(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string trimmed_text(const std::string& text, bool left, bool right) {
  auto begin = text.begin();
  auto end = text.end();
  if (left) begin = std::find_if_not(begin, end, is_space);
  while (right && end != begin && is_space(*(end - 1))) --end;
  return {begin, end};
}

// Characters of UTF-8 text from the first-th to the last-th.
std::string characters_of(const std::string& text, std::int64_t first, std::int64_t last) {
  std::string part;
  std::int64_t at = 0;
  for (const char byte : text) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
    if (!continues) ++at;
    if (at >= first && at <= last) part += byte;
  }
  return part;
}

std::int64_t place_in_text(const Operands& of, std::size_t i) {
  const Bound& place = *of.args[i];
  if (place.op == Operator::literal && is_number(place.type) && !is_untyped(of.args[i])) {
    const double at = in_reals(place.type) ? place.reals[0] : static_cast<double>(place.wholes[0]);
    if (at >= -1e9 && at <= 1e9) return static_cast<std::int64_t>(at);
  }
  refuse_expression("`" + of.op + "` needs places that are constant numbers.");
}

}  // namespace

BoundPtr in_case(const Operands& of, bool upper) {
  return of_levels(of, [upper](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), upper ? upper_letter : lower_letter);
    return text;
  });
}

BoundPtr trimmed(const Operands& of) {
  const Bound& side = *of.args[1];
  if (side.op == Operator::literal && side.type.type == FieldType::text) {
    const std::string which(of.texts.text(side.wholes[0]));
    if (which == "both" || which == "left" || which == "right") {
      return of_levels(of, [which](const std::string& text) {
        return trimmed_text(text, which != "right", which != "left");
      });
    }
  }
  refuse_expression("`" + of.op + "` takes \"both\", \"left\" or \"right\" as its side.");
}

BoundPtr part_of_text(const Operands& of) {
  const std::int64_t first = place_in_text(of, 1);
  const std::int64_t last = place_in_text(of, 2);
  return of_levels(of, [=](const std::string& text) { return characters_of(text, first, last); });
}

}  // namespace dp::query
