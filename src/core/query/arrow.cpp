#include "core/query/arrow.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/query/arrow_cells.h"
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

using Kind = QueryColumn::Kind;

// Shows only short, plain formats.
std::string shown_format(std::string_view format) {
  const bool plain = format.size() <= 40 && std::all_of(format.begin(), format.end(), [](char c) {
                       return c > ' ' && c <= '~' && c != '`';
                     });
  return plain ? "`" + std::string(format) + "`" : "that is none";
}

std::string_view text_or_none(const char* text) { return text == nullptr ? "" : text; }

bool is_count(std::int64_t n) {
  return n >= 0 && n <= std::numeric_limits<std::int64_t>::max() / 4;
}

// Throws unless lengths are valid, and the array has the numbers of buffers and children of its
// type.
void check_arrow_array(const std::string& name,
                       const ArrowArray* array,
                       std::int64_t buffers,
                       std::int64_t children) {
  const bool sound = array != nullptr && array->release != nullptr && is_count(array->length) &&
                     is_count(array->offset) && array->null_count >= -1 &&
                     array->null_count <= array->length && array->n_buffers == buffers &&
                     array->n_children == children && array->buffers != nullptr &&
                     (children == 0 || array->children != nullptr);
  if (!sound) refuse_arrow(name + " is no array of its type.");
  if (array->null_count > 0 && array->buffers[0] == nullptr) {
    refuse_arrow(name + " does not say which values are missing.");
  }
}

// Throws unless `child` has a supported type.
void check_arrow_type(const std::string& name, const ArrowSchema& child) {
  const std::string_view format = text_or_none(child.format);
  const std::optional<Kind> kind = kind_of_format(format);
  const auto refuse = [&](std::string_view what) {
    refuse_arrow_column(
        name, "is of Arrow's format " + shown_format(what) + ", which queries do not read");
  };
  if (!kind || child.n_children != 0) refuse(format);
  if (child.dictionary == nullptr) return;
  const std::string_view texts = text_or_none(child.dictionary->format);
  const bool labelled = (texts == "u" || texts == "U") && child.dictionary->n_children == 0 &&
                        child.dictionary->dictionary == nullptr;
  if (!labelled) refuse(texts);
  if (*kind != Kind::int32 && *kind != Kind::int64) refuse(format);
}

}  // namespace

ArrowColumns::ArrowColumns(const ArrowSchema& schema, const std::vector<std::string>& names)
    : children_(schema.n_children) {
  const bool batches = schema.release != nullptr && text_or_none(schema.format) == "+s" &&
                       children_ >= 0 && (children_ == 0 || schema.children != nullptr) &&
                       schema.dictionary == nullptr;
  if (!batches) refuse_arrow("the Arrow data must be record batches.");
  for (const std::string& name : names) {
    const ArrowSchema* found = nullptr;
    std::size_t place = 0;
    for (std::int64_t i = 0; i < children_; ++i) {
      const ArrowSchema* child = schema.children[i];
      if (child == nullptr || text_or_none(child->name) != name) continue;
      if (found != nullptr) refuse_arrow_column(name, "is in the data twice");
      found = child;
      place = static_cast<std::size_t>(i);
    }
    if (found == nullptr) refuse_arrow("the data have no column `" + name + "`.");
    check_arrow_type(name, *found);
    const bool coded = found->dictionary != nullptr;
    columns_.push_back({name,
                        found->format,
                        coded ? found->dictionary->format : "",
                        coded ? Kind::text : *kind_of_format(found->format),
                        place});
  }
}

void ArrowColumns::add_cells(const Column& column, const ArrowArray& batch, ArrowOwner& to) const {
  const ArrowArray* array = batch.children[column.place];
  const std::string shown = "column `" + column.name + "`";
  const bool text = column.kind == Kind::text && column.texts.empty();
  check_arrow_array(shown, array, text ? 3 : 2, 0);
  if ((array->dictionary != nullptr) != !column.texts.empty()) {
    refuse_arrow_column(column.name, "is no array of its type");
  }
  if (array->dictionary != nullptr) check_arrow_array(shown, array->dictionary, 3, 0);
  if (array->length < batch.offset + batch.length) {
    refuse_arrow_column(column.name, "is shorter than its batch");
  }
  const ArrowCells cells{column.name, *array, array->offset + batch.offset, batch.length};
  copy_arrow_cells(column.format, column.texts, cells, to);
}

std::vector<bool> ArrowColumns::moments() const {
  std::vector<bool> moments;
  for (const Column& column : columns_) moments.push_back(is_moment(column.format));
  return moments;
}

ArrowGathered ArrowColumns::none() const {
  ArrowGathered gathered;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    gathered.owners.push_back(std::make_shared<ArrowOwner>());
  }
  return gathered;
}

void ArrowColumns::add(const ArrowArray& batch, ArrowGathered& to) const {
  check_arrow_array("a batch of the Arrow data", &batch, 1, children_);
  if (batch.length > kMostArrowRows - static_cast<std::int64_t>(to.rows)) {
    refuse_arrow("a batch of the Arrow data has too many rows.");
  }
  if (batch.buffers[0] != nullptr && batch.null_count != 0) {
    refuse_arrow("rows of the Arrow data may be missing as a whole.");
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) add_cells(columns_[c], batch, *to.owners[c]);
  to.rows += static_cast<std::size_t>(batch.length);
}

QueryRows ArrowColumns::rows(const ArrowGathered& gathered) const {
  std::vector<QueryColumn> read;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    ArrowOwner& owner = *gathered.owners[c];
    QueryColumn column;
    column.name = columns_[c].name;
    column.kind = columns_[c].kind;
    column.labels.assign(owner.labels.begin(), owner.labels.end());
    column.cells = cells_of_kind(column.kind, owner);
    column.owner = gathered.owners[c];
    read.push_back(std::move(column));
  }
  return QueryRows(gathered.rows, std::move(read));
}

namespace {

ArrowColumns columns_of_stream(ArrowArrayStream& stream, const std::vector<std::string>& names) {
  ArrowHeld<ArrowSchema> schema;
  if (stream.get_schema(&stream, &schema.value) != 0) {
    schema.value.release = nullptr;
    throw Error(ErrorKind::backend, "the Arrow stream does not say what its columns are.");
  }
  return ArrowColumns(schema.value, names);
}

ArrowArrayStream taken(ArrowArrayStream* stream) {
  const bool there = stream != nullptr && stream->release != nullptr &&
                     stream->get_schema != nullptr && stream->get_next != nullptr;
  if (!there) refuse_arrow("the Arrow stream was read before, or released.");
  const ArrowArrayStream mine = *stream;
  stream->release = nullptr;
  return mine;
}

}  // namespace

ArrowStream::ArrowStream(ArrowArrayStream* stream,
                         const std::vector<std::string>& names,
                         std::size_t gathered)
    : stream_(taken(stream)),
      columns_(columns_of_stream(stream_.value, names)),
      enough_(gathered) {}

std::optional<QueryRows> ArrowStream::next() {
  ArrowGathered gathered = columns_.none();
  const auto is_enough = [this, &gathered] {
    return gathered.rows >= enough_ ||
           std::any_of(gathered.owners.begin(), gathered.owners.end(), [this](const auto& owner) {
             return owner->labels.size() >= enough_;
           });
  };
  while (!ended_ && !is_enough()) {
    check_interrupt();
    ArrowHeld<ArrowArray> batch;
    if (stream_.value.get_next(&stream_.value, &batch.value) != 0) {
      batch.value.release = nullptr;
      throw Error(ErrorKind::backend, "the Arrow stream failed.");
    }
    ended_ = batch.value.release == nullptr;
    if (!ended_) columns_.add(batch.value, gathered);
  }
  const bool first = !begun_;
  begun_ = true;
  if (gathered.rows == 0 && !first) return std::nullopt;
  return columns_.rows(gathered);
}

}  // namespace dp::query
