#include "core/engine/mapped_rows.h"

#include <utility>

namespace dp {
namespace {

class MappedColumn final : public Column {
 public:
  MappedColumn(ColumnPtr rows, std::shared_ptr<const RowOperator> op)
      : rows_(std::move(rows)), op_(std::move(op)) {}

  AtomType type() const override { return op_->output_type(); }
  std::size_t size() const override { return rows_->size(); }
  bool concurrent() const override { return rows_->concurrent(); }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    BatchBuffer source;
    return op_->run(rows_->read(begin, size, source), buffer);
  }

 private:
  ColumnPtr rows_;
  std::shared_ptr<const RowOperator> op_;
};

}  // namespace

ColumnPtr mapped_rows(ColumnPtr rows, const Function& operators) {
  for (const Stage& stage : operators.stages()) {
    rows = std::make_shared<MappedColumn>(std::move(rows),
                                          std::get<std::shared_ptr<const RowOperator>>(stage));
  }
  return rows;
}

}  // namespace dp
