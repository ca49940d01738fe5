// The canonical bytes of a plan, which are what its identity is the SHA-256 of.
//
// A plan is a node: a step of the catalogue with its public arguments. The node of an object that
// an argument refers to stands in it by its digest, so that the identity of a plan does not depend
// on how often a part of it is used, and costs no more than its own arguments.
//
//   node      "step", "part", "map" or "statistic", name, then the arguments that are not null, in
//             the order of the catalogue: for each its name and its value. So an argument that a
//             later version adds, and that is null where it is not given, changes no identity
//   value     a letter for its form, the number of its elements, the elements, and the names of the
//             elements or nothing
//   text      the number of its bytes, and its bytes in UTF-8
//   numbers   64 bits, the lowest byte first; doubles by their bits, with one NaN and one missing
//
// Every part says how long it is, so that no two plans have the same bytes.
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
