#include "core/data/owned.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/data/frame.h"
#include "core/data/records.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

template <class T>
ColumnPtr copy_of(const Column& rows) {
  auto out = std::make_shared<OwnedColumn<T>>(rows.type(), rows.size());
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    check_interrupt();
    buffer.clear_text();
    const Batch in = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < in.size; ++i) {
      if (in.valid != nullptr && in.valid[i] == 0) {
        out->valid()[begin + i] = 0;
      } else if constexpr (std::is_same_v<T, std::string>) {
        out->cells()[begin + i] = out->keep(std::string(in.as<T>()[i]));
      } else {
        out->cells()[begin + i] = in.as<T>()[i];
      }
    }
  }
  return out;
}

RecordsPtr owned_records(const RecordsPtr& records) {
  std::vector<std::vector<std::string>> copies;
  copies.reserve(records->size());
  for (std::size_t i = 0; i < records->size(); ++i) copies.push_back(records->record(i));
  return std::make_shared<OwnedRecords>(std::move(copies));
}

FramePtr owned_frame(const FramePtr& frame) {
  std::vector<NamedColumn> columns = frame->columns();
  for (NamedColumn& column : columns) column.contents = column.contents->owned();
  return std::make_shared<Frame>(frame->key(), std::move(columns));
}

// Text says who keeps it.
template <class T>
inline constexpr bool kIsSelfContained =
    std::is_same_v<T, Value::Null> || std::is_same_v<T, Text> || std::is_same_v<T, Scalar> ||
    std::is_same_v<T, Value::Bits> || std::is_same_v<T, QueryablePtr> ||
    std::is_same_v<T, MeasurementPtr> || std::is_same_v<T, Opaque>;

}  // namespace

ColumnPtr owned_rows(const ColumnPtr& rows) {
  return visit_atom(rows->type(), [&](auto tag) -> ColumnPtr {
    using T = typename decltype(tag)::type;
    // The core never changes shared rows.
    if (dynamic_cast<const OwnedColumn<T>*>(rows.get()) != nullptr) return rows;
    return copy_of<T>(*rows);
  });
}

Value owned(const Value& value) {
  return std::visit(
      [](const auto& form) -> Value {
        using T = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<T, ColumnPtr>) {
          return owned_rows(form);
        } else if constexpr (std::is_same_v<T, RecordsPtr>) {
          return owned_records(form);
        } else if constexpr (std::is_same_v<T, FramePtr>) {
          return owned_frame(form);
        } else if constexpr (std::is_same_v<T, MapPtr>) {
          return MapPtr(
              std::make_shared<Map>(Map{owned_rows(form->keys), owned_rows(form->values)}));
        } else if constexpr (std::is_same_v<T, Value::Tuple>) {
          Value::Tuple parts;
          for (const Value& part : form) parts.push_back(owned(part));
          return parts;
        } else {
          static_assert(kIsSelfContained<T>, "a new form of Value: say how to copy it");
          return form;
        }
      },
      value.form());
}

}  // namespace dp
