#include "core/data/column_source.h"

#include <utility>

#include "core/data/owned.h"

namespace dp {
namespace {

class OneType final : public ColumnSource {
 public:
  explicit OneType(ColumnPtr rows) : rows_(std::move(rows)) {}

  std::size_t size() const override { return rows_->size(); }
  AtomType type() const override { return rows_->type(); }
  ColumnPtr as(AtomType type) const override { return type == rows_->type() ? rows_ : nullptr; }
  ColumnSourcePtr owned() const override { return contents_of(owned_rows(rows_)); }

 private:
  ColumnPtr rows_;
};

}  // namespace

ColumnSourcePtr contents_of(ColumnPtr rows) { return std::make_shared<OneType>(std::move(rows)); }

}  // namespace dp
