// Queries as JSON that cover every step and aggregate, and random changes of these texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dp::query {

inline std::vector<std::string> query_texts() {
  const std::string head =
      R"({"version":1,"declaration":")" + std::string(64, 'a') + R"(","query":{"rules":2,"steps":)";
  const std::string count =
      R"("aggregates":[{"name":"n","fun":"count","weight":1,"method":"automatic"}],)"
      R"("outputs":[{"name":"n","value":{"op":"column","name":"n"}}]}})";
  const std::string declared = R"("by":["ward"],"keys":{"kind":"declared","weight":1},)";
  return {
      head +
          R"([{"step":"filter","predicate":{"op":">","args":[{"op":"column","name":"age"},)"
          R"({"op":"literal","value":3}]}},{"step":"mutate","name":"b","value":{"op":"if_else",)"
          R"("args":[{"op":"literal","value":true},{"op":"literal","value":null,"type":"text"},)"
          R"({"op":"literal","value":"a\"\\\u0001ä"}]}},{"step":"select","columns":["age"],)"
          R"("names":["years"]}],)" +
          declared + count,
      head +
          R"([{"step":"join","how":"left","private":["k"],"public":["k"],"table":{"columns":[)"
          R"({"name":"k","type":"integer","storage":"real","values":[1,null,3]},)"
          R"({"name":"v","type":"real","values":[0.5,"Inf",-0]},)"
          R"({"name":"l","type":"logical","values":[true,null,false]},)"
          R"({"name":"t","type":"text","values":["x",null,""]}]}},)"
          R"({"step":"per_unit","by":[],"values":[{"name":"s","fun":"sum","of":)"
          R"({"op":"column","name":"v"}}]},{"step":"truncate","by":["ward"],"groups":2,)"
          R"("rows_per_group":3,"keep":"last","order":{"op":"column","name":"v"}},)"
          R"({"step":"margin","by":["ward"],"keys":true,"lengths":false,"max_groups":4}],)" +
          declared + count,
      R"({"version":1,"query":{"source":{"columns":[{"name":"age","type":"integer","lower":0,)"
      R"("upper":120,"missing":"drop","na":[999]},{"name":"ward","type":"levels","levels":)"
      R"(["A","B"],"missing":1}],"unit":{"kind":"id","id":["p"],"count":1,"shards":2}},)"
      R"("steps":[],"by":[],"keys":{"kind":"table","table":{"columns":[{"name":"ward","type":)"
      R"("text","values":["A"]}]},"weight":0.5,"suppress":3},"aggregates":[{"name":"q","fun":)"
      R"("quantiles","of":{"op":"column","name":"age"},"bounds":[0,100],"weight":2,)"
      R"("probabilities":[0.25,0.5],"grid":[1,2.5,3],"method":"tree","weights":{"op":"literal",)"
      R"("value":2.0}},{"name":"d","fun":"dropped","weight":1,"scale":5,"method":"automatic",)"
      R"("up_to":9},{"name":"m","fun":"mean","of":{"op":"column","name":"age"},"weight":1,)"
      R"("accuracy":0.5,"method":"automatic"}],"outputs":[{"name":"r","value":{"op":"/","args":)"
      R"([{"op":"column","name":"d"},{"op":"literal","value":12,"type":"date"}]}}]},)"
      R"("loss":{"rho":"0.05","delta":"0"},"alpha":"0.05"})"};
}

// Makes one to four changes: replaces, drops, doubles or moves bytes or words of the format.
template <class Bits>
std::string changed_text(std::string text, Bits& bits) {
  static const std::vector<std::string> kWords{
      "{",        "}",           "[",        "]",        ",",         ":",  "\"",
      "\\u0000",  "\\ud800",     "null",     "true",     "1e999",     "-1", "0.5",
      "1e308",    "\"op\"",      "\"args\"", "\"step\"", "[[[[[",     "{}", "\"Inf\"",
      "\"type\"", "99999999999", "\"rho\"",  "\xff",     "\"by\":[],"};
  const auto below = [&](std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(bits);
  };
  for (std::size_t left = 1 + below(3); left > 0 && !text.empty(); --left) {
    const std::size_t at = below(text.size() - 1);
    const std::size_t size = std::min(text.size() - at, 1 + below(below(3) == 0 ? 60 : 4));
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(255));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, kWords[below(kWords.size() - 1)]);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, size));
        break;
      case 4:
        text.replace(at, size, kWords[below(kWords.size() - 1)]);
        break;
      default: {
        // Replaces a digit by another digit, so most of these texts are still JSON.
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(9));
      }
    }
  }
  return text;
}

}  // namespace dp::query
