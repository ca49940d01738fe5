// Arbitrary bytes as an Arrow schema with a batch. Reads stay within the buffers that the
// structures promise, or the batch is rejected.
//
// If lengths and offsets are small, buffers are as long as they say. A large length is one that no
// array can have. Buffers contain the next bytes of the input.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/query/arrow.h"

namespace {

class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t size) : at_(bytes), left_(size) {}

  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *at_++;
  }
  // Mostly small counts.
  std::int64_t count() {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::uint8_t kind = byte();
    if (kind == 255) return -1;
    if (kind == 254) return kMost;
    if (kind == 253) return std::numeric_limits<std::int64_t>::min();
    return kind % 24;
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

constexpr std::int64_t kLongest = 64;

std::int64_t small(std::int64_t n) { return n >= 0 && n <= kLongest ? n : 0; }

struct Made {
  ArrowSchema schema{};
  ArrowArray array{};
  std::string format;
  std::vector<const void*> buffers;
  std::deque<std::unique_ptr<std::uint8_t[]>> kept;
  std::vector<ArrowSchema*> schemas;
  std::vector<ArrowArray*> arrays;
  std::deque<Made> parts;

  void add_buffer(Input& input, std::size_t size) {
    if (input.byte() == 255) {
      buffers.push_back(nullptr);
      return;
    }
    kept.emplace_back(new std::uint8_t[size]);
    for (std::size_t i = 0; i < size; ++i) kept.back()[i] = input.byte();
    buffers.push_back(kept.back().get());
  }

  // As long as the largest offset says. If an offset decreases, no byte may be read.
  template <class Offset>
  void add_texts(Input& input, std::size_t cells) {
    kept.emplace_back(new std::uint8_t[(cells + 1) * sizeof(Offset)]);
    Offset offset = 0;
    Offset most = 0;
    for (std::size_t i = 0; i <= cells; ++i) {
      const std::uint8_t step = input.byte();
      offset = static_cast<Offset>(step == 255 ? -1 : step == 254 ? offset / 2 : offset + step % 8);
      most = std::max(most, offset);
      std::memcpy(kept.back().get() + i * sizeof offset, &offset, sizeof offset);
    }
    buffers.push_back(kept.back().get());
    add_buffer(input, static_cast<std::size_t>(most));
  }
};

const char* const kFormats[] = {"b",  "c", "C", "s",      "S", "i",   "I",   "l",
                                "L",  "f", "g", "u",      "U", "tdD", "tdm", "+s",
                                "+l", "n", "z", "d:38,0", "",  "ii",  "w:0"};

void make(Input& input, Made& made, int depth, std::int64_t needed) {
  made.format = depth == 0 ? "+s" : kFormats[input.byte() % (sizeof kFormats / sizeof *kFormats)];
  made.schema.format = input.byte() == 255 ? nullptr : made.format.c_str();
  made.schema.name = depth == 0 ? "" : input.byte() == 255 ? nullptr : "x";
  made.schema.release = [](ArrowSchema* of) { of->release = nullptr; };
  if (input.byte() != 255) made.array.release = [](ArrowArray* of) { of->release = nullptr; };
  made.array.length = input.byte() < 200 ? needed : input.count();
  made.array.offset = input.byte() < 200 ? 0 : input.count();
  made.array.null_count = input.byte() < 200 ? -1 : input.count();
  // A parent's cells start at its own offset, and a column must not end before its batch.
  const auto cells = static_cast<std::size_t>(2 * kLongest + small(made.array.length));
  made.add_buffer(input, cells / 8 + 1);
  if (made.format == "u")
    made.add_texts<std::int32_t>(input, cells);
  else if (made.format == "U")
    made.add_texts<std::int64_t>(input, cells);
  else if (depth > 0)
    made.add_buffer(input, cells * sizeof(std::int64_t));
  const std::int64_t children = depth == 0 ? 1 : 0;
  for (std::int64_t i = 0; i < children; ++i) {
    made.parts.emplace_back();
    make(input, made.parts.back(), depth + 1, made.array.length);
    made.schemas.push_back(&made.parts.back().schema);
    made.arrays.push_back(input.byte() == 255 ? nullptr : &made.parts.back().array);
  }
  made.schema.children = made.schemas.data();
  made.array.children = made.arrays.data();
  made.schema.n_children = children;
  made.array.n_children = input.byte() < 240 ? children : input.count();
  made.array.n_buffers =
      input.byte() < 240 ? static_cast<std::int64_t>(made.buffers.size()) : input.count();
  made.array.buffers = input.byte() == 255 ? nullptr : made.buffers.data();
  if (depth == 1 && input.byte() % 4 == 0) {
    made.parts.emplace_back();
    make(input, made.parts.back(), depth + 1, 5);
    if (input.byte() != 255) made.schema.dictionary = &made.parts.back().schema;
    if (input.byte() != 255) made.array.dictionary = &made.parts.back().array;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Input input(bytes, size);
  Made batch;
  make(input, batch, 0, 20);
  try {
    const dp::query::ArrowColumns columns(batch.schema, {"x"});
    dp::query::ArrowGathered gathered = columns.none();
    columns.add(batch.array, gathered);
    columns.add(batch.array, gathered);
    const dp::query::QueryRows rows = columns.rows(gathered);
    const dp::query::QueryColumn& column = *rows.find("x");
    const bool sound = static_cast<std::int64_t>(rows.size()) == 2 * batch.array.length &&
                       column.cells != nullptr && column.labels.size() <= 2 * kLongest;
    if (!sound) throw std::logic_error("rows that no batch has");
  } catch (const dp::Error& error) {
    if (error.kind() != dp::ErrorKind::source) throw std::logic_error("an error of another kind");
  }
  return 0;
}
