#include "core/transformations/split_records.h"

#include <memory>
#include <utility>

#include "core/engine/records.h"
#include "core/transformations/fields.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

class SplitRecords final : public Records {
 public:
  SplitRecords(RowsPtr lines, std::string separator)
      : lines_(std::move(lines)), separator_(std::move(separator)) {}

  std::size_t size() const override { return lines_->size(); }
  bool concurrent() const override { return lines_->concurrent(); }

  Block read(std::size_t field,
             std::size_t begin,
             std::size_t size,
             BlockBuffer& buffer) const override {
    const std::string_view* lines = lines_->read(begin, size, buffer).as<std::string>();
    // Lines that were made in the buffer are at the same place: each is read before it is replaced.
    std::string_view* cells = buffer.cells<std::string>(size);
    for (std::size_t i = 0; i < size; ++i) {
      cells[i] = trimmed(field_at(lines[i], separator_, field));
    }
    return {cells, nullptr, size};
  }

  std::vector<std::string> record(std::size_t i) const override {
    BlockBuffer buffer;
    std::string_view line = *lines_->read(i, 1, buffer).as<std::string>();
    std::vector<std::string> fields;
    while (true) {
      fields.emplace_back(trimmed(field_at(line, separator_, 0)));
      const std::size_t end = line.find(separator_);
      if (end == std::string_view::npos) return fields;
      line.remove_prefix(end + separator_.size());
    }
  }

 private:
  RowsPtr lines_;
  std::string separator_;
};

}  // namespace

Transformation make_split_records(const std::optional<std::string>& separator) {
  const std::string cut = separator.value_or(",");
  if (cut.empty()) throw Error(ErrorKind::make_transformation, "separator must not be empty");
  const Metric metric = symmetric_distance();
  const Domain lines = vector_of(default_atom(AtomType::string));
  return Transformation(lines,
                        metric,
                        vector_of(lines),
                        metric,
                        whole_function([cut](const Value& arg) -> Value {
                          return RecordsPtr(std::make_shared<SplitRecords>(rows_in(arg), cut));
                        }),
                        constant_map(metric, 1));
}

}  // namespace dp
