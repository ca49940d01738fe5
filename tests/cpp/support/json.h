// Parses the JSON arguments of oracle files into a tree.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace dp::test {

struct Json {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  std::string text;  // of numbers and booleans too, as they are written
  std::vector<Json> items;
  std::map<std::string, Json> members;

  bool has(const std::string& key) const { return members.count(key) != 0; }
  const Json& at(const std::string& key) const { return members.at(key); }
  bool is_null() const { return kind == Kind::null; }
};

class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  Json read() {
    skip_space();
    Json out;
    const char c = text_.at(at_);
    if (c == '{') {
      out.kind = Json::Kind::object;
      ++at_;
      while (!closes('}')) {
        const std::string key = read().text;
        expect(':');
        out.members[key] = read();
      }
    } else if (c == '[') {
      out.kind = Json::Kind::list;
      ++at_;
      while (!closes(']')) out.items.push_back(read());
    } else if (c == '"') {
      out.kind = Json::Kind::text;
      for (++at_; text_.at(at_) != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
        out.text += text_.at(at_);
      }
      ++at_;
    } else {
      const std::size_t end = text_.find_first_of(",]} ", at_);
      out.text = text_.substr(at_, end == std::string::npos ? end : end - at_);
      at_ += out.text.size();
      const bool boolean = out.text == "true" || out.text == "false";
      out.kind = out.text == "null" ? Json::Kind::null
                 : boolean          ? Json::Kind::boolean
                                    : Json::Kind::number;
    }
    return out;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  void expect(char c) {
    skip_space();
    if (text_.at(at_++) != c) throw std::runtime_error("not JSON: " + text_);
  }
  // Whether the list ends here. Otherwise steps over a comma.
  bool closes(char end) {
    skip_space();
    if (text_.at(at_) == ',') ++at_, skip_space();
    if (text_.at(at_) != end) return false;
    ++at_;
    return true;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

inline Json parse_json(const std::string& text) { return JsonReader(text).read(); }

}  // namespace dp::test
