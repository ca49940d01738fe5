// Reads private rows from the Arrow C data and stream interfaces, as columns of a query.
//
// The structures follow the published specification, https://arrow.apache.org/docs/format/
// CDataInterface.html and CStreamInterface.html; no Arrow library is linked. The producer promises
// that its buffers have the lengths that the structures state. Every other property is checked. An
// inconsistent structure throws source, with only the column's name.
//
// Supported columns: logicals, integers of up to 64 bits, floats, doubles, dates and UTF-8 text,
// also dictionary-encoded. Unsigned 64-bit integers, nested types and all other types are rejected,
// by name and format, before any row is read. Cells are copied, so a batch can be released at once.
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

// Holds a structure from an external producer, and releases it through its own callback.
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

// Rows of consecutive batches: the copied cells of each column.
struct ArrowGathered {
  std::vector<std::shared_ptr<ArrowOwner>> owners;
  std::size_t rows = 0;
};

// Columns of the record batches of one schema.
class ArrowColumns {
 public:
  // Throws source unless the schema describes record batches and has each column exactly once, with
  // a supported type.
  ArrowColumns(const ArrowSchema& schema, const std::vector<std::string>& names);

  ArrowGathered none() const;

  // Throws source if `batch` cannot belong to the schema, or if a column would exceed its row
  // limit.
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

// Owns a stream, reads its batches and releases them. Engines send short batches, so several are
// gathered: waking the counting threads for each one is slow. Error messages from the stream are
// not repeated, because they can contain private values.
class ArrowStream {
 public:
  // Takes the contents of `stream`, leaving it empty. Throws source if it is empty already, or as
  // ArrowColumns does.
  ArrowStream(ArrowArrayStream* stream,
              const std::vector<std::string>& names,
              std::size_t gathered = std::size_t{1} << 17);

  // Returns rows of the next batches: at least `gathered` rows, or that many different texts in one
  // column, while there are any. Returns nothing after the last. There is always a first result,
  // possibly without rows.
  std::optional<QueryRows> next();

 private:
  ArrowHeld<ArrowArrayStream> stream_;
  ArrowColumns columns_;
  std::size_t enough_;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace dp::query
