#include "core/plan/json_text.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "core/error.h"
#include "core/numeric/text.h"
#include "core/numeric/utf8.h"

namespace dp {
namespace {

[[noreturn]] void refuse_text(const std::string& sentence) {
  throw Error(ErrorKind::failed_cast, sentence);
}

[[noreturn]] void refuse_beyond(std::size_t most, const char* what) {
  refuse_text("the text must have at most " + std::to_string(most) + " " + what + ".");
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_digit_of_json(char c) { return c >= '0' && c <= '9'; }

class TextParser {
 public:
  explicit TextParser(std::string_view text) : text_(text) {}

  JsonNode whole() {
    JsonNode node = value();
    skip_spaces();
    if (at_ != text_.size()) refuse();
    return node;
  }

 private:
  [[noreturn]] void refuse() const {
    refuse_text("the text is not JSON at byte " + std::to_string(at_ + 1) + ".");
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  // A byte that no JSON has behind the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) refuse();
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  JsonNode value() {
    skip_spaces();
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return text();
      case 't':
        if (take_word("true")) return true;
        refuse();
      case 'f':
        if (take_word("false")) return false;
        refuse();
      case 'n':
        if (take_word("null")) return {};
        refuse();
      default:
        return number();
    }
  }

  JsonNode object() {
    expect('{');
    JsonNode::Object fields;
    skip_spaces();
    if (take('}')) return fields;
    do {
      skip_spaces();
      if (fields.size() == kMostJsonKeys) refuse_beyond(kMostJsonKeys, "keys in an object");
      std::string key = text();
      for (const JsonField& field : fields) {
        if (field.key == key) refuse_text("the text has a key twice in one object.");
      }
      skip_spaces();
      expect(':');
      fields.push_back({std::move(key), value()});
      skip_spaces();
    } while (take(','));
    expect('}');
    return fields;
  }

  JsonNode array() {
    expect('[');
    JsonNode::Array elements;
    skip_spaces();
    if (take(']')) return elements;
    do {
      elements.push_back(value());
      skip_spaces();
    } while (take(','));
    expect(']');
    return elements;
  }

  void skip_digits() {
    if (!is_digit_of_json(peek())) refuse();
    while (is_digit_of_json(peek())) ++at_;
  }

  JsonNode number() {
    const std::size_t start = at_;
    bool is_whole = true;
    take('-');
    if (!take('0')) skip_digits();
    if (take('.')) {
      is_whole = false;
      skip_digits();
    }
    if (take('e') || take('E')) {
      is_whole = false;
      if (!take('-')) take('+');
      skip_digits();
    }
    const auto number = parse_number<double>(text_.substr(start, at_ - start));
    if (!number) refuse();
    if (!std::isfinite(*number)) refuse_text("a number in the text is larger than all doubles.");
    return JsonNode::Number{*number, is_whole};
  }

  std::string text() {
    expect('"');
    std::string out;
    for (;;) {
      const std::size_t start = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
             static_cast<std::uint8_t>(text_[at_]) >= 0x20) {
        ++at_;
      }
      out += text_.substr(start, at_ - start);
      if (take('"')) return out;
      expect('\\');
      escaped(out);
    }
  }

  void escaped(std::string& out) {
    static constexpr std::string_view kNames = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t place = at_ < text_.size() ? kNames.find(text_[at_]) : std::string_view::npos;
    if (place != std::string_view::npos) {
      ++at_;
      out += kMeanings[place];
      return;
    }
    expect('u');
    std::uint32_t point = unit();
    if (point >= 0xd800 && point < 0xdc00) {
      expect('\\');
      expect('u');
      const std::uint32_t low = unit();
      if (low < 0xdc00 || low >= 0xe000) refuse();
      point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    } else if (point >= 0xdc00 && point < 0xe000) {
      refuse();
    }
    if (point == 0) refuse_text("the text has a zero byte.");
    append_utf8(out, point);
  }

  std::uint32_t unit() {
    std::uint32_t number = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = peek();
      if (is_digit_of_json(c)) {
        number = number << 4 | static_cast<std::uint32_t>(c - '0');
      } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        number = number << 4 | static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
      } else {
        refuse();
      }
      ++at_;
    }
    return number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

void check_json_bounds(std::string_view text, const JsonBounds& bounds) {
  if (text.size() > bounds.bytes) refuse_beyond(bounds.bytes, "bytes");
  std::size_t depth = 0;
  std::size_t parts = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\0') refuse_text("the text has a zero byte.");
    if (in_text) {
      if (c == '\\') ++at;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > bounds.depth) refuse_beyond(bounds.depth, "objects or arrays in each other");
      ++parts;
    } else if (c == '}' || c == ']') {
      if (depth-- == 0) refuse_text("the text closes what it has not opened.");
    } else if (c == ',') {
      ++parts;
    }
  }
  if (parts > bounds.parts) refuse_beyond(bounds.parts, "parts");
  if (text.find('\0') != std::string_view::npos) refuse_text("the text has a zero byte.");
  if (!is_utf8(text)) refuse_text("the text is not UTF-8.");
}

JsonNode parse_json_text(std::string_view text, const JsonBounds& bounds) {
  check_json_bounds(text, bounds);
  return TextParser(text).whole();
}

bool has_json_key(std::string_view text, std::string_view key) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t start = ++at;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    if (depth != 1 || at >= text.size() || text.substr(start, at - start) != key) continue;
    std::size_t next = at + 1;
    while (next < text.size() && is_space(text[next])) ++next;
    if (next < text.size() && text[next] == ':') return true;
  }
  return false;
}

void append_json_text(std::string& out, std::string_view utf8) {
  if (!is_utf8(utf8) || utf8.find('\0') != std::string_view::npos) {
    refuse_text("a text must be UTF-8, without a zero byte.");
  }
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : utf8) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

}  // namespace dp
