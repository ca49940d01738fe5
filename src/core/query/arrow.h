// Private rows that come as Arrow data: the C data and stream interfaces, read as columns of a
// query.
//
// The structures are those of the published specification, https://arrow.apache.org/docs/format/
// CDataInterface.html and CStreamInterface.html; nothing of Arrow is linked. Who made them promises
// that its buffers are as long as the structures say. All that can be checked without that promise
// is: what does not add up throws source and says no more than the name of the column.
//
// Columns of logicals, integers of up to 64 bits, floats and doubles, dates and UTF-8 text, also as
// a dictionary, are read; 64 bits without a sign, nested types and all others are refused, by name
// and format, before a row is read. Cells are copied: a batch may be released at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/query/rows.h"

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif
}

namespace dp::query {

// What somebody else made, and is released by what it holds itself.
template <class T>
struct ArrowHeld {
  T value{};
  ArrowHeld() = default;
  explicit ArrowHeld(const T& taken) : value(taken) {}
  ~ArrowHeld() {
    if (value.release != nullptr) value.release(&value);
  }
  ArrowHeld(const ArrowHeld&) = delete;
  ArrowHeld& operator=(const ArrowHeld&) = delete;
};

struct ArrowOwner;

// Rows of batches, one after the other: for each column what was copied of it.
struct ArrowGathered {
  std::vector<std::shared_ptr<ArrowOwner>> owners;
  std::size_t rows = 0;
};

// Columns of the record batches of one schema.
class ArrowColumns {
 public:
  // Throws source unless the schema is that of record batches, and has each of the columns once, as
  // a type that is read.
  ArrowColumns(const ArrowSchema& schema, const std::vector<std::string>& names);

  ArrowGathered none() const;

  // Throws source for what cannot be a batch of the schema, or for more rows than a column has.
  void add(const ArrowArray& batch, ArrowGathered& to) const;

  QueryRows rows(const ArrowGathered& gathered) const;

  // Whether each column holds date-times.
  std::vector<bool> moments() const;

 private:
  struct Column {
    std::string name;
    std::string format;
    std::string texts;  // the format of a dictionary's labels; empty without one
    QueryColumn::Kind kind;
    std::size_t place;
  };
  std::vector<Column> columns_;
  std::int64_t children_;

  void add_cells(const Column& column, const ArrowArray& batch, ArrowOwner& to) const;
};

// The batches of a stream, which it owns and releases. Those of engines are short: several are
// gathered, since the threads of a count have to be woken for each piece. What the stream says when
// it fails is not repeated: it may hold values.
class ArrowStream {
 public:
  // Takes what `stream` holds, which is empty afterwards. Throws source if it is empty, or as
  // ArrowColumns does.
  ArrowStream(ArrowArrayStream* stream,
              const std::vector<std::string>& names,
              std::size_t gathered = std::size_t{1} << 17);

  // The rows of the next batches, until there are `gathered` of them or more, or as many different
  // texts in a column; none after the last. There is a first one, without rows perhaps.
  std::optional<QueryRows> next();

 private:
  ArrowHeld<ArrowArrayStream> stream_;
  ArrowColumns columns_;
  std::size_t enough_;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace dp::query
