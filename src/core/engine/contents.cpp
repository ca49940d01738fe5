#include "core/engine/contents.h"

#include <utility>

#include "core/engine/owned.h"

namespace dp {
namespace {

class OneType final : public Contents {
 public:
  explicit OneType(RowsPtr rows) : rows_(std::move(rows)) {}

  std::size_t size() const override { return rows_->size(); }
  AtomType type() const override { return rows_->type(); }
  RowsPtr as(AtomType type) const override { return type == rows_->type() ? rows_ : nullptr; }
  ContentsPtr owned() const override { return contents_of(owned_rows(rows_)); }

 private:
  RowsPtr rows_;
};

}  // namespace

ContentsPtr contents_of(RowsPtr rows) { return std::make_shared<OneType>(std::move(rows)); }

}  // namespace dp
