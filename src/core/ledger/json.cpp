#include "core/ledger/json.h"

#include <algorithm>

#include "core/error.h"
#include "core/numeric/utf8.h"

namespace dp {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

[[noreturn]] void refuse_json(const std::string& sentence) {
  throw Error(ErrorKind::ledger, sentence);
}

// Writing.

void write_unit(std::string& out, std::uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHexDigits[unit >> shift & 15];
}

void write_point(std::string& out, std::uint32_t point) {
  if (point < 0x10000) return write_unit(out, point);
  write_unit(out, 0xd800 + ((point - 0x10000) >> 10));
  write_unit(out, 0xdc00 + ((point - 0x10000) & 0x3ff));
}

bool is_plain(std::uint32_t point) { return point >= 0x20 && point < 0x7f; }

// The character at `at`. Moves `at` behind it. `text` is UTF-8.
std::uint32_t next_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<std::uint8_t>(text[at++]);
  if (first < 0x80) return first;
  const int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  std::uint32_t point = first & (0x3f >> more);
  for (int i = 0; i < more; ++i) point = point << 6 | (text[at++] & 0x3f);
  return point;
}

void write_text(std::string& out, std::string_view text) {
  if (!is_utf8(text) || text.find('\0') != std::string_view::npos) {
    refuse_json("text in a record must be UTF-8, without a zero byte.");
  }
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t point = next_point(text, at);
    if (!is_plain(point)) {
      write_point(out, point);
    } else {
      if (point == '"' || point == '\\') out += '\\';
      out += static_cast<char>(point);
    }
  }
  out += '"';
}

void write_json(std::string& out, const Json& value, std::size_t depth);

template <class List, class Write>
void write_list(std::string& out, char open, const List& list, char close, Write write) {
  out += open;
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += ',';
    first = false;
    write(element);
  }
  out += close;
}

void write_json(std::string& out, const Json& value, std::size_t depth) {
  if (depth > kMostDepth) refuse_json("a record has too many levels.");
  if (const auto* number = value.as<std::uint64_t>()) {
    if (*number > kMostWhole) refuse_json("a number in a record must be at most 2^53.");
    out += std::to_string(*number);
  } else if (const auto* text = value.as<std::string>()) {
    write_text(out, *text);
  } else if (const auto* array = value.as<Json::Array>()) {
    write_list(out, '[', *array, ']', [&](const Json& one) { write_json(out, one, depth + 1); });
  } else {
    write_list(out, '{', *value.as<Json::Object>(), '}', [&](const JsonMember& member) {
      write_text(out, member.key);
      out += ':';
      write_json(out, member.value, depth + 1);
    });
  }
}

// Reading.

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json whole() {
    Json value = any(0);
    if (at_ != text_.size()) refuse();
    return value;
  }

 private:
  [[noreturn]] void refuse() const {
    refuse_json("not canonical JSON at byte " + std::to_string(at_ + 1) + ".");
  }

  char peek() const {
    if (at_ == text_.size()) refuse();
    return text_[at_];
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) refuse();
  }

  Json any(std::size_t depth) {
    if (depth > kMostDepth) refuse();
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return text();
      default:
        return number();
    }
  }

  Json object(std::size_t depth) {
    expect('{');
    Json::Object members;
    if (take('}')) return members;
    do {
      const std::size_t start = at_;
      std::string key = text();
      if (!members.empty() && key <= members.back().key) {
        at_ = start;
        refuse();
      }
      expect(':');
      members.push_back({std::move(key), any(depth + 1)});
    } while (take(','));
    expect('}');
    return members;
  }

  Json array(std::size_t depth) {
    expect('[');
    Json::Array elements;
    if (take(']')) return elements;
    do {
      elements.push_back(any(depth + 1));
    } while (take(','));
    expect(']');
    return elements;
  }

  Json number() {
    if (take('0')) return std::uint64_t{0};
    std::uint64_t value = 0;
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = 10 * value + static_cast<std::uint64_t>(text_[at_++] - '0');
      if (value > kMostWhole) refuse();
    }
    if (at_ == start) refuse();
    return value;
  }

  std::string text() {
    expect('"');
    std::string out;
    while (!take('"')) {
      const char c = peek();
      if (!is_plain(static_cast<std::uint8_t>(c))) refuse();
      ++at_;
      if (c != '\\') {
        out += c;
      } else if (peek() == '"' || peek() == '\\') {
        out += text_[at_++];
      } else {
        expect('u');
        escaped(out);
      }
    }
    return out;
  }

  // Reads the digits after \u. Rejects zero, half of a pair, and characters that need no escape.
  void escaped(std::string& out) {
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
    if (is_plain(point) || point == 0) refuse();
    append_utf8(out, point);
  }

  std::uint32_t unit() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const char* digit = std::find(kHexDigits, kHexDigits + 16, peek());
      if (digit == kHexDigits + 16) refuse();
      value = value << 4 | static_cast<std::uint32_t>(digit - kHexDigits);
      ++at_;
    }
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_before(const JsonMember& member, std::string_view key) { return member.key < key; }

}  // namespace

const Json* Json::find(std::string_view key) const {
  const auto* members = as<Object>();
  if (members == nullptr) return nullptr;
  const auto place = std::lower_bound(members->begin(), members->end(), key, is_before);
  return place != members->end() && place->key == key ? &place->value : nullptr;
}

Json& Json::set(std::string key, Json value) {
  auto& members = std::get<Object>(form_);
  const auto place = std::lower_bound(members.begin(), members.end(), key, is_before);
  if (place != members.end() && place->key == key) refuse_json("a record has a key twice.");
  members.insert(place, {std::move(key), std::move(value)});
  return *this;
}

std::string to_text(const Json& value) {
  std::string out;
  write_json(out, value, 0);
  return out;
}

Json parse_json(std::string_view text, std::size_t most) {
  if (text.size() > most) refuse_json("longer than " + std::to_string(most) + " bytes.");
  return Parser(text).whole();
}

}  // namespace dp
