// The canonical bytes of a plan. Their SHA-256 is its identity.
//
// A plan is a node: a step of the catalogue with its public arguments. If an argument refers to an
// object, its node contains the object's digest. So the identity of a plan does not depend on the
// number of uses of a part, and costs no more than its arguments.
//
//   node      "step", "part", "map" or "statistic", name, then the arguments that are not null, in
//             the order of the catalogue: for each its name and its value. So if a later version
//             adds an argument whose default is null, no identity changes
//   value     a letter for its form, the number of its elements, the elements, and the names of the
//             elements or nothing
//   text      the number of its bytes, and its bytes in UTF-8
//   numbers   64 bits, the lowest byte first; doubles by their bits, with one NaN and one missing
//
// Every part contains its length, so different plans have different bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/plan/sha256.h"

namespace dp {

class Encoder {
 public:
  enum class Form : char {
    nothing = 'n',
    logical = 'b',
    integer = 'i',
    number = 'd',
    wide = 'w',  // 64-bit integers
    text = 't',
    raw = 'r',
    list = 'l',
    object = 'o',   // of the framework, by its digest
    foreign = 'f',  // whatever else, as bytes of the language that it comes from
  };

  void begin(Form form, std::uint64_t size);
  void put(std::uint64_t bits);
  void put(double value);
  void put_missing();
  void put(std::string_view text);
  void put(const Digest& digest);

  Digest digest() const { return sha256(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace dp
