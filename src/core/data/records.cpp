#include "core/data/records.h"

namespace dp {
namespace {

class FieldColumn final : public Column {
 public:
  FieldColumn(RecordsPtr records, std::size_t field)
      : records_(std::move(records)), field_(field) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return records_->size(); }
  bool concurrent() const override { return records_->concurrent(); }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    return records_->read(field_, begin, size, buffer);
  }

 private:
  RecordsPtr records_;
  std::size_t field_;
};

}  // namespace

Batch OwnedRecords::read(std::size_t field,
                         std::size_t begin,
                         std::size_t size,
                         BatchBuffer& buffer) const {
  auto* cells = buffer.cells<std::string>(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::vector<std::string>& record = records_[begin + i];
    cells[i] = field < record.size() ? std::string_view(record[field]) : std::string_view();
  }
  return {cells, nullptr, size};
}

ColumnPtr field_of(RecordsPtr records, std::size_t field) {
  return std::make_shared<FieldColumn>(std::move(records), field);
}

}  // namespace dp
